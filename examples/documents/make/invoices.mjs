import { add, amount, capitals, date, money, times } from './format.mjs';
import { excelFile, jpegImage, mail, mixedPdf, pngImage, rotatedPdf, scannedPdf, textPdf, wordFile } from './forms.mjs';
import { dateCell, grid, numberCell, para } from './office.mjs';
import { Page } from './page.mjs';

const label = (v, due = null) => ({
  invoice_no: v.no,
  issued_on: v.on,
  due_on: due,
  seller: v.seller,
  buyer: v.buyer ?? null,
  total: money(v.total, v.currency),
  tax: v.tax === null ? null : money(v.tax, v.currency),
});

/** Adds net, tax and total to lines of [name, unit, count, price]. */
function summed(v, rate) {
  const lines = v.lines.map(([name, unit, count, price]) => [name, unit, count, price, times(price, count)]);
  const net = add(...lines.map((line) => line[4]));
  const tax = times(net, rate);
  return { ...v, lines, rate, net, tax, total: add(net, tax) };
}

// The layout of the national electronic invoice: boxes for buyer and seller, lines, total in capitals and figures.
function fapiao(v, style = 'zh0') {
  const p = new Page({ lang: 'zh', face: 'serif', width: 620, height: 430, size: 9 });
  p.text(310, 42, `电子发票（${v.special ? '增值税专用发票' : '普通发票'}）`, { size: 18, align: 'centre' });
  p.line(180, 50, 440, 50).line(180, 53, 440, 53);
  p.text(452, 36, `发票号码：${v.no}`).text(452, 52, `开票日期：${date(v.on, style)}`);
  p.box(20, 66, 580, 340);
  for (const [x, side, name, id] of [
    [20, '购买方信息', v.buyer, v.buyerId],
    [310, '销售方信息', v.seller, v.sellerId],
  ]) {
    for (const [i, c] of [...side].entries()) p.text(x + 6, 78 + i * 13, c);
    p.line(x + 20, 66, x + 20, 136);
    p.text(x + 28, 88, `名称：${name}`).text(x + 28, 116, `统一社会信用代码/纳税人识别号：${id}`, { size: 7.5 });
  }
  p.line(310, 66, 310, 136).line(20, 136, 600, 136);
  const cell = (y, row) => {
    const xs = [26, 190, 268, 350, 420, 470, 594];
    for (const [i, value] of row.entries()) p.text(xs[i], y, value, { align: i > 2 && i !== 5 ? 'right' : 'left' });
  };
  cell(150, ['项目名称', '单位', '数量', '单价', '金额', '税率/征收率', '税额']);
  for (const [i, [name, unit, count, price, sum]] of v.lines.entries())
    cell(170 + i * 18, [name, unit, String(count), price, sum, `${Math.round(v.rate * 100)}%`, times(sum, v.rate)]);
  p.text(60, 306, '合　　计').text(420, 306, amount(v.net, 'yenBare'), { align: 'right' });
  p.text(594, 306, amount(v.tax, 'yenBare'), { align: 'right' });
  p.line(20, 314, 600, 314).line(20, 340, 600, 340).line(160, 314, 160, 340);
  p.text(40, 331, '价税合计（大写）').text(172, 331, capitals(v.total), { size: 11 });
  p.text(420, 331, `（小写）${amount(v.total, 'yenBare')}`, { size: 11 });
  p.text(28, 360, `备注：${v.note ?? ''}`).text(40, 420, `开票人：${v.clerk ?? '开票员01'}`);
  return p;
}

