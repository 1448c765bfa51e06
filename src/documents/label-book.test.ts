import { describe, expect, test } from 'vitest';
import { parseTypes } from './document-types.ts';
import { labelBook } from './label-book.ts';
import { plainLabel } from './plain-label.ts';

const [invoice] = parseTypes({
  types: [
    {
      code: 'invoice',
      name: '发票 Invoice',
      fields: [
        { code: 'no', name: '发票号码 Invoice number', type: 'string' },
        { code: 'issued_on', name: '开票日期 Invoice date', type: 'date' },
        { code: 'due_on', name: '到期日 Due date', type: 'date' },
        { code: 'buyer', name: '购买方名称 Buyer', type: 'string' },
        { code: 'total', name: '价税合计 Total', description: 'Not the net amount (Subtotal).', type: 'money' },
      ],
    },
  ],
});
const book = labelBook(invoice!);
const best = (label: string) => {
  const fits = book.fits(plainLabel(label));
  return Math.max(...fits) === 0 ? null : invoice!.fields[fits.indexOf(Math.max(...fits))]!.code;
};

describe('which field a printed label means', () => {
  test.each([
    ['Invoice No.', 'no'],
    ['发票号码 / Invoice No.', 'no'],
    ['InvoiceNumber', 'no'],
    ['Invoce date', 'issued_on'],
    ['Invoicedate', 'issued_on'],
    ['Our ref', 'no'],
    ['Date of issue', 'issued_on'],
    ['Payment due', 'due_on'],
    ['Bill to', 'buyer'],
    ['买名称', 'buyer'],
    ['价税合计（大写）', 'total'],
    ['Your total', 'total'],
    ['Subtotal', null],
    ['Weather', null],
  ])('%s: %s', (label, field) => {
    expect(best(label)).toBe(field);
  });

  test('a bare date is that of the paper itself, not the one that something is due', () => {
    const [, issued, due] = book.fits('date');
    expect(issued).toBeGreaterThan(0);
    expect(due).toBe(0);
  });

  test('a label that fits one field exactly is no other that has the word in it', () => {
    expect(book.fits('invoice date').filter((fit) => fit > 0)).toHaveLength(1);
  });
});

test.each([
  ['buyer', true],
  ['纳税人识别号', true],
  ['notes', true],
  ['larkspur ltd', false],
])('whether %s is a label: %s', (text, is) => {
  expect(book.isLabel(text)).toBe(is);
});
