import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readFloors } from './floors.ts';

const repository = join(import.meta.dirname, '..');
const planted = join(repository, '.signalbox/planted-floors');

const sources = readdirSync(join(repository, 'src'), { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
);

describe('the floors of the house', () => {
  afterAll(() => rmSync(planted, { recursive: true, force: true }));

  test('no room uses what lies above or beside it, and every module was seen', async () => {
    const { modules, dependencies, violations } = await readFloors('src');
    expect(violations).toEqual([]);
    expect(modules).toBe(sources.length);
    expect(dependencies).toBeGreaterThan(modules);
  });

  test('an import that goes up, and one that goes sideways, are found', async () => {
    for (const room of ['core', 'jobs', 'answers', 'radar']) mkdirSync(join(planted, room), { recursive: true });
    writeFileSync(join(planted, 'core/low.ts'), `import { high } from '../jobs/high.ts';\nexport const low = high;\n`);
    writeFileSync(join(planted, 'jobs/high.ts'), 'export const high = 1;\n');
    writeFileSync(
      join(planted, 'answers/one.ts'),
      `import type { Two } from '../radar/two.ts';\nexport type One = Two;\n`,
    );
    writeFileSync(join(planted, 'radar/two.ts'), 'export type Two = 2;\n');
    const { violations } = await readFloors(relative(repository, planted));
    expect(violations).toHaveLength(2);
    expect(violations.join('\n')).toContain('core stands on floor');
    expect(violations.join('\n')).toContain('answers stands on floor');
  });
});

describe('the code', () => {
  test('keeps its files under 400 lines and its rooms free of grab-bags', () => {
    const long = sources.filter((file) => readFileSync(join(repository, 'src', file), 'utf8').split('\n').length > 400);
    expect(long).toEqual([]);
    expect(sources.filter((file) => /(^|\/)(utils?|helpers?|common|manager|misc)(\.ts|\/)/.test(file))).toEqual([]);
  });

  test('runs on the Node.js that it needs', () => {
    expect(Number(process.versions.node.split('.')[0])).toBeGreaterThanOrEqual(24);
  });
});
