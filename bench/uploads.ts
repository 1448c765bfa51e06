import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMockModel } from '../src/models/mock/index.ts';
import { openPostgres } from '../src/storage/postgres.ts';
import type { Options } from './measure/options.ts';
import { figure, median, printTable } from './measure/report.ts';
import { type Ground, withServer } from './measure/server.ts';
import { startHouse, startWorker } from './measure/start-house.ts';
import { countDone, editTypes, fill, say, startBatch, timeUploads, untilQuiet } from './measure/uploading.ts';

const MOST = 2;
const CAP = 4;
const CALL_MS = 200;
/** Time from one upload to the next. */
const PACE_MS = 300;
/** Documents of the batch for each upload: more than are done meanwhile. */
const ARCHIVE = 5;
const WARM_UP = 10;

/**
 * How long an upload takes from its POST until it is ready, at a steady pace, in an idle house and in one that classifies
 * hundreds of documents anew: with a model of 200 ms a call, four at once. An upload takes two calls and so does a document
 * of the batch, which alone would use all of the model. Once with one process, once with a second one of workers.
 */
export async function uploads({ quick, repetitions, items = quick ? 20 : 100 }: Options): Promise<boolean> {
  return withServer(async (ground) => {
    console.log(
      `${items} uploads, one each ${PACE_MS} ms; ${CALL_MS} ms a call, ${CAP} at once; a batch over ${items * ARCHIVE} documents\n`,
    );
    const medians = [];
    for (const processes of [1, 2]) medians.push(await compare(ground, processes, repetitions, items));
    const [idle, busy, ratio] = medians.toSorted((a, b) => b[2]! - a[2]!)[0] as [number, number, number];
    const passed = ratio <= MOST;
    console.log(
      `\n${passed ? 'PASS' : 'FAIL'} uploads: ${ratio.toFixed(2)}× (target ≤ ${MOST}×), POST to ready beside a batch / in an idle house: ${figure(busy)} / ${figure(idle)} ms`,
    );
    return passed;
  });
}

/** @returns the medians over the repetitions: idle, beside a batch (milliseconds), their ratio within a repetition */
async function compare(
  { url, prefix }: Ground,
  processes: number,
  repetitions: number,
  items: number,
): Promise<number[]> {
  await using mock = await startMockModel();
  const schema = `${prefix}uploads_${processes}`;
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
  const env = {
    DATABASE_URL: url,
    SIGNALBOX_SCHEMA: schema,
    SIGNALBOX_FILES: join(folder, 'files'),
    OPENAI_BASE_URL: mock.url,
    SIGNALBOX_MODEL: 'mock',
    SIGNALBOX_MODEL_CONCURRENCY: String(CAP),
  };
  const database = openPostgres({ url, schema, poolSize: 2 });
  const house = await startHouse(folder, env);
  const workers = await Promise.all(Array.from({ length: processes - 1 }, () => startWorker(env)));
  const time = (what: string, count: number) => timeUploads(house, database, what, count, PACE_MS);
  try {
    await editTypes(house, 'first');
    await say(mock, 0);
    await fill(house, database, items * ARCHIVE);
    await say(mock, CALL_MS);
    await time('warm-up', WARM_UP);
    const rows: number[][] = [];
    for (let n = 0; n < repetitions; n += 1) {
      const idle = await time(`idle ${n}`, items);
      mock.log.reset();
      await editTypes(house, `edition ${n}`);
      const batch = await startBatch(house, database);
      const before = await countDone(database, batch);
      const busy = await time(`beside ${n}`, items);
      const done = (await countDone(database, batch)) - before;
      const { state } = await house.call<{ state: string }>('POST', `/replay/${batch}/cancel`);
      if (state !== 'cancelled') throw new Error(`the batch was ${state} before the last upload`);
      await untilQuiet(database);
      const { max_in_flight: most } = mock.log.stats();
      rows.push([median(idle), median(busy), median(busy) / median(idle), p90(idle), p90(busy), done, most]);
    }
    const medians = rows[0]!.map((_, column) => median(rows.map((row) => row[column]!)));
    printTable(
      [
        `${processes} process${processes > 1 ? 'es' : ''}`,
        'idle ms',
        'beside ms',
        'ratio',
        'idle p90',
        'beside p90',
        'done of it',
        'at once',
      ],
      [...rows.map((row, n) => [`repetition ${n + 1}`, ...row]), ['median', ...medians]],
    );
    return medians;
  } finally {
    for (const worker of workers) await worker.stop();
    await house.stop();
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const p90 = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.9)]!;
