import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseTypes } from './document-types.ts';
import { openSource } from './evidence.ts';
import { extractFields } from './extract-fields.ts';
import { recordPage } from './page-record.ts';

/** Fields, given as name, description and type, of a type of papers. */
function typeOf(name: string, fields: readonly object[]) {
  return parseTypes({ types: [{ code: 'type', name, fields }] })[0]!;
}
const valuesOf = (markdown: string, type: ReturnType<typeof typeOf>) =>
  Object.fromEntries(Object.entries(extractFields(markdown, type)).map(([code, { value }]) => [code, value]));

const order = typeOf('订单 Order', [
  { code: 'no', name: '订单编号 Order number', type: 'string' },
  { code: 'on', name: '下单日期 Order date', type: 'date' },
  { code: 'by', name: '交货日期 Delivery date', description: '(Deliver by, Required by)', type: 'date' },
  { code: 'buyer', name: '采购方 Buyer', type: 'string' },
  { code: 'total', name: '总计 Total', description: 'Not one line (Subtotal, 小计).', type: 'money' },
  { code: 'tax', name: '税额 Tax', type: 'money' },
  { code: 'goods', name: '品名 Item', type: 'list', items: 'string' },
  { code: 'prices', name: '单价 Unit price', type: 'list', items: 'money' },
]);

describe('labels and values', () => {
  test.each([
    ['behind a colon', 'Order number: A-1', { no: 'A-1' }],
    ['without one', 'Order no. A-1', { no: 'A-1' }],
    ['glued together, as pictures are read', 'OrderNo.:A-1', { no: 'A-1' }],
    ['in cells', '| Order # | A-1 |\n| --- | --- |\n| Buyer | Jay Ltd |', { no: 'A-1', buyer: 'Jay Ltd' }],
    [
      'above values, two by two',
      '| Order number | Buyer |\n| --- | --- |\n| A-1 | Jay Ltd |\n| Order date | Item |\n| 3 May 2026 | Tea |',
      { no: 'A-1', buyer: 'Jay Ltd', on: '2026-05-03' },
    ],
    ['in columns of plain text', 'Buyer:      Order number:\nJay Ltd      A-1', { no: 'A-1', buyer: 'Jay Ltd' }],
    ['in two languages', '采购方 Buyer：甲社', { buyer: '甲社' }],
    ['in traditional characters', '訂單編號：A-1\n採購方：甲社', { no: 'A-1' }],
    ['under the head of a group', '| 采购方信息 | 备注 |\n| --- | --- |\n| 名称：甲社 | 电话：1 |', { buyer: '甲社' }],
    [
      'a bare date is that of the paper',
      'Date: 3 May 2026\nRequired by: 9 May 2026',
      { on: '2026-05-03', by: '2026-05-09' },
    ],
    ['the date that stands alone', 'Jay Ltd\n\n3 May 2026\n\nPlease send tea.', { on: '2026-05-03' }],
    ['a label is no value', '| Buyer | Order number |\n| --- | --- |', { buyer: null, no: null }],
    ['a line to fill in is no value', 'Buyer: ________', { buyer: null }],
    ['what is not meant', 'Subtotal: ¥5.00\n小计：¥5.00', { total: null }],
    ['a total without tax is another amount', 'Total excl. tax: 440,00\nTotal incl. tax: 528,00 €', { total: 528 }],
    ['the day of a movement is no part of its label', '2026-08-01  总计   3,000.00', { total: 3000 }],
    ['nothing is guessed', 'Tea, 3 boxes, 5.00', { no: null, on: null, buyer: null, total: null }],
  ])('%s', (_name, markdown, wanted) => {
    expect(valuesOf(markdown, order)).toMatchObject(wanted);
  });

  test('the amount of a column is that of its total', () => {
    const table = '| 品名 | 金额 | 税额 |\n| --- | --- | --- |\n| 茶 | 10.00 | 1.00 |\n| 米 | 20.00 | 2.00 |';
    expect(valuesOf(`${table}\n| 合计 | ¥30.00 | ¥3.00 |`, order)).toMatchObject({ tax: 3 });
    // The reader may have set it apart, with fewer cells.
    expect(valuesOf(`${table}\n\n合   计   ¥30.00   ¥3.00`, order)).toMatchObject({ tax: 3 });
  });
});

