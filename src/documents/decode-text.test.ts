import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeText } from '../../test/harness/encode-text.ts';
import { decodeText, looksLikeText } from './decode-text.ts';

const SIMPLIFIED = '甲方应于二〇二六年三月五日前向乙方支付货款人民币壹万元整，发票号码：0471。';
const TRADITIONAL = '甲方應於中華民國一百一十五年三月五日前向乙方支付貨款新臺幣壹萬元整，發票號碼：0471。';
const JAPANESE = '株式会社山田商事は、令和8年3月5日までに請求書の金額をお支払いください。担当：佐藤';

describe('encodings are found out', () => {
  test.each([
    ['gb18030', SIMPLIFIED],
    ['gb18030', '品名,金额\n纸,3\n'],
    ['gb18030', `${TRADITIONAL}${SIMPLIFIED}`],
    ['big5', TRADITIONAL],
    ['big5', '品名,金額\n紙,3\n'],
    ['shift_jis', JAPANESE],
    ['shift_jis', '品名,金額\n紙,3\n'],
    ['windows-1252', 'Müller zahlt 5 € für Übung'],
    ['windows-1252', 'créée à Nîmes, 20 °C, 5 µm, § 3'],
    ['windows-1252', 'don’t say “Hello” – it’s naïve'],
    ['windows-1252', '20°C and 40°F'],
    ['windows-1252', '½ Liter, 1¼ Zoll für Jörg'],
    ['iso-8859-15', 'Summe 5 € für Jörg'],
    ['iso-8859-15', 'cœur et sœur, élève'],
    ['utf-8', `${SIMPLIFIED}é`],
    ['utf-16le', `${SIMPLIFIED} abcdefgh`],
    ['utf-16be', `${SIMPLIFIED} abcdefgh`],
  ] as const)('%s: %s', (encoding, text) => {
    expect(decodeText(encodeText(text, encoding))).toEqual({ text, encoding });
  });

  test('UTF-8 that was cut in the middle of a character stays UTF-8', () => {
    const bytes = Buffer.from(SIMPLIFIED.repeat(3));
    const { text, encoding } = decodeText(bytes.subarray(0, bytes.length - 1));
    expect([encoding, text.endsWith('0471\ufffd')]).toEqual(['utf-8', true]);
  });

  test('pieces of sentences in any of the encodings come back', () => {
    const letters = { gb18030: SIMPLIFIED, big5: TRADITIONAL, shift_jis: JAPANESE };
    const encoding = fc.constantFrom('gb18030', 'big5', 'shift_jis');
    fc.assert(
      fc.property(encoding, fc.array(fc.nat(30), { minLength: 12, maxLength: 40 }), (name, places) => {
        const text = places.map((at) => letters[name][at]).join('');
        expect(decodeText(encodeText(text, name)).text).toBe(text);
      }),
      { numRuns: 200 },
    );
  });
});

test('what has control characters is no text', () => {
  expect(looksLikeText(Buffer.from('a\tb\r\n\fc'))).toBe(true);
  expect(looksLikeText(Buffer.from('a\u0000b\u0001'))).toBe(false);
});
