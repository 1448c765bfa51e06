import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * Makes `dist/` for `npm pack`: Node.js strips types in a repository but refuses to below `node_modules`. Types become
 * spaces, so lines and columns stay those of the source.
 */
const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
rmSync(dist, { recursive: true, force: true });
let modules = 0;
for (const file of readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })) {
  if (file.endsWith('.test.ts')) continue;
  const from = join(root, 'src', file);
  if (!file.endsWith('.ts')) {
    if (/\.(sql|json)$/.test(file)) cpSync(from, join(dist, file));
    continue;
  }
  const to = join(dist, file.replace(/\.ts$/, '.js'));
  mkdirSync(dirname(to), { recursive: true });
  const code = stripTypeScriptTypes(readFileSync(from, 'utf8'));
  writeFileSync(to, code.replace(/((?:from|import)\s*\(?\s*'\.{1,2}\/[^']*)\.ts'/g, "$1.js'"));
  modules += 1;
}
process.stdout.write(`dist: ${modules} modules\n`);
