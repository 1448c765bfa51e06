import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { clean } from './clean.ts';
import { dispatch } from './dispatch.ts';
import { finished } from './finished.ts';
import { matcher } from './matcher.ts';
import { type Options, readOptions, USAGE } from './measure/options.ts';
import { modelBound } from './model-bound.ts';
import { queue } from './queue.ts';
import { stages } from './stages.ts';
import { uploads } from './uploads.ts';

/** A measurement: prints its table and its verdict, and says whether the target was reached. */
export type Bench = (options: Options) => Promise<boolean>;

const benches: Readonly<Record<string, { readonly about: string; readonly run: Bench }>> = {
  stages: { about: 'five durable empty stages an item, against DBOS Transact', run: stages },
  queue: { about: 'the same against one empty job of pg-boss at batch 100', run: queue },
  clean: { about: 'cleaning 2 KB answers end to end, against DBOS Transact', run: clean },
  matcher: { about: '4,000 aliases, against the fastest Aho-Corasick on npm', run: matcher },
  finished: { about: 'throughput beside 1,000,000 finished items, against empty tables', run: finished },
  dispatch: { about: 'replay dispatch of 1,000,000 ids: the last pages against the first', run: dispatch },
  'model-bound': { about: '500 model calls, 16 at once, two processes: ideal / real', run: modelBound },
  uploads: { about: 'documents uploaded while a batch runs: from POST to ready, against an idle house', run: uploads },
};

const [name, ...args] = process.argv.slice(2);
const bench = name !== undefined && Object.hasOwn(benches, name) ? benches[name] : undefined;
if (!bench) {
  if (name !== undefined) console.error(`there is no benchmark '${name}'`);
  console.error('usage: npm run bench -- NAME [options]\n');
  for (const [known, { about }] of Object.entries(benches)) console.error(`  ${known.padEnd(12)} ${about}`);
  console.error(`\n${USAGE}`);
  process.exit(2);
}
if (!existsSync(join(import.meta.dirname, 'node_modules'))) {
  console.error('the peers are not installed: npm ci --prefix bench');
  process.exit(2);
}
let options: Options;
try {
  options = readOptions(args);
} catch (error) {
  console.error(`${(error as Error).message}\n\n${USAGE}`);
  process.exit(2);
}
process.exitCode = (await bench.run(options)) ? 0 : 1;