const z1 = summed(
  {
    no: '26990000000000300417',
    on: '2026-03-05',
    currency: 'CNY',
    seller: '青梧文具（测试）有限公司',
    sellerId: '99000000000000001X',
    buyer: '云岫数据科技（测试）有限公司',
    buyerId: '99000000000000002X',
    lines: [
      ['*文具*签字笔', '盒', 40, '12.50'],
      ['*纸制品*复印纸A4', '箱', 5, '118.50'],
    ],
  },
  0.13,
);
const z2 = summed(
  {
    no: '26990000000000518862',
    on: '2026-04-21',
    special: true,
    currency: 'CNY',
    seller: '石榴街物流（测试）有限公司',
    sellerId: '99000000000000003X',
    buyer: '雨前茶业（测试）股份有限公司',
    buyerId: '99000000000000004X',
    lines: [['*物流辅助服务*仓储费', '月', 3, '4200.00']],
    note: '合同号 CK-2026-017',
  },
  0.06,
);
const z3 = summed(
  {
    no: 'FP-2026-0318-02',
    on: '2026-03-18',
    currency: 'CNY',
    seller: '北斗巷网络技术（测试）有限公司',
    buyer: '木棉花出版社（测试）',
    lines: [
      ['网站维护服务', '季', 1, '8600.00'],
      ['SSL证书', '张', 2, '350.00'],
    ],
  },
  0.06,
);
const z4 = summed(
  {
    no: '00418273',
    on: '2026-04-02',
    currency: 'CNY',
    seller: '阿福五金商行（测试）',
    buyer: '柳叶湾民宿（测试）',
    lines: [
      ['不锈钢合页', '个', 60, '4.80'],
      ['膨胀螺丝', '包', 12, '9.00'],
    ],
  },
  0.03,
);
const z5 = summed(
  {
    no: 'XS20260511-009',
    on: '2026-05-11',
    currency: 'CNY',
    seller: '三棵松办公设备（测试）有限公司',
    buyer: '海葵教育咨询（测试）有限公司',
    lines: [
      ['激光打印机', '台', 2, '1899.00'],
      ['硒鼓', '支', 6, '259.00'],
    ],
  },
  0.13,
);
const z6 = summed(
  {
    no: '26990000000000660135',
    on: '2026-06-09',
    currency: 'CNY',
    seller: '拾光印务（测试）有限公司',
    buyer: '小满社区服务中心（测试）',
    lines: [['*印刷品*宣传册', '册', 2000, '1.85']],
  },
  0.09,
);
const z7 = summed(
  {
    no: '26990000000000774090',
    on: '2026-07-14',
    currency: 'CNY',
    seller: '长庚会展服务（测试）有限公司',
    sellerId: '99000000000000007X',
    buyer: '木棉花出版社（测试）',
    buyerId: '99000000000000008X',
    lines: [
      ['*会展服务*展位费', '个', 2, '6800.00'],
      ['*会展服务*搭建费', '平方米', 36, '85.00'],
    ],
  },
  0.06,
);

function stacked(v) {
  const p = new Page({ lang: 'zh', size: 11 });
  p.text(60, 80, v.seller, { size: 15, bold: true }).text(535, 80, '发　票', { size: 22, align: 'right' });
  p.line(60, 95, 535, 95, 1.2);
  p.pairs(
    60,
    125,
    [
      ['发票号码', v.no],
      ['开票日期', date(v.on, 'zh')],
    ],
    { mode: 'above' },
  );
  p.pairs(
    300,
    125,
    [
      ['购买方', v.buyer],
      ['销售方', v.seller],
    ],
    { mode: 'above' },
  );
  const rows = v.lines.map(([name, unit, count, price, sum]) => [
    name,
    unit,
    String(count),
    amount(price, 'plain'),
    amount(sum, 'plain'),
  ]);
  const y = p.table(
    60,
    220,
    [
      ['服务名称', 180],
      ['单位', 50],
      ['数量', 55, 'right'],
      ['单价', 90, 'right'],
      ['金额', 100, 'right'],
    ],
    rows,
  );
  p.pairs(
    380,
    y + 30,
    [
      ['不含税金额', ''],
      ['税额（6%）', ''],
      ['价税合计', ''],
    ],
    { mode: 'left' },
  );
  for (const [i, value] of [v.net, v.tax, v.total].entries())
    p.text(535, y + 30 + i * 18.7, amount(value, 'yen'), { align: 'right', bold: i === 2 });
  p.text(60, y + 110, '收款账户：测试银行示范支行 0000 0000 0000 0001', { size: 9, grey: 80 });
  return p;
}

