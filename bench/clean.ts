import { expectRows, runDbos } from './line/turns.ts';
import { alternate, type Turn } from './measure/alternate.ts';
import { runContender } from './measure/contender.ts';
import type { Options } from './measure/options.ts';
import { figure, median, verdict } from './measure/report.ts';
import type { CleaningRun, CleaningSettings } from './measure/runs.ts';
import { type Ground, settleServer, withServer } from './measure/server.ts';
import { printStatements } from './measure/statements.ts';

const TARGET = 10;
const CLEAN = 'cleaning, one process';
const STARTED = 'DBOS, 50 started at once';
const QUEUED = 'DBOS, queued, 50 at once';

/**
 * Stored answers of 2 KB, half Chinese, half English, with lists and tables: claimed, read, measured, written with
 * results, hits, history and run. Against DBOS Transact workflows of five steps that do nothing.
 */
export async function clean(options: Options): Promise<boolean> {
  const { quick, repetitions, items = quick ? 1_000 : 5_000, profile } = options;
  const workflows = Math.max(100, Math.round(items / 5));
  const runs: CleaningRun[] = [];
  return withServer(async (ground) => {
    console.log(`${items} answers, ${workflows} workflows (DBOS)\n`);
    const result = await alternate(repetitions, {
      [CLEAN]: async (n) => {
        const run = await runCleaning(ground, `clean_${n}`, items, profile && n === 0);
        runs.push(run);
        return run;
      },
      [STARTED]: (n) => runDbos(ground, `started_${n}`, 'started', workflows),
      [QUEUED]: (n) => runDbos(ground, `queued_${n}`, 'queued', workflows),
    });
    result.print();
    if (profile) printStatements(runs[0]!.statements, items);
    const bytes = runs[0]!.bytes;
    const perSecond = items / (median(runs.map((run) => run.textMs)) / 1000);
    const megabytes = (perSecond * bytes) / 1e6;
    console.log(
      `\nan answer has ${figure(bytes)} bytes and ${figure(runs[0]!.hits)} hits; ` +
        `the text work alone: ${figure(perSecond)} answers/s, ${figure(megabytes)} MB/s`,
    );
    return verdict('clean', result.ratio(CLEAN, STARTED, QUEUED), TARGET, 'stored answers cleaned / faster DBOS');
  });
}

async function runCleaning(ground: Ground, name: string, items: number, profile: boolean): Promise<CleaningRun & Turn> {
  await settleServer(ground);
  const settings: CleaningSettings = { ...ground, schema: `${ground.prefix}${name}`, items, warmUp: 500, profile };
  const run = await runContender<CleaningRun>('cleaning.ts', settings);
  expectRows(run.rows, { done: items, results: items });
  const accepted = Math.round((items / run.postMs) * 1000).toLocaleString('en-US');
  const whole = Math.round((items / (run.postMs + run.ms)) * 1000).toLocaleString('en-US');
  return { ...run, items, remark: `accepted before at ${accepted}/s; accepted and cleaned ${whole}/s` };
}
