import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tidyPunctuation } from './tidy-punctuation.ts';

test.each([
  ['名称:阿福', '名称：阿福'],
  ['第一,第二;', '第一，第二；'],
  ['1，234．50', '1,234.50'],
  ['12：31', '12:31'],
  ['2026－03－05', '2026-03-05'],
  ['A4paper，5reams', 'A4paper,5reams'],
  ['￥68.00', '¥68.00'],
  ['￡68.00', '£68.00'],
  ['甲方(出租方):', '甲方（出租方）：'],
  ['(税率/征收率）', '（税率/征收率）'],
  ['VAT（20%）', 'VAT(20%)'],
  ['Total:5', 'Total:5'],
  ['（', '（'],
  ['', ''],
])('%s', (text, expected) => {
  expect(tidyPunctuation(text)).toBe(expected);
});

test('as many characters come out as go in, and once is enough', () => {
  const text = fc.string({ unit: fc.constantFrom(...'甲乙aB1９(（)）,，:：.．￥ 。；;/／') });
  fc.assert(
    fc.property(text, (one) => {
      const tidy = tidyPunctuation(one);
      expect([...tidy]).toHaveLength([...one].length);
      expect(tidyPunctuation(tidy)).toBe(tidy);
    }),
  );
});
