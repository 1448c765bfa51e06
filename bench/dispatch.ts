import { parseBrands } from '../src/answers/brands.ts';
import { cleanStage } from '../src/answers/pipeline.ts';
import { reCleanAction } from '../src/answers/replay.ts';
import { uuid7 } from '../src/core/ids.ts';
import { openQueue } from '../src/jobs/queue.ts';
import { createQueues, startStageWorker } from '../src/jobs/worker.ts';
import { startBatch } from '../src/replay/batches.ts';
import { dispatchStage, PAGE } from '../src/replay/dispatch.ts';
import { migrate } from '../src/storage/migrate.ts';
import { openPostgres, type PostgresDatabase } from '../src/storage/postgres.ts';
import { loadSamples } from './line/load-samples.ts';
import type { Options } from './measure/options.ts';
import { figure, median, printTable } from './measure/report.ts';
import { settleServer, withServer } from './measure/server.ts';

const MOST_GROWTH = 1.2;
/** So many pages at the beginning and at the end are compared, and as many in between shown. */
const COMPARED = 50;
const MEGABYTE = 1 << 20;

interface Page {
  readonly ms: number;
  readonly heap: number;
}

/**
 * A replay over a million answers, dispatched without a stop: nobody works on its jobs, so that what is measured is the
 * dispatcher's own transaction (a thousand jobs, the cursor, its run, its next claim), the last pages against the first.
 */
export async function dispatch({ quick, rows = quick ? 50_000 : 1_000_000 }: Options): Promise<boolean> {
  return withServer(async (ground) => {
    const database = openPostgres({ url: ground.url, schema: `${ground.prefix}dispatch` });
    try {
      await migrate(database);
      await loadSamples(database, rows);
      await settleServer(ground);
      console.log(`${rows.toLocaleString('en-US')} ids, ${PAGE.toLocaleString('en-US')} a page, never analysed\n`);
      const pages = await dispatchAll(database, rows);
      const compared = Math.min(COMPARED, Math.floor(pages.length / 4));
      const middle = (pages.length - compared) >> 1;
      const parts = {
        first: pages.slice(0, compared),
        middle: pages.slice(middle, middle + compared),
        last: pages.slice(-compared),
      };
      printTable(
        [`${compared} pages`, 'ms a transaction', 'slowest, ms', 'heap, MB'],
        Object.entries(parts).map(([part, some]) => [
          part,
          median(some.map(({ ms }) => ms)),
          Math.max(...some.map(({ ms }) => ms)),
          median(some.map(({ heap }) => heap)) / MEGABYTE,
        ]),
      );
      const [first, last] = [parts.first, parts.last].map((some) => median(some.map(({ ms }) => ms))) as [
        number,
        number,
      ];
      const growth = last / first;
      const heap = median(parts.last.map((page) => page.heap)) / median(parts.first.map((page) => page.heap));
      const passed = growth <= MOST_GROWTH;
      console.log(
        `\n${passed ? 'PASS' : 'FAIL'} dispatch: ${growth.toFixed(2)}× (target ≤ ${MOST_GROWTH}×), last pages / first; heap ${figure(heap)}×`,
      );
      return passed;
    } finally {
      await database.close();
    }
  });
}

async function dispatchAll(database: PostgresDatabase, rows: number): Promise<Page[]> {
  const queue = await openQueue(database, { workers: true });
  const readRaw = async () => new Map();
  const brands = async () => ({ version: 0, compiled: parseBrands([]) });
  // Nobody works on the jobs: it is not to wait for them.
  const stage = { ...cleanStage({ brands, readRaw }), concurrency: rows };
  const action = reCleanAction({ readRaw, stage });
  const deps = { database, boss: queue.boss, jobsSchema: `${database.schema}_jobs`, newId: () => uuid7() };
  const dispatcher = dispatchStage({ ...deps, actions: [action] });
  for (const one of [stage, dispatcher]) await createQueues(queue, one);
  const order = { scope: { all: true as const }, mode: action.modes[0]!, includeHuman: false, confirmCascade: true };
  await startBatch(deps, { ...order, action, force: false, startedBy: 'bench' });

  const pages: Page[] = [];
  const { promise: over, resolve, reject } = Promise.withResolvers<void>();
  let began = 0;
  await startStageWorker(dispatcher, {
    ...{ database, queue, worker: 'bench', clockMs: () => performance.now(), nowMs: Date.now, random: Math.random },
    newId: () => uuid7(),
    at: async (point) => {
      if (point === 'settle.begun') began = performance.now();
    },
    onSettled: (_, { accepted = 0 }) => {
      if (accepted) pages.push({ ms: performance.now() - began, heap: process.memoryUsage().heapUsed });
      if (pages.length * PAGE >= rows) resolve();
    },
    onError: (error) => reject(error as Error),
  });
  await over;
  await queue.stop({ graceful: false });
  return pages;
}