describe('lists', () => {
  test.each([
    [
      'a column',
      '| Item | Qty | Unit price |\n| --- | --- | --- |\n| Tea | 2 | $5.00 |\n| Rice | 1 | $7.50 |\n| Total | | $17.50 |',
      ['Tea', 'Rice'],
      [5, 7.5],
    ],
    ['a label that is repeated', 'Item: Tea, green\nItem: Rice', ['Tea, green', 'Rice'], null],
    ['one text', '品名：茶、米；油', ['茶', '米', '油'], null],
    ['points below a heading', '## Item\n\n- Tea\n- Rice\n\nThank you', ['Tea', 'Rice'], null],
    ['numbered points', 'Item:\n1. Tea\n2. Rice', ['Tea', 'Rice'], null],
    ['one', 'Item: Tea', ['Tea'], null],
    ['none', 'Thank you', null, null],
  ])('%s', (_name, markdown, goods, prices) => {
    expect(valuesOf(markdown, order)).toMatchObject({ goods, prices });
  });

  test('amounts have one currency, if they all have it', () => {
    const table = (one: string) =>
      `| Item | Unit price |\n| --- | --- |\n| Tea | ${one} |\n| Rice | $7.50 |\n| Oil | $1.00 |`;
    expect(extractFields(table('$5.00'), order).prices).toMatchObject({ value: [5, 7.5, 1], currency: 'USD' });
    expect(extractFields(table('€5.00'), order).prices).toMatchObject({ value: [5, 7.5, 1], currency: null });
  });
});

const contract = typeOf('合同 Contract', [
  { code: 'no', name: '合同编号 Contract number', description: '(Agreement No.)', type: 'string' },
  { code: 'a', name: '甲方 Party A', description: 'The party named first (Client, Landlord).', type: 'string' },
  { code: 'b', name: '乙方 Party B', description: 'The party named second (Provider, Tenant).', type: 'string' },
  { code: 'signed_on', name: '签订日期 Date of signing', description: '(made on, entered into as of)', type: 'date' },
  { code: 'ends_on', name: '终止日期 End date', description: '(至…止, expires on, until)', type: 'date' },
  { code: 'amount', name: '合同金额 Amount', description: 'Not a deposit (deposit, 定金).', type: 'money' },
]);

describe('sentences', () => {
  test.each([
    [
      'This Agreement is made on 5 March 2026 and expires on 4 March 2028.',
      { signed_on: '2026-03-05', ends_on: '2028-03-04' },
    ],
    ['It begins on 1 April 2026 and goes on\nuntil 31 March 2028.', { ends_on: '2028-03-31' }],
    ['有效期自2026年3月12日起至2027年3月11日止。', { ends_on: '2027-03-11' }],
    ['本协议自2026年6月1日起执行，至2027年5月31日终止。', { ends_on: '2027-05-31' }],
    ['服务期限自二〇二六年二月一日至二〇二六年十二月三十一日。', { ends_on: '2026-12-31' }],
    ['The Client pays a total fee of USD 48,000.00 in instalments of USD 6,000.00.', { amount: 48000 }],
    ['合同总价人民币64000元，签订后付定金19200元。', { amount: 64000 }],
    ['Before that a deposit of $500.00 is due.', { amount: null }],
    ['甲方（盖章）：   乙方（盖章）：\n日期：2026年6月18日', { a: null, b: null, signed_on: '2026-06-18' }],
    ['鉴于双方于2026年3月12日签订了原合同。\n\n签订日期：2026年6月18日', { signed_on: '2026-06-18' }],
    ['Between Jay Ltd, of 2 Road (the “Client”) and Kay Inc. (the “Provider”).', { a: 'Jay Ltd', b: 'Kay Inc.' }],
    ['The Client shall give the Provider access.', { a: null, b: null }],
    ['甲方：甲社（以下简称“甲方”）\n乙方：乙社', { a: '甲社', b: '乙社' }],
    ['Ref: TA-5', { no: 'TA-5' }],
    [
      '甲方盖章：   乙方盖章：\n2026年2月25日   2026年2月25日\n有效期至2026年11月30日止。',
      { signed_on: '2026-02-25', ends_on: '2026-11-30' },
    ],
    ['合同履行期限：2026年3月1日—2026年11月30日。', { ends_on: '2026-11-30' }],
  ])('%j', (markdown, wanted) => {
    expect(valuesOf(markdown, contract)).toMatchObject(wanted);
  });
});

const letter = typeOf('函件 Letter', [
  {
    code: 'sender',
    name: '发函单位 Sender',
    description: 'Who writes (letterhead, or below the closing).',
    type: 'string',
  },
  { code: 'recipient', name: '收函单位 Recipient', description: 'Who is written to.', type: 'string' },
  { code: 'on', name: '日期 Date', description: 'The date of the letter itself.', type: 'date' },
  { code: 'subject', name: '事由 Subject', description: '(关于…的函, Subject)', type: 'string' },
  { code: 'reference', name: '文号 Reference', description: '(Our ref)', type: 'string' },
]);

