import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { newFolder } from '../../test/harness/data-folder.ts';
import { readBrandsFile } from './read-brands-file.ts';
import { readTasks, refuseUnreadable } from './read-tasks.ts';

let folder: string;
beforeAll(() => {
  folder = newFolder('files');
});
const write = (name: string, content: string | Buffer): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

describe('brands.yaml', () => {
  test('is read as it stands', async () => {
    const path = write(
      'good.yaml',
      'brands:\n  - { name: 豆包, aliases: [豆包, { text: DB, case_sensitive: true }] }\n',
    );
    expect(await readBrandsFile(path)).toEqual([
      { name: '豆包', aliases: ['豆包', { text: 'DB', case_sensitive: true }] },
    ]);
    expect(await readBrandsFile(write('none.yaml', 'brands: []\n'))).toEqual([]);
  });

  test.each([
    ['a field that is none', 'brands: [{ name: A, alias: [x] }]', 'answers.brands_invalid', /brand "A".*"alias"/],
    [
      'an alias that is no text',
      'brands: [{ name: A, aliases: [x, 3] }]',
      'answers.brands_invalid',
      /brand "A", aliases\[1\]: /,
    ],
    [
      'a brand without a name',
      'brands: [{ name: A }, { aliases: [x] }]',
      'answers.brands_invalid',
      /brand "#2", name: /,
    ],
    ['a name that is too long', `brands: [{ name: ${'x'.repeat(101)} }]`, 'answers.brands_invalid', /name: .*100/],
    [
      'an alias that is too long',
      `brands: [{ name: A, aliases: [${'x'.repeat(101)}] }]`,
      'answers.brands_invalid',
      /brand "A", aliases\[0\]: .*100/,
    ],
    [
      'an alias of two brands',
      'brands: [{ name: A }, { name: B, aliases: [a] }]',
      'answers.alias_collision',
      /brand "B", aliases\[0\]: "a" already belongs to brand "A"/,
    ],
    ['one brand twice', 'brands: [{ name: A }, { name: A }]', 'answers.brand_duplicate', /brand "A", name: /],
    ['a list alone', '- name: A', 'answers.brands_invalid', /expected a list under 'brands'/],
    ['nothing', '', 'answers.brands_invalid', /expected a list under 'brands'/],
    ['what is no YAML', 'brands: [\n', 'answers.brands_invalid', / line 2/],
    ['more beside the brands', 'brands: []\nrules: []', 'answers.brands_invalid', /"rules"/],
  ])('with %s is refused by file, brand and field', async (what, content, code, message) => {
    const path = write(`${what}.yaml`, content);
    const expected = { code, errorClass: 'permanent', message: expect.stringMatching(message) };
    await expect(readBrandsFile(path)).rejects.toMatchObject(expected);
    // One line that begins with the file.
    await expect(readBrandsFile(path)).rejects.toThrow(new RegExp(`^${path}: [^\\n]+$`));
  });

  test('that is not there is said to be so', async () => {
    await expect(readBrandsFile(join(folder, 'nowhere'))).rejects.toMatchObject({ code: 'cli.unreadable' });
  });
});

describe('a file of tasks', () => {
  const read = async (content: string | Buffer) => {
    const found: [number, unknown][] = [];
    let bad = 0;
    const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const path = write('tasks.jsonl', content);
    for await (const { line, task } of readTasks(path, () => {
      bad += 1;
    })) {
      found.push([line, task.a]);
    }
    expect(said.mock.calls.flat().every((text) => String(text).startsWith(`${path}:`))).toBe(true);
    said.mockRestore();
    return { found, bad };
  };

  test('has a line an object, ended by LF or CR LF, the last one by nothing', async () => {
    expect(await read('{"a":1}\n{"a":2}\r\n\r\n{"a":3}')).toEqual({
      found: [
        [1, 1],
        [2, 2],
        [4, 3],
      ],
      bad: 0,
    });
    expect(await read('')).toEqual({ found: [], bad: 0 });
    expect(await read('\n\n')).toEqual({ found: [], bad: 0 });
  });

  test('may begin with a byte order mark, and only there', async () => {
    expect(await read('\ufeff{"a":1}\n\ufeff{"a":2}\n')).toEqual({ found: [[1, 1]], bad: 1 });
  });

  test('holds the line separators of Unicode as it holds any character', async () => {
    const a = 'x\u2028y\u2029z\u0085\u000b';
    expect(await read(`${JSON.stringify({ a })}\n{"a":2}`)).toEqual({
      found: [
        [1, a],
        [2, 2],
      ],
      bad: 0,
    });
  });

  test('is read in pieces that fall inside characters and lines', async () => {
    // A piece is 64 KiB: one ends inside a character, another inside the long line.
    const long = '长'.repeat(100_000);
    const { found, bad } = await read(`{"a":"x"}\n${JSON.stringify({ a: long })}\n{"a":"y"}\n`);
    expect([found.map(([line]) => line), bad]).toEqual([[1, 2, 3], 0]);
    expect(found[1]![1]).toBe(long);
  });

  test('is refused when it is none', () => {
    mkdirSync(join(folder, 'a-folder'));
    expect(() => refuseUnreadable(join(folder, 'a-folder'))).toThrow(/is a folder/);
    expect(() => refuseUnreadable(join(folder, 'nowhere'))).toThrow(
      expect.objectContaining({ code: 'cli.unreadable' }),
    );
    expect(() => refuseUnreadable('-')).not.toThrow();
  });
});
