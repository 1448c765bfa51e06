import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openQueue } from '../../src/jobs/queue.ts';
import { openEmbedded } from '../../src/storage/embedded.ts';
import { migrate } from '../../src/storage/migrate.ts';
import { startPostgres } from './postgres-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string;
    embeddedSeed: string;
  }
}

/** One PostgreSQL server for the whole run, and one prepared embedded database that test files load a copy of. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres(['-c', 'fsync=off', '-c', 'full_page_writes=off']);
  project.provide('postgresUrl', server.url);
  const folder = join(import.meta.dirname, '../../node_modules/.cache/signalbox');
  mkdirSync(folder, { recursive: true });
  const seed = join(folder, 'embedded-seed.tar');
  const database = await openEmbedded({ schema: 'signalbox' });
  await migrate(database);
  await (await openQueue(database, { workers: false })).stop();
  writeFileSync(seed, Buffer.from(await (await database.pglite.dumpDataDir('none')).arrayBuffer()));
  await database.close();
  project.provide('embeddedSeed', seed);
  return () => server.stop();
}
