import { openQueue, type Queue } from '../src/jobs/queue.ts';
import { definePool } from '../src/jobs/slots.ts';
import { createQueues } from '../src/jobs/worker.ts';
import { type MockModel, startMockModel } from '../src/models/mock/index.ts';
import { migrate } from '../src/storage/migrate.ts';
import { openPostgres, type PostgresDatabase } from '../src/storage/postgres.ts';
import { askingStage, POOL, testModel } from '../test/harness/asking-stage.ts';
import { PARCEL_TABLES, postParcels } from '../test/harness/parcel.ts';
import { type Crew, startCrew } from './measure/crew.ts';
import type { Options } from './measure/options.ts';
import { median, printTable, verdict } from './measure/report.ts';
import { withServer } from './measure/server.ts';
import { serverCpuMs } from './measure/server-cpu.ts';

const TARGET = 0.9;
const CAP = 16;
const CALL_MS = 200;
const PROCESSES = 2;
/** Claims at once in each process: as many as the provider allows, so that one process alone can use the cap. */
const CLAIMERS = 16;

/**
 * One model call of 200 ms an item, 16 at once across two processes: how much of the time that the provider alone
 * would need is left over after claims, slots, the SDK and settlements. The provider's own log says whether the cap
 * held and how long it took itself (more than 200 ms: the machine is short of time).
 */
export async function modelBound({ quick, repetitions, items = quick ? 160 : 500 }: Options): Promise<boolean> {
  return withServer(async (ground) => {
    await using mock = await startMockModel({ script: { latency_ms: CALL_MS } });
    const schema = `${ground.prefix}model_bound`;
    const database = openPostgres({ url: ground.url, schema });
    const queue = await prepare(database, mock);
    const settings = { url: ground.url, schema, modelUrl: mock.url, claimers: CLAIMERS };
    const crew = await startCrew('asking-worker.ts', settings, PROCESSES);
    try {
      console.log(`${items} calls of ${CALL_MS} ms, ${CAP} at once, ${PROCESSES} processes × ${CLAIMERS} claimers\n`);
      // The first calls of a process load and compile the SDK.
      await round(database, queue, crew, CAP * 4);
      const ideal = (items * CALL_MS) / CAP;
      const rows: number[][] = [];
      for (let n = 0; n < repetitions; n += 1) {
        mock.log.reset();
        const server = serverCpuMs(ground.postmaster);
        const { ms, cpuMs } = await round(database, queue, crew, items);
        const { max_in_flight: most } = mock.log.stats();
        const serverMs = serverCpuMs(ground.postmaster) - server;
        rows.push([ideal, ms, ideal / ms, most, meanCallMs(mock), cpuMs / items, serverMs / items]);
      }
      const medians = rows[0]!.map((_, column) => median(rows.map((row) => row[column]!)));
      printTable(
        ['', 'ideal ms', 'real ms', 'ideal / real', 'most at once', 'a call, ms', 'worker CPU, ms', 'server CPU, ms'],
        [...rows.map((row, n) => [`repetition ${n + 1}`, ...row]), ['median', ...medians]],
      );
      const most = Math.max(...rows.map((row) => row[3]!));
      console.log(`\nthe provider saw ${most} calls at once, of ${CAP} allowed`);
      return verdict('model-bound', most > CAP ? 0 : medians[2]!, TARGET, 'ideal / real, first claim to last settle');
    } finally {
      await crew.stop();
      await queue.stop({ graceful: false });
      await database.close();
    }
  });
}

async function prepare(database: PostgresDatabase, mock: MockModel): Promise<Queue> {
  await migrate(database);
  await database.script(PARCEL_TABLES);
  const queue = await openQueue(database, { workers: false });
  const { stage } = askingStage(database, testModel(mock.url), 'bench', CLAIMERS, () => {});
  await createQueues(queue, stage);
  await definePool(database, { name: POOL, cap: CAP });
  return queue;
}

async function round(
  database: PostgresDatabase,
  queue: Queue,
  crew: Crew,
  items: number,
): Promise<{ ms: number; cpuMs: number }> {
  const watched = crew.watch(items);
  const contents = Array.from({ length: items }, (_, n) => `no. ${n}`);
  await postParcels(database, queue.boss, contents);
  return watched;
}

function meanCallMs(mock: MockModel): number {
  const calls = mock.log.entries();
  return calls.reduce((sum, call) => sum + call.ended_monotonic_ms! - call.received_monotonic_ms, 0) / calls.length;
}
