import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { type EmbeddedDatabase, openEmbedded } from './embedded.ts';
import { FOLDER_LOCKED, lockFolder, readHolder } from './folder-lock.ts';
import { tidyWhenIdle } from './tidy.ts';

const home = mkdtempSync(join(tmpdir(), 'signalbox-embedded-'));
const seed = () => new Blob([readFileSync(inject('embeddedSeed'))]);
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe('house-keeping', () => {
  let database: EmbeddedDatabase;
  beforeAll(async () => {
    database = await openEmbedded({ schema: 'public', seed: seed() });
    await database.script('create table heap (n integer, filler text)');
    await database.query(`insert into heap select n, repeat('x', 100) from generate_series(1, 5000) n`);
    await database.query('delete from heap where n > 10');
  });
  afterAll(() => database.close());

  const look = async () => {
    const { rows } = await database.query<{ pages: number; counted: number; columns: number; checkpoint: string }>(
      `select pg_relation_size('heap') / 8192 as pages, reltuples as counted,
              (select count(*) from pg_stats where tablename = 'heap') as columns,
              (select checkpoint_lsn::text from pg_control_checkpoint()) as checkpoint
         from pg_class where relname = 'heap'`,
    );
    return rows[0]!;
  };

  test('is put off while somebody is at work', async () => {
    const before = await look();
    expect(database.idleFor(60_000)).toBe(false);
    expect(await tidyWhenIdle(database, 60_000)).toBe(false);
    expect(await look()).toEqual(before);
    expect(before.pages).toBeGreaterThan(50);
  });

  test('frees dead rows, counts the living and writes a checkpoint when nobody is', async () => {
    const before = await look();
    expect(database.idleFor(0)).toBe(true);
    expect(await tidyWhenIdle(database, 0)).toBe(true);
    const after = await look();
    expect(after.pages).toBe(1);
    expect(after.counted).toBe(10);
    expect(after.columns).toBe(2);
    expect(after.checkpoint).not.toBe(before.checkpoint);
  });

  test('counts every way in as work', async () => {
    const ways: (() => Promise<unknown>)[] = [
      () => database.query('select 1'),
      () => database.script('select 1'),
      () => database.transaction(async () => {}),
      () => Promise.resolve(database.orm.execute('select 1')),
      () => database.pglite.query('select 1'),
    ];
    let now = Math.ceil(performance.now());
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
    for (const way of ways) {
      now += 5_000;
      expect(database.idleFor(5_000)).toBe(true);
      await way();
      expect(database.idleFor(1)).toBe(false);
    }
    clock.mockRestore();
  });
});

describe('a data folder', () => {
  const folder = join(home, 'data');

  test('is held from open to close, and keeps what was written', async () => {
    const database = await openEmbedded({ schema: 'public', folder, seed: seed() });
    expect(readHolder(folder)?.pid).toBe(process.pid);
    await expect(openEmbedded({ schema: 'public', folder })).rejects.toMatchObject({ code: FOLDER_LOCKED });
    await database.script('create table kept (n integer); insert into kept values (7)');
    await Promise.all([database.close(), database.close()]);
    expect(readHolder(folder)).toBeNull();

    const again = await openEmbedded({ schema: 'public', folder });
    expect((await again.query('select n from kept')).rows).toEqual([{ n: 7 }]);
    await again.close();
    expect(readdirSync(folder)).toEqual(['database']);
  });

  test('is let go when it cannot be opened', async () => {
    const broken = join(home, 'broken');
    await expect(openEmbedded({ schema: 'public', folder: broken, seed: new Blob(['no archive']) })).rejects.toThrow();
    expect(readHolder(broken)).toBeNull();
    lockFolder(broken).release();
  });
});