function labelLeft(v) {
  const p = new Page({ lang: 'zh', width: 480, height: 560, size: 12 });
  p.text(240, 50, '商业零售发票', { size: 20, bold: true, align: 'centre' });
  p.pairs(
    40,
    95,
    [
      ['发票号码', v.no],
      ['开票日期', date(v.on, 'slash')],
      ['购货单位', v.buyer],
      ['销货单位', v.seller],
    ],
    { mode: 'left', gap: 100 },
  );
  const rows = v.lines.map(([name, unit, count, price, sum]) => [name, unit, String(count), price, sum]);
  const y = p.table(
    40,
    190,
    [
      ['品名', 140],
      ['单位', 50],
      ['数量', 60, 'right'],
      ['单价', 65, 'right'],
      ['金额', 85, 'right'],
    ],
    rows,
  );
  p.pairs(
    40,
    y + 36,
    [
      ['税额', amount(v.tax, 'yuan')],
      ['价税合计', amount(v.total, 'yuan')],
      ['大写', capitals(v.total)],
    ],
    { mode: 'left', gap: 100, step: 24 },
  );
  return p;
}

// ------------------------------------------------------------------------------------------------ English

const e1 = {
  no: 'INV-20417',
  on: '2026-03-05',
  currency: 'USD',
  seller: 'Larkspur Analytics Inc.',
  buyer: 'Tidewater Kayak Rentals LLC',
  net: '4800.00',
  tax: '396.00',
  total: '5196.00',
};
const e2 = {
  no: 'R-2026-0093',
  on: '2026-03-05',
  currency: 'EUR',
  seller: 'Holzapfel Werkzeuge GmbH',
  buyer: 'Brindle & Moss Ltd',
  net: '1038.24',
  tax: '197.27',
  total: '1235.51',
};
const e3 = {
  no: 'SB/1187',
  on: '2026-05-03',
  currency: 'GBP',
  seller: 'Sandbank Interiors Ltd',
  buyer: 'The Copper Heron Hotel',
  net: '2150.00',
  tax: '430.00',
  total: '2580.00',
};
const e4 = {
  no: 'NW-55021',
  on: '2026-02-17',
  currency: 'USD',
  seller: 'Northwind Hosting Co.',
  buyer: 'Paperkite Studio',
  net: '149.00',
  tax: '0.00',
  total: '149.00',
};
const e5 = {
  no: '2026-311',
  on: '2026-06-30',
  currency: 'EUR',
  seller: 'Quayside Translations B.V.',
  buyer: 'Fernhill Museum Trust',
  net: '1860.00',
  tax: '390.60',
  total: '2250.60',
};
const e6 = {
  no: 'HG-7741',
  on: '2026-01-22',
  currency: 'USD',
  seller: 'Halfgreen Landscaping',
  buyer: 'Orchard Row Condominiums',
  net: '1325.00',
  tax: '106.00',
  total: '1431.00',
};
const e7 = {
  no: 'MC-2026-118',
  on: '2026-08-14',
  currency: 'GBP',
  seller: 'Millrace Catering Ltd',
  buyer: 'Pebble Bay Sailing Club',
  net: '3475.00',
  tax: '695.00',
  total: '4170.00',
};
const e8 = {
  no: '0615-A',
  on: '2026-06-15',
  currency: 'USD',
  seller: "Wren's Mobile Bike Repair",
  buyer: null,
  tax: null,
  total: '86.50',
};
const e9 = {
  no: '90210-7',
  on: '2026-05-03',
  currency: null,
  seller: 'Glasswing Design Studio',
  buyer: 'Marlow Tea Importers',
  tax: null,
  total: '1480.00',
};

