import { openPostgres } from '../src/storage/postgres.ts';
import { quoteIdentifier } from '../src/storage/quote.ts';
import { loadFinished } from './line/load-finished.ts';
import { runLine } from './line/turns.ts';
import { alternate } from './measure/alternate.ts';
import type { Options } from './measure/options.ts';
import { verdict } from './measure/report.ts';
import { type Ground, settleServer, withServer } from './measure/server.ts';

const TARGET = 0.8;
const FULL = 'beside finished items';
const EMPTY = 'empty tables';

/** Whether items go through as fast when a million others have gone before them. */
export async function finished(options: Options): Promise<boolean> {
  const { quick, repetitions, items = quick ? 2_000 : 10_000, rows = quick ? 50_000 : 1_000_000 } = options;
  return withServer(async (ground) => {
    const began = performance.now();
    await loadFinished(ground.url, `${ground.prefix}full`, rows);
    await settleServer(ground);
    const seconds = ((performance.now() - began) / 1000).toFixed(0);
    const count = (n: number) => n.toLocaleString('en-US');
    console.log(
      `${count(rows)} finished items, ${count(rows * 6)} journal rows, ${count(rows)} runs (loaded in ${seconds} s, never analysed)`,
    );
    console.log(`${count(items)} items a repetition, walk (one claim, five edges)\n`);
    const result = await alternate(repetitions, {
      [FULL]: async () => {
        await dropQueue(ground, `${ground.prefix}full`);
        return runLine(ground, 'full', 'walk', items, { prepared: true });
      },
      [EMPTY]: (n) => runLine(ground, `empty_${n}`, 'walk', items),
    });
    result.print();
    console.log();
    return verdict('finished', result.ratio(FULL, EMPTY), TARGET, `${FULL} / ${EMPTY}`);
  });
}

/** Both sides begin each repetition with a queue that nothing has gone through yet. */
async function dropQueue({ url }: Ground, schema: string): Promise<void> {
  const database = openPostgres({ url, schema, poolSize: 1 });
  try {
    await database.script(`drop schema if exists ${quoteIdentifier(`${schema}_jobs`)} cascade`);
  } finally {
    await database.close();
  }
}
