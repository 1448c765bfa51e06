import { untilSignal } from '../../src/cli/until-signal.ts';
import { uuid7 } from '../../src/core/ids.ts';
import { openQueue } from '../../src/jobs/queue.ts';
import { startStageWorker } from '../../src/jobs/worker.ts';
import { openPostgres } from '../../src/storage/postgres.ts';
import { askingStage, testModel } from '../../test/harness/asking-stage.ts';

/** A worker process on a model-bound stage. Its settings come from the environment; it says when it is ready. */
const { DATABASE_URL = '', SCHEMA = 'signalbox', MODEL_URL = '', CLAIMERS = '16' } = process.env;
const onError = (error: unknown, where = 'slots') => process.stderr.write(`${where}: ${error}\n`);
const worker = `asking-${process.pid}`;
const database = openPostgres({ url: DATABASE_URL, schema: SCHEMA, poolSize: 8 });
const queue = await openQueue(database, { workers: true, superviseSeconds: 2, poolSize: 8 });
queue.boss.on('error', (error) => onError(error, 'queue'));
const { stage, slots } = askingStage(database, testModel(MODEL_URL), worker, Number(CLAIMERS), onError);
await startStageWorker(stage, {
  database,
  queue,
  worker,
  clockMs: () => performance.now(),
  nowMs: Date.now,
  random: Math.random,
  newId: () => uuid7(),
  onError,
});
process.stdout.write('ready\n');
await untilSignal();
await queue.stop();
await slots.close();
await database.close();
