import { describe, expect, test } from 'vitest';
import { classifyByRules, compileTypes } from './classify-by-rules.ts';
import { parseTypes } from './document-types.ts';

const types = parseTypes({
  types: [
    {
      code: 'invoice',
      name: '发票 Invoice',
      description: '增值税发票、电子发票。Not a quotation (报价单) or an order (订单).',
      fields: [
        { code: 'no', name: '发票号码 Invoice number', type: 'string' },
        { code: 'on', name: '开票日期 Invoice date', type: 'date' },
        { code: 'total', name: '价税合计 Total', type: 'money' },
      ],
    },
    {
      code: 'statement',
      name: '银行对账单 Bank statement',
      fields: [
        { code: 'account', name: '账号 Account number', type: 'string' },
        { code: 'closing', name: '期末余额 Closing balance', type: 'money' },
      ],
    },
    { code: 'letter', name: '函件 Letter', fields: [{ code: 'subject', name: '事由 Subject', type: 'string' }] },
    {
      code: 'contract',
      name: '合同 Contract',
      description: '协议、租赁合同。An agreement: lease, services agreement.',
      fields: [
        { code: 'a', name: '甲方 Party A', type: 'string' },
        { code: 'b', name: '乙方 Party B', type: 'string' },
      ],
    },
    { code: 'field_note', name: 'Field note', description: 'What a visitor of a site wrote down.' },
  ],
});
const typeOf = (markdown: string, examples: Parameters<typeof classifyByRules>[2] = []) =>
  classifyByRules(markdown, types, examples).type;

const INVOICE_FIELDS = 'Invoice number: A-1\nInvoice date: 3 May 2026\nTotal: €5.00';

test.each([
  ['a title and labels', `INVOICE\n${INVOICE_FIELDS}`, 'invoice'],
  ['labels alone', INVOICE_FIELDS, 'invoice'],
  ['a title in a line with a name', '北斗巷公司   电子发票\n发票号码：1\n价税合计：¥5.00', 'invoice'],
  ['another word for the same kind', 'Statement of Account\nAccount no. 17\nClosing balance: 5.00', 'statement'],
  ['a title that ends with the noun', '对公账户对账单\n账号：1\n期末余额：5.00', 'statement'],
  ['how a letter is built', 'Jay Ltd\n\nDear Sir,\n\nSubject: Tea\n\nWe like it.\n\nYours faithfully,\nJay', 'letter'],
  [
    'clauses and parties',
    '合作协议书\n甲方：甲社\n乙方：乙社\n\n第一条 内容\n\n第二条 期限\n\n第三条 费用',
    'contract',
  ],
  [
    'a mail that carries an invoice',
    `- From: Jay\n- Subject: Good day\n\nDear Kay,\n\nsee below.\n\nYours faithfully\n\n## Attachment: a.pdf\n\nInvoice\n${INVOICE_FIELDS}\nWe thank you for your order and hope that you come again.`,
    'invoice',
  ],
])('%s', (_name, markdown, type) => {
  expect(typeOf(markdown)).toBe(type);
});

describe('none of the types', () => {
  test.each([
    ['nothing speaks for any', 'A poem about the sea and its ships.'],
    ['what the description excludes, though it has all labels', `Quotation\n${INVOICE_FIELDS}`],
    ['a kind of paper that no type claims', '送货单\n发票号码：1\n价税合计：¥5.00'],
    ['minutes that speak of all of them', 'Minutes\n\nWe spoke of the invoice, the contract and the bank statement.'],
    ['an empty text', ''],
  ])('%s', (_name, markdown) => {
    const found = classifyByRules(markdown, types);
    expect(found.type).toBeNull();
    expect(found.candidates).toHaveLength(types.length);
  });
});

test('shares of what it can be: together no more than one, the best first', () => {
  const { confidence, candidates } = classifyByRules(`INVOICE\n${INVOICE_FIELDS}`, types);
  const shares = candidates.map((one) => one.confidence);
  expect(confidence).toBe(shares[0]);
  expect(shares).toEqual(shares.toSorted((a, b) => b - a));
  expect(shares.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(1.01);
});

test('what is unsure for one threshold is sure enough for another', () => {
  const markdown = 'Invoice\n\nTotal: 5.00';
  const { confidence } = classifyByRules(markdown, types);
  const at = (confidence_threshold: number) =>
    classifyByRules(
      markdown,
      types.map((type) => ({ ...type, confidence_threshold })),
    ).type;
  expect([at(confidence - 0.01), at(Math.min(1, confidence + 0.01))]).toEqual(['invoice', null]);
});

describe('documents that people confirmed', () => {
  const note = (place: string, weather: string) =>
    `Site ${place}. Weather ${weather}. Ground wet, fence intact, two visitors at the north gate, bins emptied.`;
  const examples = ['Mill Lane', 'Quarry', 'Old Pier', 'Weir'].map((place) => ({
    type: 'field_note',
    markdown: note(place, 'dry'),
  }));
  const invoices = ['A-1', 'A-2'].map((no) => ({ type: 'invoice', markdown: `INVOICE ${no}\n${INVOICE_FIELDS}` }));
  const fresh = note('Harbour', 'windy');

  test('show what a description does not', () => {
    expect(typeOf(fresh)).toBeNull();
    expect(typeOf(fresh, [...examples, ...invoices])).toBe('field_note');
  });

  test('do not pull in what is unlike them', () => {
    expect(typeOf('A poem about the sea and its ships.', [...examples, ...invoices])).toBeNull();
    expect(typeOf(`INVOICE\n${INVOICE_FIELDS}`, [...examples, ...invoices])).toBe('invoice');
  });

  test('decide nothing where a few of them were put wrongly', () => {
    const wrong = { type: 'invoice', markdown: note('Dyke', 'foggy') };
    expect(typeOf(fresh, [...examples, ...invoices, wrong])).toBe('field_note');
    expect(typeOf(`INVOICE\n${INVOICE_FIELDS}`, [...examples, ...invoices, { ...invoices[0]!, type: 'letter' }])).toBe(
      'invoice',
    );
  });

  test('of a type that there is not any more count for nothing', () => {
    const gone = examples.map((example) => ({ ...example, type: 'gone' }));
    expect(classifyByRules(fresh, types, gone)).toEqual(classifyByRules(fresh, types));
  });
});

test('the same text among the same types is always the same', () => {
  const classify = compileTypes(types);
  const markdown = `INVOICE\n${INVOICE_FIELDS}`;
  expect(classify(markdown)).toEqual(classifyByRules(markdown, types));
  expect(classify('Dear Sir,\n\nYours')).toEqual(classifyByRules('Dear Sir,\n\nYours', types));
});

test.each(['__review__', '__none', 'none', 'None'])(
  'no type can have the code %s, so none is ever a candidate',
  (code) => {
    expect(() => parseTypes({ types: [{ code, name: 'x' }] })).toThrow('code');
  },
);
