import { describe, expect, test } from 'vitest';
import { type Glyphs, layOut } from './lay-out.ts';
import { lineGlyphs } from './ocr/line-glyphs.ts';

const SIZE = 10;
/** Pieces of text, each with its left end; Chinese characters are as wide as their size. */
const row = (y: number, ...cells: (readonly [number, string])[]): Glyphs[] =>
  cells.map(([x, text]) => ({ text, x, y, width: [...text].length * SIZE, size: SIZE }));
const columns = [50, 150, 250, 350];
const cells = (y: number, ...texts: string[]) =>
  row(y, ...texts.flatMap((text, at) => (text ? [[columns[at]!, text] as const] : [])));

describe('tables', () => {
  test('a row may leave out cells of three and more columns', () => {
    const glyphs = [
      ...cells(100, 'Date', 'Text', 'Out', 'In'),
      ...cells(115, '1.5.', 'Rent', '9', ''),
      ...cells(130, '2.5.', 'Sale', '', '7'),
    ];
    expect(layOut(glyphs)).toBe(
      '| Date | Text | Out | In |\n| --- | --- | --- | --- |\n| 1.5. | Rent | 9 |  |\n| 2.5. | Sale |  | 7 |',
    );
  });

  test('of two columns none: a line of one piece is a line', () => {
    expect(layOut([...cells(100, 'A', 'B'), ...cells(115, 'C', 'D'), ...cells(130, 'E')])).toBe(
      '| A | B |\n| --- | --- |\n| C | D |\n\nE',
    );
  });

  test('a cell that lies below two columns ends the table', () => {
    const wide = row(130, [60, 'reaches across two of them'], [350, 'x']);
    expect(layOut([...cells(100, 'A', 'B', 'C', 'D'), ...cells(115, '1', '2', '3', '4'), ...wide])).toContain(
      '| 1 | 2 | 3 | 4 |\n\nreaches across two of them   x',
    );
  });
});

describe('Chinese words that are set apart', () => {
  test('two characters with a gap between them are one word, and cells stay cells', () => {
    expect(layOut(row(100, [50, '账'], [80, '号'], [150, '0000']))).toBe('账号   0000');
    expect(layOut(row(100, [50, '男'], [150, '是']))).toBe('男   是');
  });

  test('a word that is set downwards is one piece; a column of single characters is none', () => {
    const stacked = [...'购买方'].map((text, at) => ({ text, x: 50, y: 100 + at * 13, width: SIZE, size: SIZE }));
    expect(layOut([...stacked, ...row(107, [90, '名称'])])).toBe('购买方\n名称');
    const units = [...'个包盒'].flatMap((text, at) => row(100 + at * 15, [50, text], [150, `${at}`]));
    expect(layOut(units)).toBe('| 个 | 0 |\n| --- | --- |\n| 包 | 1 |\n| 盒 | 2 |');
  });
});

test.each([-0.05, -0.01, 0, 0.02, 0.06])('recognised lines of a page that lies askew by %d stand straight', (angle) => {
  const lines = Array.from({ length: 24 }, (_, at) => {
    const [x, y] = [100 + (at % 3) * 250, 100 + Math.floor(at / 3) * 40];
    return {
      box: {
        x: x * Math.cos(angle) - y * Math.sin(angle),
        y: x * Math.sin(angle) + y * Math.cos(angle),
        width: 60,
        height: 27,
        // Of short boxes the angle is a guess.
        angle: at % 2 ? 0 : angle,
      },
      pieces: [{ text: `c${at}`, from: 0, to: 60 }],
      characters: 3,
      confidence: 1,
    };
  });
  const text = layOut(lineGlyphs(lines));
  expect(text.split('\n')[2]).toBe('| c3 | c4 | c5 |');
  expect(text.split('\n')).toHaveLength(9);
});
