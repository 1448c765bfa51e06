import { cpus } from 'node:os';
import { openPostgres } from '../../src/storage/postgres.ts';
import { quoteIdentifier } from '../../src/storage/quote.ts';
import { startPostgres } from '../../test/harness/postgres-server.ts';
import { findPostmaster } from './server-cpu.ts';

/** The server that all contenders of a run share. */
export interface Ground {
  readonly url: string;
  /** Its first process, where its processor time can be read. */
  readonly postmaster: number | null;
  /** Begins the name of every schema and database of this run. */
  readonly prefix: string;
}

/**
 * One real server for the whole run: default settings, fsync on. `SIGNALBOX_TEST_POSTGRES` names another; what the run
 * made there is dropped.
 */
export async function withServer<T>(work: (ground: Ground) => Promise<T>): Promise<T> {
  const server = await startPostgres();
  const ground = { url: server.url, postmaster: await printGround(server.url), prefix: `b${Date.now().toString(36)}_` };
  try {
    return await work(ground);
  } finally {
    if (process.env.SIGNALBOX_TEST_POSTGRES) await dropAll(ground);
    await server.stop();
  }
}

async function dropAll({ url, prefix }: Ground): Promise<void> {
  const database = openPostgres({ url, schema: 'public', poolSize: 1 });
  try {
    const { rows } = await database.query<{ kind: string; name: string }>(
      `select 'schema' as kind, nspname::text as name from pg_namespace where starts_with(nspname, $1)
       union all select 'database', datname::text from pg_database where starts_with(datname, $1)`,
      [prefix],
    );
    for (const { kind, name } of rows) {
      await database.script(`drop ${kind} ${quoteIdentifier(name)} ${kind === 'schema' ? 'cascade' : 'with (force)'}`);
    }
  } finally {
    await database.close();
  }
}

/** What the figures were measured on; without it they mean nothing. */
async function printGround(url: string): Promise<number | null> {
  const database = openPostgres({ url, schema: 'public', poolSize: 1 });
  try {
    const { rows } = await database.query<{ name: string; setting: string }>(
      `select name, setting from pg_settings where name in ('server_version', 'fsync', 'synchronous_commit')`,
    );
    const setting = Object.fromEntries(rows.map(({ name, setting: value }) => [name, value]));
    console.log(
      `${hardware()}, PostgreSQL ${setting.server_version}, fsync ${setting.fsync}, synchronous_commit ${setting.synchronous_commit}`,
    );
    return await findPostmaster(database);
  } finally {
    await database.close();
  }
}

export function hardware(): string {
  const processors = cpus();
  return `${processors.length} × ${processors[0]?.model.trim() ?? 'unknown processor'}, Node ${process.versions.node}`;
}

/**
 * Writes dirty pages out before a measurement, so that nobody pays for what another one left behind.
 */
export async function settleServer({ url }: Ground): Promise<void> {
  const database = openPostgres({ url, schema: 'public', poolSize: 1 });
  try {
    await database.query('checkpoint');
  } finally {
    await database.close();
  }
}
