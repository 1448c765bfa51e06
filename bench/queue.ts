import { expectRows, runLine } from './line/turns.ts';
import { alternate, type Turn } from './measure/alternate.ts';
import { runContender } from './measure/contender.ts';
import type { Options } from './measure/options.ts';
import { verdict } from './measure/report.ts';
import type { QueueRun, QueueSettings } from './measure/runs.ts';
import { type Ground, settleServer, withServer } from './measure/server.ts';
import { printStatements } from './measure/statements.ts';

const TARGET = 0.5;
const WALK = 'walk (post, claim, five edges, settle)';
const BOSS = 'pg-boss (insert, fetch, complete)';

/**
 * An item that is posted, walks five edges in one claim and settles with journal and run, against one empty job that
 * pg-boss inserts, fetches and completes; both a hundred at a time, four at once, in tables that nobody analysed (for
 * pg-boss that made no difference: 305 µs of processor a job, 295 when its table was analysed before the fetching).
 */
export async function queue(options: Options): Promise<boolean> {
  const { quick, repetitions, items = quick ? 3_000 : 20_000, profile } = options;
  return withServer(async (ground) => {
    console.log(`${items} items, ${items} jobs, a hundred at a time\n`);
    const result = await alternate(repetitions, {
      [WALK]: (n) => runLine(ground, `walk_${n}`, 'walk', items),
      [BOSS]: (n) => runBoss(ground, `boss_${n}`, items),
    });
    result.print();
    if (profile) {
      const { statements } = await runLine(ground, 'profile', 'walk', items, { profile });
      printStatements(statements, items);
    }
    console.log();
    return verdict('queue', result.ratio(WALK, BOSS), TARGET, 'walk / pg-boss, from first posted to last done');
  });
}

async function runBoss(ground: Ground, name: string, items: number): Promise<Turn> {
  await settleServer(ground);
  const settings: QueueSettings = { ...ground, schema: `${ground.prefix}${name}`, items, warmUp: 500 };
  const run = await runContender<QueueRun>('pg-boss.ts', settings);
  expectRows(run.rows, { done: items });
  const perSecond = (ms: number) => Math.round((items / ms) * 1000).toLocaleString('en-US');
  return { ...run, items, remark: `inserted ${perSecond(run.postMs)}/s, taken ${perSecond(run.ms - run.postMs)}/s` };
}
