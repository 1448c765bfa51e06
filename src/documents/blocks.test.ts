import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Block, blocksToMarkdown, type Cell, plain, type Span } from './blocks.ts';
import { DEFAULT_BUDGETS, startMeter } from './budgets.ts';
import { markdownTable } from './markdown-table.ts';

const meter = (budgets = {}) => startMeter({ ...DEFAULT_BUDGETS, ...budgets }, () => 0);
const markdownOf = (...blocks: Block[]) => blocksToMarkdown(blocks, meter());
const line = (...spans: Span[]): Block => ({ kind: 'paragraph', spans });
const item = (level: number, label: string, text: string): Block => ({ kind: 'item', level, label, spans: [{ text }] });
const cell = (...blocks: Block[]): Cell => ({ blocks, columns: 1 });

test('items stand together, indented by how much deeper they are than the first of them', () => {
  const list = [item(2, '(a)', 'x'), item(3, '-', 'y\nz'), item(2, '', 'w')];
  expect(markdownOf(plain('before'), ...list, plain('after'))).toBe('before\n\n(a) x\n  - y\n    z\nw\n\nafter');
});

describe('what text is written as', () => {
  test.each([
    [
      'pieces of one style become one',
      [
        { text: 'a', bold: true },
        { text: 'b', bold: true },
      ],
      '**ab**',
    ],
    ['marks stand at the words', [{ text: ' a ', bold: true }, { text: 'b' }], '**a** b'],
    ['nothing is bold in nothing', [{ text: ' ', bold: true }], ''],
    ['no marks within a word', [{ text: 'un' }, { text: 'do', bold: true }], 'undo'],
    [
      'a link in several styles is one',
      [
        { text: 'a', href: 'https://x.example/y' },
        { text: 'b', bold: true, href: 'https://x.example/y' },
      ],
      '[ab](https://x.example/y)',
    ],
    ['what nobody sees goes', [{ text: 'In\u00advoice\u200b\ufeff' }], 'Invoice'],
    ['lines lose blanks at their ends and empty ones go', [{ text: '  a  \n\n \n b  c ' }], 'a\nb  c'],
  ] as [string, Span[], string][])('%s', (_, spans, expected) => {
    expect(markdownOf(line(...spans))).toBe(expected);
  });
});

describe('tables', () => {
  test('a cell holds lines, numbers and no marks', () => {
    const rows = [[cell(line({ text: 'Total', bold: true })), cell(item(0, '1.', 'a'), item(0, '-', 'b'))]];
    expect(markdownOf({ kind: 'table', rows })).toBe('| Total | 1. a  b |\n| --- | --- |');
  });

  test('cells count before they are laid out', () => {
    const rows = [[{ blocks: [plain('a')], columns: 1e9 }, cell(plain('b'))]];
    expect(() => blocksToMarkdown([{ kind: 'table', rows }], meter({ cells: 500 }))).toThrowError(
      expect.objectContaining({ code: 'file.too_large' }),
    );
  });

  test('more blocks than a call takes arguments', () => {
    const many = Array.from({ length: 200_000 }, () => item(1, '-', 'x'));
    const frame: Block = { kind: 'table', rows: [[{ blocks: many, columns: 1 }]] };
    expect(markdownOf(frame).length).toBe(200_000 * 4 - 1);
  });

  test('any texts come back from their row, line by line', () => {
    const texts = fc.array(fc.string({ unit: fc.constantFrom('a', '|', '\\', ' ', '\n', '发', '*') }), {
      minLength: 2,
      maxLength: 5,
    });
    fc.assert(
      fc.property(texts, (cells) => {
        const [head] = markdownTable([cells]).split('\n');
        const read = head!.slice(1, -1).split(/(?<!\\)\|/);
        const lines = (text: string) =>
          text
            .split('\n')
            .map((one) => one.trim())
            .filter(Boolean)
            .join('  ');
        expect(read.map((one) => one.trim().replaceAll('\\|', '|'))).toEqual(cells.map(lines));
      }),
    );
  });
});
