import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findMoney, localSigns, ofCapitals } from './normalise-money.ts';

test.each([
  ['¥1,253.69', 1253.69, 'CNY'],
  ['￥ 9,858.00', 9858, 'CNY'],
  ['1.253,69 €', 1253.69, 'EUR'],
  ['€ 1.253,69', 1253.69, 'EUR'],
  ["CHF 1'253.50", 1253.5, 'CHF'],
  ['$12,004.18', 12004.18, 'USD'],
  ['£7,200.00', 7200, 'GBP'],
  ['7431.09 GBP', 7431.09, 'GBP'],
  ['-45.00 EUR', -45, 'EUR'],
  ['48,000元', 48000, 'CNY'],
  ['1,234', 1234, null],
  ['人民币壹仟贰佰叁拾肆元伍角整', 1234.5, 'CNY'],
  ['（大写）贰拾伍元整', 25, 'CNY'],
])('%s', (text, value, currency) => {
  expect(findMoney(text)[0]).toMatchObject({ value, currency });
});

test.each([
  ['壹拾元整', 10],
  ['贰拾万零叁佰元整', 200_300],
  ['壹亿贰仟万元整', 120_000_000],
  ['玖仟捌佰伍拾捌元零伍分', 9858.05],
  ['叁佰元肆角贰分', 300.42],
])('%s is %d', (text, value) => {
  expect(ofCapitals(text)).toBe(value);
});

test.each([
  ["1'253.69", 1253.69, null],
  ['1 253,69 €', 1253.69, 'EUR'],
  ['1\u202f253,69\u00a0€', 1253.69, 'EUR'],
  ['12,34,567.00 INR', 1234567, 'INR'],
  ['0.125', 0.125, null],
  ['1.253', 1253, null],
  ['HK$88.00', 88, 'HKD'],
  ['US$1.20', 1.2, 'USD'],
  ['CN¥5', 5, 'CNY'],
  ['NT$21,000', 21000, 'TWD'],
  ['5元8角5分', 5.85, 'CNY'],
  ['300元整', 300, 'CNY'],
  ['100美元', 100, 'USD'],
  ['3.5万元', 35000, 'CNY'],
  ['1.2亿元', 120_000_000, 'CNY'],
  ['£5m', 5_000_000, 'GBP'],
  ['USD 1.5 million', 1_500_000, 'USD'],
  ['-$3,600.46', -3600.46, 'USD'],
  ['$-3,600.46', -3600.46, 'USD'],
  ['−45.00 EUR', -45, 'EUR'],
  ['45.00- EUR', -45, 'EUR'],
  ['(45.00)', -45, null],
  ['（￥45.00）', -45, 'CNY'],
  ['USD (1,200.00)', -1200, 'USD'],
  ['￥１，２３４．５０', 1234.5, 'CNY'],
  ['S1,850.00', 1850, 'USD'],
  ['S1,850.0o', 1850, 'USD'],
  ['¥1O0.00', 100, 'CNY'],
  ['5 of 6', 5, null],
  ['壹仟贰佰叁拾肆圆伍角整', 1234.5, 'CNY'],
  ['壹萬貳仟元整', 12000, 'CNY'],
  ['港币叁佰元整', 300, 'HKD'],
])('%s', (text, value, currency) => {
  expect(findMoney(text)[0]).toMatchObject({ value, currency });
});

test.each([
  ['a quantity before an amount', '2 1,200.00', 1200],
  ['brackets about something else', 'VAT (£430.00 in all)', 430],
  ['a dash between numbers', 'pages 5-10', 5],
])('%s does not change it: %s', (_name, text, value) => {
  expect(findMoney(text).map((one) => one.value)).toContain(value);
});

test('¥ and $ are those of the country that the document names', () => {
  expect(findMoney('合計 ¥500', localSigns('領収書 ありがとうございます ¥500'))[0]!.currency).toBe('JPY');
  expect(findMoney('Total $500', localSigns('All prices in HKD. Total $500'))[0]!.currency).toBe('HKD');
  expect(findMoney('Total $500', localSigns('HK$ 5 or US$ 4'))[0]!.currency).toBe('USD');
});

test('an amount is read again from each way of writing it', () => {
  const cents = fc.integer({ min: 0, max: 99_999_999_99 });
  fc.assert(
    fc.property(cents, (amount) => {
      const [whole, part] = [Math.floor(amount / 100), String(amount % 100).padStart(2, '0')];
      const grouped = (by: string) => String(whole).replace(/\B(?=(\d{3})+$)/g, by);
      for (const text of [
        `$${grouped(',')}.${part}`,
        `${grouped('.')},${part} €`,
        `CHF ${grouped("'")}.${part}`,
        `¥${whole}.${part}`,
      ])
        expect(findMoney(text).map(({ value }) => value)).toEqual([amount / 100]);
    }),
  );
});

test('a share of a hundred is no amount', () => {
  expect(findMoney('税率 13%').filter(({ value }) => value === 13)).toEqual([]);
});