function american(v, { lines, due }) {
  const p = new Page({ size: 10 });
  p.text(50, 70, v.seller, { size: 16, bold: true }).text(545, 70, 'INVOICE', {
    size: 24,
    bold: true,
    align: 'right',
    grey: 90,
  });
  p.text(50, 88, '1200 Example Avenue, Suite 4, Springfield, OR 97000');
  p.text(50, 102, 'billing@larkspur.example  |  (555) 0100');
  p.text(50, 150, 'BILL TO', { size: 8, grey: 100 })
    .text(50, 165, v.buyer, { bold: true })
    .text(50, 179, '8 Harbor Example Road, Astoria, OR 97100');
  for (const [i, [name, value]] of [
    ['Invoice #', v.no],
    ['Invoice Date', date(v.on, 'us')],
    ['Due Date', date(due, 'us')],
    ['P.O. #', 'PO-8831'],
  ].entries())
    p.text(400, 150 + i * 16, name, { align: 'left', bold: true }).text(545, 150 + i * 16, value, { align: 'right' });
  const y = p.table(
    50,
    240,
    [
      ['Description', 275],
      ['Qty', 50, 'right'],
      ['Rate', 80, 'right'],
      ['Amount', 90, 'right'],
    ],
    lines,
    { grid: 'rows' },
  );
  for (const [i, [name, value]] of [
    ['Subtotal', v.net],
    ['Sales Tax (8.25%)', v.tax],
    ['Total', v.total],
    ['Amount Paid', '0.00'],
    ['Balance Due', v.total],
  ].entries())
    p.text(380, y + 30 + i * 18, name, { bold: i === 4 }).text(541, y + 30 + i * 18, amount(value, 'usd'), {
      align: 'right',
      bold: i === 4,
    });
  p.flow(
    50,
    y + 150,
    480,
    'Please make checks payable to Larkspur Analytics Inc. Interest of 1.5% per month is charged on overdue balances.',
    { size: 9, grey: 70 },
  );
  return p;
}

function german(v) {
  const p = new Page({ face: 'serif', size: 11 });
  p.text(60, 70, v.seller, { size: 17, bold: true }).text(60, 86, 'Musterweg 1, 00000 Beispielstadt, Germany', {
    size: 9,
  });
  p.flow(60, 140, 220, `${v.buyer}\n14 Sample Lane\nEX1 0AA Exampleton\nUnited Kingdom`);
  p.pairs(
    350,
    140,
    [
      ['Invoice no.', v.no],
      ['Invoice date', date(v.on, 'dots')],
      ['Delivery date', date('2026-02-27', 'dots')],
      ['VAT ID', 'DE000000000'],
    ],
    { mode: 'left', gap: 85 },
  );
  p.text(60, 250, 'Invoice', { size: 18, bold: true });
  const y = p.table(
    60,
    270,
    [
      ['Pos.', 40],
      ['Article', 220],
      ['Qty', 50, 'right'],
      ['Price', 80, 'right'],
      ['Sum', 85, 'right'],
    ],
    [
      ['1', 'Planing bench, beech', '2', '420,00', '840,00'],
      ['2', 'Set of chisels, 6 pcs', '3', '66,08', '198,24'],
    ],
  );
  for (const [i, [name, value]] of [
    ['Net amount', v.net],
    ['VAT 19 %', v.tax],
    ['Total amount', v.total],
  ].entries())
    p.text(340, y + 28 + i * 18, name, { bold: i === 2 }).text(531, y + 28 + i * 18, amount(value, 'eu'), {
      align: 'right',
      bold: i === 2,
    });
  p.flow(
    60,
    y + 120,
    470,
    `Payable without deduction by ${date('2026-04-04', 'dots')}. Bank: Beispielbank, IBAN DE00 0000 0000 0000 0000 00.`,
  );
  return p;
}

