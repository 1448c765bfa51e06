import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { joinBoxes } from './join-boxes.ts';
import { type TextBox, textBoxes } from './text-boxes.ts';

/** A map with turned bars of text on it. */
function mapOf(width: number, height: number, bars: readonly TextBox[], likely = 0.9) {
  const data = new Float32Array(width * height);
  for (const { x, y, width: wide, height: high, angle } of bars)
    for (let at = 0; at < data.length; at += 1) {
      const [dx, dy] = [(at % width) + 0.5 - x, Math.floor(at / width) + 0.5 - y];
      const along = dx * Math.cos(angle) + dy * Math.sin(angle);
      const across = dy * Math.cos(angle) - dx * Math.sin(angle);
      if (Math.abs(along) <= wide / 2 && Math.abs(across) <= high / 2) data[at] = likely;
    }
  return { width, height, data };
}

/** What the network shrinks a box of text to is grown again by area × 1.5 / circumference on each side. */
const grown = ({ width, height, ...rest }: TextBox) => {
  const grow = ((width * height) / (width + height)) * 1.5;
  return { ...rest, width: width + grow, height: height + grow };
};

describe('boxes on a map', () => {
  test('a bar in any place, at any angle of a page, is found with its size and angle', () => {
    const bar = fc.record({
      x: fc.double({ min: 90, max: 110, noNaN: true }),
      y: fc.double({ min: 60, max: 90, noNaN: true }),
      width: fc.integer({ min: 60, max: 110 }),
      height: fc.integer({ min: 8, max: 20 }),
      angle: fc.double({ min: -0.6, max: 0.6, noNaN: true }),
    });
    fc.assert(
      fc.property(bar, (one) => {
        const found = textBoxes(mapOf(200, 150, [one]));
        expect(found).toHaveLength(1);
        const wanted = grown(one);
        for (const side of ['x', 'y', 'width', 'height'] as const)
          expect(Math.abs(found[0]![side] - wanted[side])).toBeLessThan(5);
        expect(Math.abs(found[0]!.angle - one.angle)).toBeLessThan(0.08);
      }),
      { numRuns: 40 },
    );
  });

  test('what touches at a corner is one; specks and what is not sure are none', () => {
    const bar = (x: number, y: number, width = 40, height = 10): TextBox => ({ x, y, width, height, angle: 0 });
    expect(textBoxes(mapOf(200, 100, [bar(50, 20), bar(50, 60)]))).toHaveLength(2);
    expect(textBoxes(mapOf(200, 100, [bar(50, 20), bar(90, 30)]))).toHaveLength(1);
    expect(textBoxes(mapOf(200, 100, [bar(50, 20, 2, 2)]))).toEqual([]);
    expect(textBoxes(mapOf(200, 100, [bar(50, 20)], 0.4))).toEqual([]);
  });
});

describe('boxes that reach into each other', () => {
  const box = (x: number, y: number, width: number, height = 20): TextBox => ({ x, y, width, height, angle: 0 });
  test.each([
    ['along a line become one', [box(50, 50, 60), box(100, 52, 50)], 1],
    ['apart on a line stay apart', [box(50, 50, 60), box(120, 50, 50)], 2],
    ['on two lines stay apart', [box(50, 50, 60), box(60, 62, 60)], 2],
    ['of different sizes stay apart', [box(50, 50, 60, 40), box(90, 50, 50, 20)], 2],
    ['in a row of three become one', [box(50, 50, 60), box(150, 50, 60), box(100, 50, 60)], 1],
    ['upright ones stay apart', [box(50, 50, 20, 60), box(60, 50, 20, 60)], 2],
  ])('%s', (_, boxes, count) => {
    expect(joinBoxes(boxes)).toHaveLength(count);
  });

  test('the one around two holds both', () => {
    expect(joinBoxes([box(50, 50, 60), box(100, 54, 50, 20)])).toEqual([
      { x: 72.5, y: 52, width: 105, height: 24, angle: 0 },
    ]);
  });
});
