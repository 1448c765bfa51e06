import { describe, expect, test } from 'vitest';
import { cutOut } from './cut-out.ts';
import { decodeBmp } from './decode-bmp.ts';
import { inkOf, widestGap } from './ink.ts';
import { type Picture, turnPicture } from './picture.ts';

/** A picture of these grey values, row by row. */
const picture = (...rows: number[][]): Picture => ({
  width: rows[0]!.length,
  height: rows.length,
  data: Uint8Array.from(rows.flat().flatMap((value) => [value, value, value, 255])),
});
const rowsOf = ({ width, height, data }: Picture) =>
  Array.from({ length: height }, (_, y) => Array.from({ length: width }, (_, x) => data[(y * width + x) * 4]));

test('quarter turns go clockwise, and four of them are none', () => {
  const one = picture([1, 2, 3], [4, 5, 6]);
  expect(rowsOf(turnPicture(one, 1))).toEqual([
    [4, 1],
    [5, 2],
    [6, 3],
  ]);
  expect(rowsOf(turnPicture(one, 2))).toEqual([
    [6, 5, 4],
    [3, 2, 1],
  ]);
  expect(rowsOf(turnPicture(turnPicture(one, 3), 1))).toEqual(rowsOf(one));
});

describe('cutting out', () => {
  const bars = picture(...Array.from({ length: 20 }, () => Array.from({ length: 40 }, (_, x) => (x < 20 ? 0 : 200))));
  const greens = ({ width, height, planes }: ReturnType<typeof cutOut>, y: number) =>
    [...planes.subarray(width * height + y * width, width * height + (y + 1) * width)].map(Math.round);

  test('scales to the height, stretches on demand, and repeats the edge outside', () => {
    const strip = cutOut(bars, { x: 20, y: 10, width: 20, height: 10, angle: 0 }, 5);
    expect([strip.width, strip.height, greens(strip, 2)]).toEqual([10, 5, [0, 0, 0, 0, 0, 200, 200, 200, 200, 200]]);
    expect(cutOut(bars, { x: 20, y: 10, width: 20, height: 10, angle: 0 }, 5, 2).width).toBe(20);
    expect(new Set(greens(cutOut(bars, { x: 60, y: 40, width: 20, height: 10, angle: 0 }, 5), 0))).toEqual(
      new Set([200]),
    );
  });

  test('upside down is the other way round', () => {
    const strip = cutOut(bars, { x: 20, y: 10, width: 20, height: 10, angle: Math.PI }, 5);
    expect(greens(strip, 2)).toEqual([200, 200, 200, 200, 200, 0, 0, 0, 0, 0]);
  });
});

describe('ink', () => {
  const strip = (paper: number, ink: number) => {
    const row = Array.from({ length: 40 }, (_, x) => (x % 10 < 3 ? ink : paper));
    const rule = new Array<number>(40).fill(ink);
    return cutOut(
      picture(rule, row, row, row, row, row, row, row, row, rule),
      { x: 20, y: 5, width: 40, height: 10, angle: 0 },
      10,
    );
  };
  test.each([
    ['dark on light', 240, 20],
    ['light on dark', 30, 220],
    ['faint', 200, 170],
  ])('%s is told from paper, and rules above and below are not looked at', (_, paper, ink) => {
    const columns = inkOf(strip(paper, ink)).columns;
    expect([...columns].join('')).toBe('1110000000'.repeat(4));
    expect(widestGap(columns, 1, 21)).toEqual({ from: 3, to: 10 });
    expect(widestGap(columns, 0, 2)).toEqual({ from: 0, to: 0 });
  });
});

describe('bitmaps', () => {
  /** A bitmap of 2 × 2 pixels, from its upper left corner on: red, green, blue, white. */
  function bitmap(bits: 8 | 24 | 32, height = 2): Buffer {
    const palette = bits === 8 ? 1024 : 0;
    const row = bits === 8 ? 4 : 8;
    const out = Buffer.alloc(54 + palette + row * 2);
    out.write('BM');
    out.writeInt32LE(54 + palette, 10);
    out.writeInt32LE(40, 14);
    out.writeInt32LE(2, 18);
    out.writeInt32LE(height, 22);
    out.writeUInt16LE(bits, 28);
    const colours = ['0000ff', '00ff00', 'ff0000', 'ffffff'].map((one) => Buffer.from(`${one}00`, 'hex'));
    for (const [at, colour] of colours.entries()) {
      const y = height > 0 ? 1 - (at >> 1) : at >> 1;
      if (bits === 8) {
        colour.copy(out, 54 + at * 4);
        out[54 + palette + y * row + (at & 1)] = at;
      } else colour.copy(out, 54 + y * row + (at & 1) * (bits / 8), 0, bits / 8);
    }
    return out;
  }
  test.each([
    [8, 2],
    [24, 2],
    [32, 2],
    [24, -2],
  ] as const)('%i bits a pixel, height %i', (bits, height) => {
    const { width, height: high, data } = decodeBmp(bitmap(bits, height), 100);
    expect([width, high]).toEqual([2, 2]);
    expect([...data]).toEqual([255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 255]);
  });

  test.each([
    ['cut off', bitmap(24).subarray(0, 60), 'file.invalid'],
    ['without a head', bitmap(24).subarray(0, 30), 'file.invalid'],
    ['larger than may be', bitmap(24), 'file.too_large'],
    ['of no size', Buffer.from(bitmap(24)).fill(0, 18, 22), 'file.invalid'],
  ])('one %s is refused', (what, bytes, code) => {
    expect(() => decodeBmp(bytes, what.startsWith('larger') ? 3 : 100)).toThrow(
      expect.objectContaining({ code, errorClass: 'permanent' }),
    );
  });
});
