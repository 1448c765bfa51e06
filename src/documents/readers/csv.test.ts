import { describe, expect, test } from 'vitest';
import { encodeText } from '../../../test/harness/encode-text.ts';
import { DEFAULT_BUDGETS } from '../budgets.ts';
import { readText } from '../read-text.ts';

const read = (text: string) => readText(Buffer.from(text), 'a.csv');
const rowsOf = async (text: string) =>
  (await read(text)).markdown
    .split('\n')
    .filter((_, at) => at !== 1)
    .map((line) => line.slice(2, -2).split(' | '));

describe('the delimiter', () => {
  test.each([
    ['comma', 'a,b;x\n1,2\n3,4\n'],
    ['semicolon before decimal commas', 'a;b\n1,5;2,5\n1,50;3\n'],
    ['semicolon where every row has one comma too', 'a, b;c\nd, e;f\n'],
    ['tab before everything', 'a, b\tc;d\n1, 2\t3;4\n'],
    ['pipe', 'a|b\n1,5|2\n'],
    ['said by the first line', 'sep=^\na^b,c\n1^2\n'],
  ])('%s', async (_, text) => {
    const rows = await rowsOf(text);
    expect(new Set(rows.map((row) => row.length))).toEqual(new Set([2]));
  });

  test('one column has none', async () => {
    expect(await rowsOf('name\nA B\nC D\n')).toEqual([['name'], ['A B'], ['C D']]);
  });
});

test('quotes keep delimiters, line ends and quotes', async () => {
  expect(await rowsOf('a,b\r\n"x ""y"", z\r\nnext","|"\r\n')).toEqual([
    ['a', 'b'],
    ['x "y", z  next', '\\|'],
  ]);
});

test('a quote that is not at the beginning of a cell is a sign of inches', async () => {
  expect(await rowsOf('size,n\n5" pipe,1\n')).toEqual([
    ['size', 'n'],
    ['5" pipe', '1'],
  ]);
});

test('a quote that is never closed does not swallow the rest', async () => {
  const { markdown, warnings } = await read('a,b\n"w",0\n"x,1\ny,2\n');
  expect(markdown.split('\n').slice(2)).toEqual(['| w | 0 |', '| "x | 1 |', '| y | 2 |']);
  expect(warnings).toEqual(['unclosed_quote: what follows it is read without quotes']);
});

test('rows of different length are filled up and said; empty lines are no rows', async () => {
  const { markdown, warnings } = await read('a,b,c\n\n1,2\n4\n');
  expect(markdown.split('\n').slice(2)).toEqual(['| 1 | 2 |  |', '| 4 |  |  |']);
  expect(warnings).toEqual(['ragged_rows: rows have 1 to 3 cells']);
});

test.each(['big5', 'shift_jis', 'iso-8859-15'] as const)('in %s, which is said', async (encoding) => {
  const text = encoding === 'iso-8859-15' ? 'Posten;Preis\nTür;5 €\nSchloß;7 €\n' : '品名;金額\n紙;3\n';
  const { markdown, warnings } = await readText(encodeText(text, encoding), 'a.csv');
  const lines = text
    .trim()
    .split('\n')
    .map((line) => `| ${line.replace(';', ' | ')} |`);
  expect(markdown.split('\n').filter((_, at) => at !== 1)).toEqual(lines);
  expect(warnings).toEqual([`encoding: ${encoding}`]);
});

test('cells count, those that fill up short rows too', async () => {
  const over = (text: string, cells: number) =>
    expect(readText(Buffer.from(text), 'a.csv', { ...DEFAULT_BUDGETS, cells })).rejects.toMatchObject({
      code: 'file.too_large',
    });
  await over('a,b\nc,d', 3);
  await over(`${','.repeat(99)}\n${'x\n'.repeat(100)}`, 300);
});
