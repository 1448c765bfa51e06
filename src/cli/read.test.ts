import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../../test/harness/data-folder.ts';
import { makePdf } from '../../test/harness/make-documents.ts';

const folder = newFolder('read');
const write = (name: string, content: Uint8Array | string) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const main = join(import.meta.dirname, '../main.ts');
const read = (...args: string[]) => spawnSync(process.execPath, [main, 'read', ...args], { encoding: 'utf8' });

test('a line a file with --json; one file that cannot be read ends with 1 and does not stop the others', () => {
  const empty = write('empty.pdf', '');
  const good = write('good.pdf', makePdf([[{ x: 50, y: 700, text: 'Invoice 1' }], null]));
  const { status, stdout, stderr } = read('--json', empty, good);
  const [refused, done] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(refused).toEqual({ file: empty, error: { code: 'file.empty', message: 'the file is empty' } });
  expect(done).toMatchObject({
    file: good,
    type: 'pdf',
    markdown: 'Invoice 1',
    pages: [{ page: 1 }, { method: 'ocr', warnings: ['blank_page'] }],
  });
  expect(stderr).toBe(`${empty}: the file is empty (file.empty)\n`);
  expect(status).toBe(1);
});

test('Markdown and a table of pages for people, with status 0', () => {
  const out = execFileSync(process.execPath, [main, 'read', write('a.md', '# Title\n')], { encoding: 'utf8' });
  expect(out).toMatch(/^# Title\n/);
  expect(out).toMatch(/page\s+method\s+characters\s+score\s+warnings/);
});

test('a file that is not there is wrong use, and nothing is read', () => {
  const { status, stdout } = read(write('b.md', 'b'), join(folder, 'nowhere'));
  expect([status, stdout]).toEqual([2, '']);
  expect(read('-').status).toBe(2);
});
