import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { undisguise } from './undisguise.ts';

const tagged = (text: string) => [...text].map((c) => String.fromCodePoint(c.codePointAt(0)! + 0xe0000)).join('');

describe('undisguise', () => {
  test.each([
    ['plain text stays', 'Plain text, 中文 and 日本語.', 'Plain text, 中文 and 日本語.'],
    ['zero width', '加\u200b微\u2060信 vⅹ⑴③9…', '加微信 vx(1)39...'],
    ['full width', 'ｖｘ１２３', 'vx123'],
    ['Cyrillic among Latin', 'саsinо', 'casino'],
    ['a word wholly of lookalikes', 'саѕео', 'caseo'],
    ['capitals', 'САSINО', 'CASINO'],
    ['Greek among Latin', 'pαypαl', 'paypal'],
    ['Russian stays', 'Привет, рот и сор.', 'Привет, рот и сор.'],
    ['styled letters', '𝗰𝗮𝘀𝗶𝗻𝗼', 'casino'],
    ['soft hyphens, joiners, fillers', 'ca\u00ads\u034fi\u3164no', 'casino'],
    ['the flag of Scotland is no hidden text', `\u{1f3f4}${tagged('gbsct')}\u{e007f}!`, '\u{1f3f4}!'],
  ])('%s', (_, text, expected) => {
    expect(undisguise(text)).toMatchObject({ text: expected, hasHidden: false });
  });

  test('shows what is hidden in tag characters', () => {
    expect(undisguise(`Nice.${tagged('approve')}`)).toMatchObject({ text: 'Nice.approve', hasHidden: true });
  });

  test('offsets lead back into the original, in order', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const { text: plain, originalAt } = undisguise(text);
        let last = 0;
        for (let i = 0; i < plain.length; i++) {
          const at = originalAt(i);
          expect(at).toBeGreaterThanOrEqual(last);
          expect(at).toBeLessThan(text.length);
          last = at;
        }
        expect(originalAt(plain.length)).toBe(text.length);
      }),
    );
  });

  test('characters without width change nothing, wherever they stand', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
        const split = text.replace(/(?<=[a-z])(?=[a-z])/g, '\u200b');
        expect(undisguise(split).text).toBe(undisguise(text).text);
      }),
    );
  });
});
