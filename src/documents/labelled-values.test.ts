import fc from 'fast-check';
import { expect, test } from 'vitest';
import { documentLines } from './document-lines.ts';
import { labelledValues } from './labelled-values.ts';

const LABELS = new Set([
  '发票号码',
  '开票日期',
  '名称',
  '纳税人识别号',
  'invoice no',
  'receipt no',
  'date',
  'vendor',
  'bill to',
  '收款单位',
]);
const pairsOf = (text: string) => labelledValues(text, documentLines(text).all, (plain) => LABELS.has(plain));
const told = (text: string) => pairsOf(text).map(({ label, value, how }) => [label, value, how]);

test.each([
  ['Invoice No.: 17', [['invoice no', '17', 'colon']]],
  [
    '发票号码：26990 开票日期：2026年3月5日',
    [
      ['发票号码', '26990', 'colon'],
      ['开票日期', '2026年3月5日', 'colon'],
    ],
  ],
  [
    '名称：柳叶湾（测试）纳税人识别号：99X',
    [
      ['名称', '柳叶湾（测试）', 'colon'],
      ['纳税人识别号', '99X', 'colon'],
    ],
  ],
  ['Invoice No. 17', [['invoice no', '17', 'after']]],
  ['Till receipt no.000318', [['till receipt no', '000318', 'after']]],
  ['Invoice No. 17 Date 3 May 2026', [['invoice no', '17', 'after']]],
  ['收款单位（盖章）  青柠中心', [['收款单位(盖章)', '青柠中心', 'after']]],
  ['| Total | ¥5.00 |', [['total', '¥5.00', 'cell']]],
  ['| Total |  | ¥5.00 |', [['total', '¥5.00', 'cell']]],
  [
    'Vendor:      Bill to:\nKestrel Inc.      Juniper College',
    [
      ['vendor', 'Kestrel Inc.', 'colon'],
      ['bill to', 'Juniper College', 'colon'],
    ],
  ],
  ['TOTAL\n1,480.00', [['total', '1,480.00', 'below']]],
  ['Received: 12:30', [['received', '12:30', 'colon']]],
  ['Open 9:30', []],
  ['https://example.example/x', []],
  ['Period: 1 March 2026 to\n31 March 2026', [['period', '1 March 2026 to\n31 March 2026', 'colon']]],
] as const)('the pairs of %j', (text, pairs) => {
  expect(told(text)).toEqual(expect.arrayContaining(pairs as never));
  expect(told(text).filter(([, , how]) => how === 'colon' || how === 'after')).toEqual(
    pairs.filter(([, , how]) => how === 'colon' || how === 'after'),
  );
});

test('a label below the head of a group, or beside it, is also read with it', () => {
  const below = told('| 购买方信息 | 销售方信息 |\n| --- | --- |\n| 名称：甲社 | 名称：乙社 |');
  expect(below).toEqual(
    expect.arrayContaining([
      ['购买方名称', '甲社', 'colon'],
      ['销售方名称', '乙社', 'colon'],
    ]),
  );
  expect(told('| Buyer | Name: Jay Ltd |')).toContainEqual(['buyer name', 'Jay Ltd', 'colon']);
});

test('what stands below a label is told from the first of many', () => {
  const head = '| Date | Amount |\n| --- | --- |\n| 1 May | 5.00 |';
  expect(
    pairsOf(head)
      .filter(({ how }) => how === 'below')
      .map(({ isColumn }) => isColumn),
  ).toEqual([false, false]);
  expect(pairsOf(`${head}\n| 2 May | 6.00 |`).find(({ label }) => label === 'amount')!.isColumn).toBe(true);
});

test('every pair says where it stands', () => {
  const piece = fc.constantFrom(
    'Date',
    '名称',
    '：',
    ': ',
    '|',
    '\n',
    '   ',
    '**',
    '5.00',
    '甲社',
    '(',
    '\\',
    ' ',
    'No.',
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join('')),
      (text) => {
        for (const { start, end, valueStart } of pairsOf(text)) {
          expect(start).toBeLessThanOrEqual(valueStart);
          expect(valueStart).toBeLessThan(end);
          expect(end).toBeLessThanOrEqual(text.length);
        }
      },
    ),
  );
});