describe('places of a letter', () => {
  test.each([
    [
      'in Chinese',
      '木棉社\n\n木函〔2026〕7号\n\n关于确认展位的函\n\n长庚公司：\n\n来函收悉，我社于2月26日回复。\n\n木棉社（测试）\n\n2026年3月5日',
      { recipient: '长庚公司', on: '2026-03-05', subject: '关于确认展位的函', reference: '木函〔2026〕7号' },
    ],
    [
      'in English',
      'Jay Museum\n2 Example Road\n\n1 July 2026\n\nKay Translations B.V.\nKade 5\n\nDear Sir or Madam,\n\nRe: Your terms\n\nPlease write by 3 August 2026.\n\nYours faithfully,\n\nJay Museum',
      { sender: 'Jay Museum', recipient: 'Kay Translations B.V.', on: '2026-07-01', subject: 'Your terms' },
    ],
    [
      'with a bold subject and the date behind the address',
      '**Jay Museum**\n\n2 Example Road\n\nThe Copper Hotel\n\n1 Riverside\n\nDate: 8 June 2026\n\nDear Office,\n\n**A second reminder**\n\nPlease pay.\n\nYours faithfully,\n\nJay Museum',
      { sender: 'Jay Museum', recipient: 'The Copper Hotel', on: '2026-06-08', subject: 'A second reminder' },
    ],
  ])('%s', (_name, markdown, wanted) => {
    expect(valuesOf(markdown, letter)).toMatchObject(wanted);
  });

  test('a mail that carries a letter: the letter, not the mail', () => {
    const mail =
      '- From: Front Desk <f@x.example>\n- To: Kay\n- Subject: Papers\n\nSee below.\n\nFront Desk\n\n## Attachment: a.pdf\n\n';
    const inner =
      '柳叶湾民宿\n\n关于退换一批门锁的函\n\n阿福五金商行：\n\n门锁有三把无法转动，请予更换，运费由贵方承担为盼，现随函说明情况，请查收后尽快回复我店，谢谢，此复为盼，敬请见谅，不胜感激。\n\n柳叶湾民宿\n\n2026年6月12日';
    expect(valuesOf(mail + inner, letter)).toMatchObject({
      sender: '柳叶湾民宿',
      recipient: '阿福五金商行',
      subject: '关于退换一批门锁的函',
    });
  });
});

const other = typeOf('Check', [
  { code: 'count', name: '笔数 Count', description: '(共 N 笔)', type: 'number' },
  {
    code: 'paid_by',
    name: 'Paid by',
    type: 'enum',
    values: [
      { code: 'cash', name: '现金', examples: ['cash'] },
      { code: 'card', name: '刷卡', examples: ['Visa'] },
    ],
  },
  { code: 'fit', name: 'Fit for work', type: 'boolean' },
]);

test.each([
  ['本期共 46 笔交易。', { count: 46 }],
  ['Count: 18', { count: 18 }],
  ['现金 实收   200.00元', { paid_by: 'cash' }],
  ['VISA DEBIT ****0000   £68.20', { paid_by: 'card' }],
  ['现金   5.00\nVisa   3.00', { paid_by: null }],
  ['Fit for work: No', { fit: false }],
])('%j', (markdown, wanted) => {
  expect(valuesOf(markdown, other)).toMatchObject(wanted);
});

test('a value says where it stands: verbatim, and on which page', () => {
  const first = 'Order number: A-1';
  const second = '| Total | **¥5.00** |';
  const markdown = `${first}\n\n${second}`;
  const pages = [recordPage(1, first, 0), recordPage(2, second, first.length + 2)];
  const found = extractFields(markdown, order, pages);
  expect(found.no).toMatchObject({ evidence: first, page: 1, raw: 'A-1', source: 'rules', warnings: [] });
  expect(found.total).toMatchObject({
    value: 5,
    currency: 'CNY',
    raw: '¥5.00',
    evidence: 'Total | **¥5.00**',
    page: 2,
  });
  expect(found.tax).toEqual({ value: null, raw: null, evidence: null, page: null, source: 'rules', warnings: [] });
});

test('whatever the text is, evidence stands in it and reading ends', () => {
  const piece = fc.constantFrom(
    ...[
      'Order number',
      '订单编号',
      '：',
      ':',
      ' ',
      '   ',
      '\n',
      '\n\n',
      '|',
      '¥5.00',
      '3 May 2026',
      '至',
      'A-1',
      '甲社',
      '**',
      '\\',
      '(',
      '）',
      '合计',
      'Item',
      '- ',
    ],
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join('')),
      (markdown) => {
        for (const type of [order, contract, letter]) {
          const source = openSource(markdown);
          for (const { evidence, value } of Object.values(extractFields(markdown, type))) {
            expect(evidence === null).toBe(value === null);
            if (evidence !== null) {
              expect(markdown).toContain(evidence);
              expect(source.locate(evidence)).not.toBeNull();
            }
          }
        }
      },
    ),
  );
});