function plain(v, { title, rows, meta, style = 'usd', totals, size = 11, foot = '' }) {
  const p = new Page({ size });
  p.text(60, 70, title, { size: 22, bold: true });
  p.text(60, 95, v.seller, { bold: true });
  let y = p.pairs(60, 130, meta, { mode: 'colon' });
  y = p.table(
    60,
    y + 15,
    [
      ['Item', 300],
      ['Amount', 110, 'right'],
    ],
    rows.map(([name, value]) => [name, amount(value, style)]),
    { grid: 'rows' },
  );
  for (const [i, [name, value]] of totals.entries())
    p.text(250, y + 30 + i * 20, name, { bold: i === totals.length - 1 }).text(
      466,
      y + 30 + i * 20,
      amount(value, style),
      { align: 'right', bold: i === totals.length - 1 },
    );
  if (foot) p.flow(60, y + 60 + totals.length * 20, 470, foot, { size: size - 1 });
  return p;
}

function glasswing(v) {
  const p = new Page({ face: 'serif', size: 12 });
  p.text(60, 90, 'Invoice', { size: 30 });
  p.pairs(
    60,
    140,
    [
      ['FROM', v.seller],
      ['TO', v.buyer],
    ],
    { mode: 'above' },
  );
  p.pairs(
    360,
    140,
    [
      ['INVOICE NUMBER', v.no],
      ['DATE', date(v.on, 'dmy')],
    ],
    { mode: 'above' },
  );
  const y = p.table(
    60,
    240,
    [
      ['', 330],
      ['', 120, 'right'],
    ],
    [
      ['Packaging concept, three variants', '1,200.00'],
      ['Two rounds of changes', '280.00'],
    ],
    { grid: 'rows' },
  );
  p.text(60, y + 50, 'TOTAL', { size: 9, grey: 90 }).text(60, y + 72, amount(v.total, 'plain'), {
    size: 18,
    bold: true,
  });
  p.text(60, 760, 'Thank you for working with us.', { grey: 90 });
  return p;
}

const half = new Page({ size: 11 });
half.text(60, 80, e7.seller, { size: 20, bold: true }).text(60, 98, '3 Weir Example Street, Millford');
half.pairs(
  60,
  150,
  [
    ['Invoice number', e7.no],
    ['Tax point', date(e7.on, 'uk')],
    ['Payment due', date('2026-09-13', 'uk')],
  ],
  { mode: 'left', gap: 110 },
);
half
  .text(330, 150, 'Customer', { grey: 80 })
  .text(330, 168, e7.buyer, { bold: true })
  .text(330, 184, 'The Boathouse, Pebble Bay');
half.flow(
  60,
  250,
  470,
  'Summer regatta, three days of catering. The particulars of each day and the amount payable are set out overleaf; the signed delivery sheets are kept at our office and can be inspected on request.',
);
half.text(300, 800, 'Page 1 of 2', { size: 9, align: 'centre' });
const overleaf = new Page({ size: 12 });
overleaf.text(60, 80, `Invoice ${e7.no}, continued`, { bold: true });
const below = overleaf.table(
  60,
  110,
  [
    ['Day', 150],
    ['Covers', 80, 'right'],
    ['Price', 100, 'right'],
    ['Amount', 120, 'right'],
  ],
  [
    ['Friday supper', '60', '£18.50', '£1,110.00'],
    ['Saturday lunch', '85', '£11.00', '£935.00'],
    ['Sunday dinner', '65', '£22.00', '£1,430.00'],
  ],
);
for (const [i, [name, value]] of [
  ['Net total', e7.net],
  ['VAT at 20%', e7.tax],
  ['Total payable', e7.total],
].entries())
  overleaf
    .text(290, below + 34 + i * 22, name, { bold: i === 2 })
    .text(506, below + 34 + i * 22, amount(value, 'gbp'), { align: 'right', bold: i === 2 });

const e4page = plain(e4, {
  title: 'Invoice',
  meta: [
    ['Invoice number', e4.no],
    ['Date of issue', date(e4.on, 'us')],
    ['Date due', date('2026-03-03', 'us')],
    ['Billed to', e4.buyer],
  ],
  rows: [
    ['Managed hosting, plan M, 1 month', '129.00'],
    ['Off-site backup', '20.00'],
  ],
  totals: [
    ['Subtotal', e4.net],
    ['Tax (0%)', e4.tax],
    ['Total', e4.total],
  ],
});

