import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { onBothDatabases } from '../../test/harness/databases.ts';
import type { Database } from './database.ts';
import { migrate } from './migrate.ts';
import { openPostgres } from './postgres.ts';
import { quoteIdentifier } from './quote.ts';

const files = readdirSync(join(import.meta.dirname, 'migrations')).filter((name) => name.endsWith('.sql'));

const applied = async (database: Database) =>
  (await database.query<{ hash: string }>('select hash from migration order by created_at')).rows;

const objects = async (database: Database) =>
  (
    await database.query<{ name: string }>(
      `select c.relkind::text || ' ' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = $1 order by 1`,
      [database.schema],
    )
  ).rows.map(({ name }) => name);

onBothDatabases('a database that is migrated', (ground) => {
  test('knows every file of migrations/ once', async () => {
    const rows = await applied(ground().database);
    expect(rows).toHaveLength(files.length);
    expect(new Set(rows.map(({ hash }) => hash)).size).toBe(files.length);
  });

  test('is left as it is by a second time', async () => {
    const { database } = ground();
    await database.query(`insert into secret (name, cipher, updated_at) values ('kept', 'x', now_here())`);
    const before = [await applied(database), await objects(database)];
    await migrate(database);
    expect([await applied(database), await objects(database)]).toEqual(before);
    expect((await database.query('select name from secret')).rows).toEqual([{ name: 'kept' }]);
    expect(before[1]).toEqual(expect.arrayContaining(['p journal', 'r journal_default', 'r run', 'r outbox']));
  });
});

describe('several processes at once on PostgreSQL', () => {
  // A name that needs quotes, as an operator may choose one.
  const schema = `t${process.pid}-Migrate`;
  const open = () => openPostgres({ url: inject('postgresUrl'), schema, poolSize: 2 });
  const pools = [open(), open(), open(), open()];
  afterAll(async () => {
    await pools[0]!.script(`drop schema if exists ${quoteIdentifier(schema)} cascade`);
    for (const pool of pools) await pool.close();
  });

  test('take turns: all find the newest tables, none meets half of them', async () => {
    await Promise.all(pools.map((pool) => migrate(pool)));
    const found = await Promise.all(pools.map(objects));
    for (const names of found) expect(names).toEqual(found[0]);
    expect(await applied(pools[0]!)).toHaveLength(files.length);
  });

  test('leave no lock and no setting behind', async () => {
    const one = pools[0]!;
    await migrate(one);
    const { rows } = await one.query(
      `select count(*) as locks, current_setting('lock_timeout') as timeout from pg_locks
        where locktype = 'advisory' and objid = 7305001`,
    );
    expect(rows).toEqual([{ locks: 0, timeout: '0' }]);
  });
});
