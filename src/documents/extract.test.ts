import { describe, expect, test } from 'vitest';
import { CodedError } from '../errors/coded-error.ts';
import { documentLines } from './document-lines.ts';
import { parseTypes } from './document-types.ts';
import { extract } from './extract.ts';
import { labelBook } from './label-book.ts';
import { labelWords } from './label-words.ts';
import { labelledValues } from './labelled-values.ts';

const asText = (markdown: string) => ({ markdown, pages: [] });

const types = parseTypes({
  types: [
    {
      code: 'invoice',
      name: '发票 Invoice',
      description: '增值税发票、电子发票。A bill. Not an order (订单) or a quotation (报价单).',
      priority: 10,
      fields: [
        {
          code: 'no',
          name: '发票号码 Invoice number',
          description: 'Labels such as Invoice No., Invoice #.',
          type: 'string',
          required: true,
        },
        { code: 'issued_on', name: '开票日期 Invoice date', type: 'date', required: true },
        { code: 'seller', name: '销售方 Seller', description: 'Who bills; often in the letterhead.', type: 'string' },
        {
          code: 'total',
          name: '价税合计 Total',
          description: 'Total due. Not the net amount (Subtotal).',
          type: 'money',
          required: true,
        },
      ],
    },
    {
      code: 'lease',
      name: '租赁合同 Lease',
      description: 'An agreement: tenancy agreement, lease.',
      fields: [
        { code: 'tenant', name: '承租方 Tenant', type: 'string' },
        { code: 'from', name: '起始日期 Period from', description: '(租期, Term)', type: 'date' },
        { code: 'to', name: '截止日期 Period to', description: '(租期, Term, 至…止)', type: 'date' },
        {
          code: 'pays_by',
          name: '支付方式 Paid by',
          type: 'enum',
          values: ['cash', { code: 'bank', name: '转账', examples: ['bank transfer'] }],
        },
      ],
    },
  ],
});

describe('the words of a description', () => {
  test('are its name in each language and its lists', () => {
    const [invoice] = types;
    expect(labelWords(invoice!.fields[0]!).wanted).toEqual(['发票号码', 'invoice number', 'invoice no', 'invoice #']);
    expect(labelWords(invoice!).unwanted).toEqual(expect.arrayContaining(['订单', '报价单', 'order', 'quotation']));
  });

  test('a label fits what is wanted unless what is not wanted fits better', () => {
    const book = labelBook(types[0]!);
    expect(book.fits('total')[3]).toBe(1);
    expect(book.fits('subtotal')).toEqual([0, 0, 0, 0]);
    expect(book.fits('totally')).toEqual([0, 0, 0, 0]);
  });
});

test.each([
  ['Invoice No.: 17', [['invoice no', '17']]],
  [
    '发票号码：26990 开票日期：2026年3月5日',
    [
      ['发票号码', '26990'],
      ['开票日期', '2026年3月5日'],
    ],
  ],
  ['| Total | ¥5.00 |', [['total', '¥5.00']]],
  ['VAT (20%): £4.00', [['vat (20%)', '£4.00']]],
  ['Received: 12:30', [['received', '12:30']]],
])('the pairs of %s', (text, pairs) => {
  const found = labelledValues(text, documentLines(text).all, () => false);
  expect(found.map(({ label, value }) => [label, value])).toEqual(pairs);
});

test('an invoice in English: type, fields, evidence', () => {
  const found = extract(
    asText('Larkspur Ltd   INVOICE\n\nInvoice No. A-17\nInvoice date: 17/05/2026\n\nSubtotal: £10.00\nTotal: £12.00'),
    types,
  );
  expect(found).toMatchObject({ type: 'invoice', by: 'rules', state: 'ready', review_reasons: [] });
  expect(Object.fromEntries(Object.entries(found.fields).map(([code, field]) => [code, field.value]))).toEqual({
    no: 'A-17',
    issued_on: '2026-05-17',
    seller: 'Larkspur Ltd',
    total: 12,
  });
  expect(found.fields.total).toMatchObject({
    currency: 'GBP',
    raw: '£12.00',
    evidence: 'Total: £12.00',
    source: 'rules',
  });
});

test('a lease in Chinese: a period, a way of paying', () => {
  const found = extract(
    asText('租赁合同\n承租方：柳叶湾民宿\n租期：2026年6月1日至2027年5月31日止\n支付方式：转账'),
    types,
  );
  expect(found.type).toBe('lease');
  expect(Object.values(found.fields).map(({ value }) => value)).toEqual([
    '柳叶湾民宿',
    '2026-06-01',
    '2027-05-31',
    'bank',
  ]);
});

test('what is unsure asks for a person', () => {
  expect(extract(asText('A poem about the sea.'), types)).toMatchObject({
    type: null,
    state: 'in_review',
    review_reasons: ['type_unsure'],
    fields: {},
  });
  const found = extract(asText('INVOICE\nInvoice date: 03/05/2026\nTotal: 5.00'), types);
  expect(found).toMatchObject({ type: 'invoice', review_reasons: ['missing:no', 'ambiguous_date:issued_on'] });
  expect(found.fields.no).toMatchObject({ value: null, evidence: null });
});

test('a quotation is no invoice, though it has its labels', () => {
  expect(extract(asText('报价单\n发票号码：1\n开票日期：2026年3月5日\n价税合计：¥5.00'), types).type).toBeNull();
});

test.each([
  [{ types: [] }, 'types'],
  [{ types: [{ code: 'A b', name: 'x' }] }, 'code'],
  [{ types: [{ code: 'a', name: 'x', fields: [{ code: 'f', name: 'f', type: 'colour' }] }] }, 'type'],
  [{ types: [{ code: 'a', name: 'x', fields: [{ code: 'f', name: 'f', type: 'enum' }] }] }, 'values'],
  [{ types: [{ code: 'a', name: 'x', fields: [{ code: 'f', name: 'f', type: 'list' }] }] }, 'items'],
  [{ types: [{ code: 'none', name: 'x' }] }, 'none'],
  [
    {
      types: [
        { code: 'a', name: 'x' },
        { code: 'a', name: 'y' },
      ],
    },
    "'a'",
  ],
])('types are refused by place: %j', (input, named) => {
  expect(() => parseTypes(input)).toThrow(CodedError);
  expect(() => parseTypes(input)).toThrow(named);
});
