import fc from 'fast-check';
import { expect, test } from 'vitest';
import { labelKey, labelVariants, plainLabel, plainProse } from './plain-label.ts';

const keyOf = (label: string) => labelKey(plainLabel(label));

test.each([
  ['Date of issue', 'Issue date'],
  ['Invoice #', 'Invoice number'],
  ['Invoice No.:', 'INVOICE NR'],
  ['P.O. No.', 'PO number'],
  ['E-mail', 'Email'],
  ['合同编号', '合同号'],
  ['购买方名称：', '购买方'],
  ['交易时间', '交易日期'],
  ['帳號', '账号'],
  ['發票號碼', '发票号码'],
  ['合　计', '合计'],
])('%s and %s are one label', (one, other) => {
  expect(keyOf(one)).toBe(keyOf(other));
});

test.each([
  ['Due date', 'Invoice date'],
  ['期初余额', '期末余额'],
  ['名称', '购买方名称'],
  ['日期', '开票日期'],
])('%s and %s are two', (one, other) => {
  expect(keyOf(one)).not.toBe(keyOf(other));
});

test.each([
  ['VAT (20%)', ['vat (20%)', 'vat']],
  ['VAT @ 20.0%', ['vat @ 20.0%', 'vat']],
  ['委托方（甲方）', ['委托方(甲方)', '委托方', '甲方']],
  ['发票号码 Invoice No.', ['发票号码 invoice no', '发票号码', 'invoice no']],
])('%s is also read as its parts', (label, variants) => {
  expect(labelVariants(plainLabel(label))).toEqual(expect.arrayContaining(variants));
});

test('running text keeps its length, so that places in it are places in the original', () => {
  expect(plainProse('Ｔｏｔａｌ：￥5\n於２０２６年')).toBe('total:￥5 于2026年');
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => plainProse(text).length === text.length));
});
