import { uuid7 } from '../../src/core/ids.ts';
import { openQueue } from '../../src/jobs/queue.ts';
import { startStageWorker } from '../../src/jobs/worker.ts';
import { openPostgres } from '../../src/storage/postgres.ts';
import { askingStage, testModel } from '../../test/harness/asking-stage.ts';
import type { AskingNews, AskingSettings } from '../measure/runs.ts';

/** One worker process on a model-bound stage, set as in production; it tells of each claim and settlement. */
process.once('message', async (settings: AskingSettings) => {
  const worker = `bench-${process.pid}`;
  const fail = (error: unknown) => {
    console.error(error);
    process.exit(1);
  };
  const database = openPostgres({ url: settings.url, schema: settings.schema });
  const queue = await openQueue(database, { workers: true, onError: fail });
  const model = testModel(settings.modelUrl);
  const { stage, slots } = askingStage(database, model, worker, settings.claimers, fail);
  await startStageWorker(stage, {
    database,
    queue,
    worker,
    clockMs: () => performance.now(),
    nowMs: Date.now,
    random: Math.random,
    newId: () => uuid7(),
    onError: fail,
    at: (point, { length }) => {
      if (point === 'claimed') tell('claimed', length);
    },
    onSettled: (_stage, { accepted = 0, ...others }) => {
      if (Object.keys(others).length) fail(new Error(`not accepted: ${JSON.stringify(others)}`));
      tell('settled', accepted);
    },
  });
  tell('ready', 0);
  await new Promise((resolve) => process.once('message', resolve));
  await queue.stop();
  await slots.close();
  await database.close();
  process.disconnect();
});

function tell(what: AskingNews['what'], items: number): void {
  const { user, system } = process.cpuUsage();
  // The monotonic clock of the machine, which all of its processes read alike.
  const atMs = Number(process.hrtime.bigint() / 1000n) / 1000;
  process.send?.({ what, items, atMs, cpuMs: (user + system) / 1000 } satisfies AskingNews);
}
