import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, inject } from 'vitest';
import { type AnyDatabase, openQueue, type Queue } from '../../src/jobs/queue.ts';
import { openEmbedded } from '../../src/storage/embedded.ts';
import { migrate } from '../../src/storage/migrate.ts';
import { openPostgres } from '../../src/storage/postgres.ts';
import { quoteIdentifier } from '../../src/storage/quote.ts';

export interface Ground {
  readonly database: AnyDatabase;
  /** A queue that only enqueues and completes; workers open their own. */
  readonly queue: Queue;
}

let schemas = 0;

/** Opens a migrated database of the kind, empty, for one test file. */
export async function openGround(
  kind: 'pglite' | 'postgres',
  poolSize = 4,
): Promise<Ground & { close(): Promise<void> }> {
  const schema = kind === 'pglite' ? 'signalbox' : `t${process.pid}_${Date.now().toString(36)}_${schemas++}`;
  const database =
    kind === 'pglite'
      ? await openEmbedded({ schema, seed: new Blob([readFileSync(inject('embeddedSeed'))]) })
      : openPostgres({ url: inject('postgresUrl'), schema, poolSize });
  await migrate(database);
  const queue = await openQueue(database, { workers: false, poolSize: Math.min(poolSize, 2) });
  return {
    database,
    queue,
    close: async () => {
      await queue.stop({ graceful: false });
      if (kind === 'postgres') {
        await database.script(
          `drop schema ${quoteIdentifier(schema)} cascade; drop schema ${quoteIdentifier(`${schema}_jobs`)} cascade`,
        );
      }
      await database.close();
    },
  };
}

/** Runs the same tests on the embedded database and on PostgreSQL. */
export function onBothDatabases(name: string, tests: (ground: () => Ground, kind: AnyDatabase['kind']) => void): void {
  for (const kind of ['pglite', 'postgres'] as const) {
    describe(`${name} on ${kind}`, () => {
      let ground: Awaited<ReturnType<typeof openGround>>;
      beforeAll(async () => {
        ground = await openGround(kind);
      });
      afterAll(() => ground.close());
      tests(() => ground, kind);
    });
  }
}
