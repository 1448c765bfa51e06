import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openQueue } from '../../src/jobs/queue.ts';
import { openEmbedded } from '../../src/storage/embedded.ts';
import { migrate } from '../../src/storage/migrate.ts';
import { startPostgres } from './postgres-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string;
    /** A dump of a prepared embedded database, to load into memory. */
    embeddedSeed: string;
    /** The same as a data folder, to copy. */
    embeddedFolder: string;
  }
}

/**
 * One PostgreSQL server for the whole run, and one prepared embedded database that test files take a copy of. Both
 * belong to this run alone: two runs at once do not see each other.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const starting = startPostgres(['-c', 'fsync=off', '-c', 'full_page_writes=off']);
  const home = mkdtempSync(join(tmpdir(), 'signalbox-seed-'));
  const seed = join(home, 'seed.tar');
  const folder = join(home, 'data');
  const database = await openEmbedded({ schema: 'signalbox', folder });
  await migrate(database);
  await (await openQueue(database, { workers: false })).stop();
  writeFileSync(seed, Buffer.from(await (await database.pglite.dumpDataDir('none')).arrayBuffer()));
  await database.close();
  const server = await starting;
  project.provide('postgresUrl', server.url);
  project.provide('embeddedSeed', seed);
  project.provide('embeddedFolder', folder);
  return async () => {
    await server.stop();
    rmSync(home, { recursive: true, force: true });
  };
}
