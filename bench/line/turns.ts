import type { Turn } from '../measure/alternate.ts';
import { runContender } from '../measure/contender.ts';
import type { DbosRun, DbosSettings, LineRun, LineSettings } from '../measure/runs.ts';
import { type Ground, settleServer } from '../measure/server.ts';

const WARM_UP = 500;
const DBOS_WARM_UP = 100;

/** One turn of ours in a schema of its own, or in one that was filled before. */
export async function runLine(
  ground: Ground,
  name: string,
  shape: LineSettings['shape'],
  items: number,
  options: { readonly prepared?: boolean; readonly profile?: boolean } = {},
): Promise<LineRun & Turn> {
  await settleServer(ground);
  const { prepared = false, profile = false } = options;
  const schema = `${ground.prefix}${name}`;
  const settings: LineSettings = { ...ground, schema, shape, items, warmUp: WARM_UP, prepared, profile };
  const run = await runContender<LineRun>('signalbox.ts', settings);
  expectRows(run.rows, { done: items, journal: items * 6, runs: shape === 'walk' ? items : items * 5 });
  const perSecond = (ms: number) => Math.round((items / ms) * 1000).toLocaleString('en-US');
  return { ...run, items, remark: `posted ${perSecond(run.postMs)}/s, drained ${perSecond(run.ms - run.postMs)}/s` };
}

/** One turn of DBOS Transact in a system database of its own. */
export async function runDbos(
  ground: Ground,
  name: string,
  way: DbosSettings['way'],
  items: number,
): Promise<DbosRun & Turn> {
  await settleServer(ground);
  const database = `${ground.prefix}${name}`;
  const settings: DbosSettings = { ...ground, database, items, warmUp: DBOS_WARM_UP, way };
  const run = await runContender<DbosRun>('dbos.ts', settings);
  expectRows(run.rows, { done: items, steps: items * 5 });
  return { ...run, items };
}

/** Throws when the tables do not hold what the run claims to have done. */
export function expectRows(found: Readonly<Record<string, number>>, wanted: Readonly<Record<string, number>>): void {
  for (const [what, count] of Object.entries(wanted)) {
    if (found[what] !== count) throw new Error(`${found[what]} ${what} in the tables, not ${count}`);
  }
}
