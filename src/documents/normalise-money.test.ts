import { expect, test } from 'vitest';
import { findMoney, ofCapitals } from './normalise-money.ts';

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

test('a share of a hundred is no amount', () => {
  expect(findMoney('税率 13%').filter(({ value }) => value === 13)).toEqual([]);
});
