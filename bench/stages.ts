import { runDbos, runLine } from './line/turns.ts';
import { alternate } from './measure/alternate.ts';
import type { Options } from './measure/options.ts';
import { verdict } from './measure/report.ts';
import { withServer } from './measure/server.ts';
import { printStatements } from './measure/statements.ts';

const TARGET = 20;
const WALK = 'walk (one claim, five edges)';
const RELAY = 'relay (five claims)';
const STARTED = 'DBOS, 50 started at once';
const QUEUED = 'DBOS, queued, 50 at once';

/**
 * Five durable empty stages an item, with moves, journal and runs, against DBOS Transact workflows of five empty
 * steps. Two shapes of ours: one claim walks all five edges (five journal rows with their own times, one run), or five
 * stages hand the item on (five claims, runs and jobs). Both of DBOS's ways are measured, and the faster one counts.
 */
export async function stages(options: Options): Promise<boolean> {
  const { quick, repetitions, items = quick ? 2_000 : 10_000, profile } = options;
  const relayed = Math.max(200, items / 5);
  const workflows = Math.max(100, items / 10);
  return withServer(async (ground) => {
    console.log(
      `${items} items (walk), ${relayed} (relay), ${workflows} workflows (DBOS); from first posted to last done\n`,
    );
    const result = await alternate(repetitions, {
      [WALK]: (n) => runLine(ground, `walk_${n}`, 'walk', items),
      [STARTED]: (n) => runDbos(ground, `started_${n}`, 'started', workflows),
      [RELAY]: (n) => runLine(ground, `relay_${n}`, 'relay', relayed),
      [QUEUED]: (n) => runDbos(ground, `queued_${n}`, 'queued', workflows),
    });
    result.print();
    if (profile) {
      const { statements } = await runLine(ground, 'profile', 'walk', items, { profile });
      printStatements(statements, items);
    }
    console.log(`\nrelay / faster DBOS: ${result.ratio(RELAY, STARTED, QUEUED).toFixed(2)}×`);
    return verdict('stages', result.ratio(WALK, STARTED, QUEUED), TARGET, 'walk / faster DBOS');
  });
}
