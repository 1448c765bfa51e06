import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openQueue, type Queue } from '../../src/jobs/queue.ts';
import { definePool } from '../../src/jobs/slots.ts';
import { createQueues } from '../../src/jobs/worker.ts';
import { migrate } from '../../src/storage/migrate.ts';
import { openPostgres, type PostgresDatabase } from '../../src/storage/postgres.ts';
import { askingStage, POOL, testModel } from '../../test/harness/asking-stage.ts';
import { PARCEL_TABLES } from '../../test/harness/parcel.ts';
import type { ProofStage } from '../proof.ts';

/** A database with a model-bound stage and its limit, and worker processes on it. */
export async function openAskingHouse(
  stage: ProofStage,
  modelUrl: string,
  settings: {
    readonly cap: number;
    readonly processes: number;
    readonly claimers: number;
    readonly heartbeatSeconds?: number;
  },
): Promise<{ database: PostgresDatabase; queue: Queue; workers: ChildProcess[]; close(): Promise<void> }> {
  const { url } = await stage.postgres();
  const database = openPostgres({ url, schema: 'signalbox', poolSize: 4 });
  await migrate(database);
  await database.script(PARCEL_TABLES);
  const queue = await openQueue(database, { workers: false });
  const { stage: asking, slots } = askingStage(database, testModel(modelUrl), 'proof', settings.claimers, () => {});
  await createQueues(queue, asking, settings.heartbeatSeconds);
  await definePool(database, { name: POOL, cap: settings.cap });
  const workers: ChildProcess[] = [];
  for (let n = 0; n < settings.processes; n += 1) {
    const env = { DATABASE_URL: url, MODEL_URL: modelUrl, CLAIMERS: String(settings.claimers) };
    const worker = stage.start('proofs/workers/asking-worker.ts', [], env);
    await once(worker.stdout!, 'data');
    workers.push(worker);
  }
  return {
    database,
    queue,
    workers,
    close: async () => {
      await slots.close();
      await queue.stop({ graceful: false });
      await database.close();
    },
  };
}
