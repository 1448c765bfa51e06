import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Folder, fold, foldKey, GAP } from './fold.ts';

test.each([
  ['ＡＢＣ　ｄ', 'abcd'],
  ['Straße', 'strasse'],
  ['İ', 'i'],
  ['Σοφός', 'σοφοσ'],
  ['ﬁn', 'fin'],
  ['Cafe\u0301', 'cafe'],
  ['か\u3099', 'が'],
  ['ｶﾞ', 'ガ'],
  ['Ⅱ', 'ii'],
  ['①™㈱', '①™㈱'],
  ['𝗞𝗶𝗺𝗶', 'kimi'],
  ['騰訊元寶 釘釘 蘋果', '腾讯元宝钉钉苹果'],
  ['乾隆', '干隆'],
  ['C\\+\\+ &amp; C&A', 'c++&c&a'],
  ['Chat-GPT chat\u200bgpt', 'chatgptchatgpt'],
  ['\ud800a', '\ufffda'],
  ['- \u200b', ''],
])('the key of %j is %j', (text, key) => {
  expect(foldKey(text)).toBe(key);
});

test('spaces, hyphens and what no name reaches across are told apart', () => {
  const gaps = (text: string) => {
    const folded = fold(text);
    return Array.from({ length: folded.length }, (_, k) => folded.gapBefore(k));
  };
  expect(gaps('a b-c')).toEqual([GAP.none, GAP.space, GAP.hyphen]);
  expect(gaps('a - b\nc')).toEqual([GAP.none, GAP.hard, GAP.hard]);
});

test('units map back to the original, in order, and never split a character', () => {
  const folder = new Folder();
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      const folded = folder.fold(text);
      let last = 0;
      for (let k = 0; k < folded.length; k++) {
        const [start, end] = [folded.startOf(k), folded.endOf(k)];
        expect(start).toBeGreaterThanOrEqual(last);
        expect(end).toBeGreaterThan(start);
        expect(end).toBeLessThanOrEqual(text.length);
        const isInsidePair = /[\udc00-\udfff]/.test(text[start]!) && /[\ud800-\udbff]/.test(text[start - 1] ?? '');
        expect(isInsidePair).toBe(false);
        last = start;
      }
    }),
  );
});

test('folding twice changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
      const key = foldKey(text.replaceAll('\\', '').replaceAll('&', ''));
      expect(foldKey(key)).toBe(key);
    }),
  );
});
