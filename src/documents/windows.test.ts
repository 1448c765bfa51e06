import fc from 'fast-check';
import { expect, test } from 'vitest';
import { headAndTail, windowsOf } from './windows.ts';

const texts = fc.string({ unit: fc.constantFrom('a', 'é', '年', '🙂', '\n', ' '), maxLength: 400 });

test('windows are pieces of the text, none too long, and every short piece lies whole in one', () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 20, max: 60 }), fc.integer({ min: 0, max: 9 }), (text, size, overlap) => {
      const windows = windowsOf(text, size, overlap);
      for (const { start, text: piece } of windows) {
        expect(piece).toBe(text.slice(start, start + piece.length));
        expect(piece.length).toBeLessThanOrEqual(size);
        expect(piece.isWellFormed()).toBe(true);
      }
      for (let from = 0; from + overlap <= text.length; from += 1) {
        const until = from + overlap;
        expect(windows.some((one) => one.start <= from && until <= one.start + one.text.length)).toBe(true);
      }
    }),
  );
});

test('a window ends with a line where one ends near by', () => {
  const line = `${'x'.repeat(9)}\n`;
  expect(windowsOf(line.repeat(20), 104, 10).map(({ start, text }) => [start, text.length])).toEqual([
    [0, 100],
    [90, 100],
    [180, 20],
  ]);
});

test('an empty text has one window', () => {
  expect(windowsOf('', 10, 2)).toEqual([{ start: 0, text: '' }]);
});

test('head and tail', () => {
  expect(headAndTail('abcdef', 4, 2)).toBe('abcdef');
  expect(headAndTail('abcdefg', 4, 2)).toBe('abcd\n[…]\nfg');
  expect(headAndTail('a🙂bcd🙂e', 2, 2).isWellFormed()).toBe(true);
});
