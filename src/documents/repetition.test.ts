import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isLoop } from './repetition.ts';

test('a passage over and over again is a loop', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 120 }), fc.integer({ min: 8, max: 400 }), (passage, times) => {
      const text = passage.repeat(times);
      expect(isLoop(text)).toBe(text.length >= 300);
    }),
  );
});

test('a loop is found behind a sensible beginning', () => {
  const begun = 'The parties agree that the goods are delivered by the end of May and paid for within thirty days.';
  expect(isLoop(`${begun} ${'发票号码：26990，开票日期：2026年3月5日。'.repeat(400)}`)).toBe(true);
});

test.each([
  ['short', 'ha '.repeat(40)],
  ['of numbered lines', Array.from({ length: 60 }, (_, n) => `${n + 1}. Item no. ${n * 37} at ${n}.50 EUR`).join('\n')],
  ['Chinese', Array.from({ length: 300 }, (_, n) => String.fromCodePoint(0x4e00 + ((n * 7919) % 20_000))).join('')],
])('a text that is %s is none', (_what, text) => {
  expect(isLoop(text)).toBe(false);
});