const zh = (v, form, extra = {}) => ({ language: 'zh', type: 'invoice', fields: label(v), ...extra, ...form });
const en = (v, due, form, extra = {}) => ({
  language: 'en',
  type: 'invoice',
  fields: label(v, due),
  ...extra,
  ...form,
});

export const invoices = [
  zh(z1, textPdf([fapiao(z1)])),
  zh(z2, scannedPdf([fapiao(z2)], { dpi: 170 })),
  zh(z3, textPdf([stacked(z3)])),
  zh(z4, pngImage(labelLeft(z4))),
  zh(
    z5,
    excelFile([
      {
        name: 'Sheet1',
        widths: [16, 26, 8, 12, 14],
        rows: [
          ['三棵松办公设备（测试）有限公司'],
          ['销售发票'],
          ['发票号码', z5.no, '', '开票日期', dateCell(z5.on, 'yyyy"年"m"月"d"日"')],
          ['购买方名称', z5.buyer],
          ['销售方名称', z5.seller],
          [],
          ['序号', '货物名称', '数量', '单价', '金额'],
          ...z5.lines.map(([name, , count, price, sum], i) => [
            i + 1,
            name,
            count,
            numberCell(price, '#,##0.00'),
            numberCell(sum, '#,##0.00'),
          ]),
          [],
          ['', '', '', '合计金额', numberCell(z5.net, '"¥"#,##0.00')],
          ['', '', '', '税额', numberCell(z5.tax, '"¥"#,##0.00')],
          ['', '', '', '价税合计', numberCell(z5.total, '"¥"#,##0.00')],
        ],
      },
    ]),
  ),
  zh(
    z6,
    wordFile([
      para('普通发票', { bold: true, size: 18, align: 'centre' }),
      para(`发票号码：${z6.no}\t\t开票日期：${date(z6.on, 'zhSpaced')}`),
      grid(
        [
          ['购买方', z6.buyer],
          ['销售方', z6.seller],
        ],
        [1800, 7000],
      ),
      para(''),
      grid(
        [
          ['项目名称', '数量', '单价', '金额', '税率', '税额'],
          ...z6.lines.map(([name, , count, price, sum]) => [name, count, price, sum, '9%', z6.tax]),
          ['合计', '', '', amount(z6.net, 'yenBare'), '', amount(z6.tax, 'yenBare')],
          ['价税合计（大写）', capitals(z6.total), '', '（小写）', amount(z6.total, 'yenBare'), ''],
        ],
        [2400, 1300, 1200, 1400, 1300, 1300],
      ),
      para('备注：货到验收后三十日内付款。'),
    ]),
  ),
  zh(z7, rotatedPdf([fapiao(z7)], [90])),
  en(
    e1,
    '2026-04-04',
    textPdf([
      american(e1, {
        due: '2026-04-04',
        lines: [
          ['Data audit, on site', '4', '$950.00', '$3,800.00'],
          ['Quarterly report', '1', '$1,000.00', '$1,000.00'],
        ],
      }),
    ]),
  ),
  en(e2, '2026-04-04', scannedPdf([german(e2)], { skew: -0.7 })),
  en(
    e3,
    '2026-05-17',
    wordFile([
      para(e3.seller, { bold: true, size: 16 }),
      para('Unit 9, Sample Wharf, Exampleton EX2 0BB · VAT Reg. GB 000 0000 00'),
      para('SALES INVOICE', { heading: 1 }),
      grid(
        [
          ['Invoice No.', e3.no, 'Customer', e3.buyer],
          ['Invoice Date', date(e3.on, 'dmy'), 'Payment Due', date('2026-05-17', 'dmy')],
        ],
        [1500, 2300, 1600, 3400],
        { borders: false },
      ),
      para(''),
      grid(
        [
          ['Description', 'Net'],
          ['Re-upholstery of 10 lounge chairs', '£1,900.00'],
          ['Collection and delivery', '£250.00'],
          ['Net total', '£2,150.00'],
          ['VAT @ 20%', '£430.00'],
          ['Total due', '£2,580.00'],
        ],
        [6400, 2400],
      ),
    ]),
    { note: '03/05/2026: day first, as the due date 17/05/2026, pounds and the VAT number show' },
  ),
  en(
    e4,
    '2026-03-03',
    mail(
      {
        from: ['Northwind Hosting Billing', 'billing@northwind.example'],
        to: ['Paperkite Studio', 'office@paperkite.example'],
        subject: 'Your invoice NW-55021 from Northwind Hosting Co.',
        date: 'Tue, 17 Feb 2026 08:14:00 +0000',
        text: 'Hello,\n\nplease find attached our invoice for this month. We will charge the card on file on the due date.\n\nKind regards\nNorthwind Hosting Billing\n',
      },
      [{ name: 'NW-55021.pdf', form: textPdf([e4page]) }],
    ),
  ),
  en(
    e5,
    '2026-07-14',
    excelFile([
      {
        name: 'Invoice',
        widths: [24, 30, 14],
        rows: [
          ['Quayside Translations B.V.'],
          ['INVOICE'],
          [],
          ['Invoice number', e5.no],
          ['Invoice date', dateCell(e5.on, 'dd/mm/yyyy')],
          ['Due date', dateCell('2026-07-14', 'dd/mm/yyyy')],
          ['Bill to', e5.buyer],
          [],
          ['Service', 'Words', 'Amount'],
          ['Translation NL-EN, catalogue', 12400, numberCell('1612.00', '"€"#,##0.00')],
          ['Proofreading', 12400, numberCell('248.00', '"€"#,##0.00')],
          ['', 'Subtotal', numberCell(e5.net, '"€"#,##0.00')],
          ['', 'VAT 21%', numberCell(e5.tax, '"€"#,##0.00')],
          ['', 'Total', numberCell(e5.total, '"€"#,##0.00')],
        ],
      },
      { name: 'Notes', rows: [['Rates are those of the framework of 2025; next review 01/01/2027.']] },
    ]),
    { note: 'dates are typed cells shown as dd/mm/yyyy' },
  ),
  en(
    e6,
    '2026-02-21',
    rotatedPdf(
      [
        plain(e6, {
          title: 'INVOICE',
          meta: [
            ['Invoice No', e6.no],
            ['Date', date(e6.on, 'monUs')],
            ['Customer', e6.buyer],
            ['Terms', `Net 30, due ${date('2026-02-21', 'monUs')}`],
          ],
          rows: [
            ['Winter pruning, 53 trees', '1060.00'],
            ['Removal of brush', '265.00'],
          ],
          totals: [
            ['Subtotal', e6.net],
            ['Tax 8%', e6.tax],
            ['Total Due', e6.total],
          ],
          size: 12,
        }),
      ],
      [180],
      { flag: false, scanner: { skew: 0.4 } },
    ),
  ),
  en(e7, '2026-09-13', mixedPdf([half, overleaf], [1])),
  en(
    e8,
    null,
    jpegImage(
      plain(e8, {
        title: 'Invoice',
        meta: [
          ['Invoice no.', e8.no],
          ['Date', date(e8.on, 'uk')],
        ],
        rows: [
          ['New chain fitted', '48.00'],
          ['Brake pads, pair', '22.50'],
          ['Call-out', '16.00'],
        ],
        totals: [['Total', e8.total]],
        size: 13,
        foot: 'Not registered for sales tax. Cash or transfer within 14 days, please.',
      }),
      { dpi: 120, skew: 1.3, noise: 14, paper: 232 },
    ),
  ),
  en(e9, null, textPdf([glasswing(e9)]), {
    note: 'no currency is named, so one that is guessed is wrong',
    ambiguous: [
      {
        field: 'issued_on',
        accept: ['2026-05-03', '2026-03-05', null],
        note: '03/05/2026 and nothing on the page says which comes first',
      },
    ],
  }),
];
