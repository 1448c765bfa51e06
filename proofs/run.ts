import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Proof } from './proof.ts';
import { openStage } from './proof.ts';

/** `npm run prove -- NAME [--seed N] [--quick]`: runs one proof; status 0 proved, 1 not, 2 no such proof. */
const folder = import.meta.dirname;
const frame = new Set(['run', 'proof']);
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => file.slice(0, -3))
  .filter((name) => !frame.has(name));

const [name, ...rest] = process.argv.slice(2);
if (!name || !names.includes(name)) {
  process.stderr.write(`${name ? `there is no proof '${name}'` : 'which proof?'} There are: ${names.join(', ')}\n`);
  process.exit(2);
}
const seedAt = rest.indexOf('--seed');
const seed = seedAt >= 0 ? Number(rest[seedAt + 1]) : Math.floor(Math.random() * 2 ** 31);
const { proof } = (await import(join(folder, `${name}.ts`))) as { proof: Proof };
process.stdout.write(`${name}: ${proof.claim}\nseed ${seed}${rest.includes('--quick') ? ' (quick)' : ''}\n`);
const began = performance.now();
const stage = openStage(seed, rest);
let proved = false;
try {
  await proof.run(stage);
  proved = stage.failures.length === 0;
} catch (error) {
  stage.failures.push(String(error instanceof Error ? (error.stack ?? error.message) : error));
} finally {
  await stage.close();
}
for (const failure of stage.failures.slice(0, 20)) process.stdout.write(`  not so: ${failure}\n`);
const seconds = ((performance.now() - began) / 1000).toFixed(1);
process.stdout.write(`${proved ? 'PROVED' : 'NOT PROVED'} ${name} in ${seconds} s, seed ${seed}\n`);
process.exit(proved ? 0 : 1);
