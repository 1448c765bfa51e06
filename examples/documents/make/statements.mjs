import { e1, e2, e3, e4, e5, z1, z2, z3, z4 } from './accounts.mjs';
import { pagesOf } from './flow.mjs';
import { amount, date, money } from './format.mjs';
import { excelFile, mail, mixedPdf, pngImage, rotatedPdf, scannedPdf, textPdf } from './forms.mjs';
import { dateCell, numberCell } from './office.mjs';
import { Page } from './page.mjs';

const statement = (language, v, form, extra = {}) => ({
  language,
  type: 'bank_statement',
  fields: {
    bank: v.bank,
    account_no: v.account,
    account_holder: v.holder,
    period_from: v.from,
    period_to: v.to,
    opening_balance: money(v.opening, v.currency),
    closing_balance: money(v.closing, v.currency),
    entry_count: v.counted ? v.entries.length : null,
  },
  ...extra,
  ...form,
});

const rowsOf = (v, dateStyle, style = 'plain') =>
  v.entries.map(({ on, text, sum, balance }) => {
    const out = sum.startsWith('-');
    return [
      date(on, dateStyle),
      text,
      out ? amount(sum.slice(1), style) : '',
      out ? '' : amount(sum, style),
      amount(balance, style),
    ];
  });
const columnsZh = [
  ['交易日期', 80],
  ['摘要', 110],
  ['支出', 85, 'right'],
  ['收入', 85, 'right'],
  ['余额', 105, 'right'],
];
const columnsEn = [
  ['Date', 75],
  ['Description', 140],
  ['Money out', 80, 'right'],
  ['Money in', 80, 'right'],
  ['Balance', 90, 'right'],
];
const chunk = (rows, first, rest) => [
  rows.slice(0, first),
  ...Array.from({ length: Math.ceil(Math.max(0, rows.length - first) / rest) }, (_, i) =>
    rows.slice(first + i * rest, first + (i + 1) * rest),
  ),
];

const z1rows = chunk(rowsOf(z1, 'iso'), 26, 34);
const z1pages = pagesOf(
  [
    { title: '对公账户对账单' },
    {
      sides: [
        [`开户银行：${z1.bank}`, `户名：${z1.holder}`, `账号：${z1.account}`],
        [`账单期间：${date(z1.from, 'zh')}至`, `　　　　　${date(z1.to, 'zh')}`, '币种：人民币'],
      ],
    },
    { sides: [[`期初余额：${amount(z1.opening, 'plain')}`], [`期末余额：${amount(z1.closing, 'plain')}`]] },
    `本期共 ${z1.entries.length} 笔交易。`,
    { table: [columnsZh, z1rows[0]] },
    { page: true },
    { table: [columnsZh, z1rows[1]] },
    '本对账单由系统生成，如有疑问请于十五日内与开户行联系。',
  ],
  { lang: 'zh', face: 'sans', size: 10, footer: (n, of) => `${n} / ${of}` },
);

const z3page = new Page({ lang: 'zh', size: 11 });
z3page.text(297, 70, '银行对账单', { size: 20, bold: true, align: 'centre' });
const y = z3page.pairs(
  60,
  110,
  [
    ['银行名称', z3.bank],
    ['账户名称', z3.holder],
    ['账　　号', z3.account],
    ['对账期间', `${date(z3.from, 'ymdDots')} - ${date(z3.to, 'ymdDots')}`],
    ['上期余额', amount(z3.opening, 'yen')],
    ['本期余额', amount(z3.closing, 'yen')],
  ],
  { mode: 'left', gap: 90 },
);
z3page.table(60, y + 10, columnsZh, rowsOf(z3, 'iso'));

const z4page = new Page({ lang: 'zh', width: 842, height: 595, size: 11 });
z4page.text(60, 60, z4.bank, { size: 16, bold: true }).text(782, 60, '账户流水（季度）', { size: 14, align: 'right' });
z4page.pairs(
  60,
  95,
  [
    ['户名', z4.holder],
    ['账号', z4.account],
  ],
  { mode: 'above' },
);
z4page.pairs(
  330,
  95,
  [
    ['起始日期', date(z4.from, 'iso')],
    ['截止日期', date(z4.to, 'iso')],
  ],
  { mode: 'above' },
);
z4page.pairs(
  580,
  95,
  [
    ['期初余额', amount(z4.opening, 'yen')],
    ['期末余额', amount(z4.closing, 'yen')],
  ],
  { mode: 'above' },
);
z4page.table(
  60,
  180,
  [
    ['日期', 120],
    ['摘要', 200],
    ['支出', 120, 'right'],
    ['收入', 120, 'right'],
    ['余额', 160, 'right'],
  ],
  rowsOf(z4, 'iso'),
);

const e1page = new Page({ size: 9.5 });
e1page.text(55, 65, e1.bank, { size: 18, bold: true }).text(540, 65, 'Account Statement', { size: 14, align: 'right' });
e1page
  .text(55, 100, e1.holder, { bold: true })
  .text(55, 114, '8 Harbor Example Road')
  .text(55, 128, 'Astoria, OR 97100');
e1page.pairs(
  330,
  100,
  [
    ['Account number', e1.account],
    ['Statement period', `${date(e1.from, 'monUs')} - ${date(e1.to, 'monUs')}`],
    ['Beginning balance', amount(e1.opening, 'usd')],
    ['Ending balance', amount(e1.closing, 'usd')],
    ['Number of transactions', String(e1.entries.length)],
  ],
  { mode: 'left', gap: 110 },
);
e1page.table(55, 200, columnsEn, rowsOf(e1, 'monUs'), { grid: 'rows' });

const e3rows = chunk(rowsOf(e3, 'dots'), 22, 22);
const e3pages = pagesOf(
  [
    { title: 'Statement of Account' },
    {
      sides: [
        [e3.bank, `Account holder: ${e3.holder}`, `IBAN: ${e3.account}`],
        [
          `Period: ${date(e3.from, 'dots')} to ${date(e3.to, 'dots')}`,
          'Currency: EUR',
          `Opening balance: ${amount(e3.opening, 'plain')}`,
        ],
      ],
    },
    { table: [columnsEn, e3rows[0]] },
    { page: true },
    { table: [columnsEn, e3rows[1]] },
    `Closing balance: ${amount(e3.closing, 'plain')}`,
    'Please check this statement and tell us of errors within six weeks.',
  ],
  { lang: 'en', face: 'sans', size: 10, footer: (n, of) => `Page ${n} of ${of}` },
);

const e4page = new Page({ size: 11, width: 560, height: 520 });
e4page.text(40, 50, e4.bank, { size: 15, bold: true });
e4page.pairs(
  40,
  80,
  [
    ['Member', e4.holder],
    ['Account no.', e4.account],
  ],
  { mode: 'left', gap: 80 },
);
e4page.pairs(
  300,
  80,
  [
    ['From', date(e4.from, 'mdy')],
    ['To', date(e4.to, 'mdy')],
    ['Opening balance', amount(e4.opening, 'usd')],
    ['Closing balance', amount(e4.closing, 'usd')],
  ],
  { mode: 'left', gap: 100 },
);
e4page.text(40, 165, 'Bank statement', { bold: true });
e4page.table(40, 175, columnsEn, rowsOf(e4, 'mdy'), { grid: 'rows' });

const e5page = new Page({ size: 10, face: 'mono' });
e5page.text(55, 65, e5.bank, { bold: true, size: 13 }).text(55, 85, 'MONTHLY STATEMENT');
e5page.pairs(55, 115, [
  ['Account name', e5.holder],
  ['Account number', e5.account],
  ['Statement period', `${date(e5.from, 'us')} through ${date(e5.to, 'us')}`],
  ['Opening balance', amount(e5.opening, 'usd')],
  ['Closing balance', amount(e5.closing, 'usd')],
]);
e5page.table(55, 220, columnsEn, rowsOf(e5, 'monUs'), { grid: 'none' });

export const statements = [
  statement('zh', z1, textPdf(z1pages)),
  statement(
    'zh',
    z2,
    excelFile([
      {
        name: '明细',
        widths: [14, 18, 14, 14, 16],
        rows: [
          ['样例农商银行账户交易明细'],
          ['开户银行', z2.bank],
          ['户名', z2.holder],
          ['账号', z2.account],
          ['起始日期', dateCell(z2.from, 'yyyy-mm-dd'), '', '截止日期', dateCell(z2.to, 'yyyy-mm-dd')],
          ['期初余额', numberCell(z2.opening, '"¥"#,##0.00'), '', '期末余额', numberCell(z2.closing, '"¥"#,##0.00')],
          ['交易笔数', z2.entries.length],
          [],
          ['交易日期', '摘要', '支出', '收入', '余额'],
          ...z2.entries.map(({ on, text, sum, balance }) => [
            dateCell(on, 'yyyy-mm-dd'),
            text,
            sum.startsWith('-') ? numberCell(sum.slice(1), '#,##0.00') : '',
            sum.startsWith('-') ? '' : numberCell(sum, '#,##0.00'),
            numberCell(balance, '#,##0.00'),
          ]),
        ],
      },
    ]),
  ),
  statement('zh', z3, scannedPdf([z3page], { skew: 0.7, dpi: 160 })),
  statement('zh', z4, rotatedPdf([z4page], [90])),
  statement('en', e1, textPdf([e1page])),
  statement(
    'en',
    e2,
    excelFile([
      {
        name: 'Statement',
        widths: [18, 34, 12, 12, 14],
        rows: [
          ['Bank', e2.bank],
          ['Account holder', e2.holder],
          ['IBAN', e2.account],
          ['Period from', dateCell(e2.from, 'dd/mm/yyyy')],
          ['Period to', dateCell(e2.to, 'dd/mm/yyyy')],
          ['Opening balance', numberCell(e2.opening, '"£"#,##0.00')],
          [],
          ['Date', 'Details', 'Paid out', 'Paid in', 'Balance'],
          ...e2.entries.map(({ on, text, sum, balance }) => [
            dateCell(on, 'dd/mm/yyyy'),
            text,
            sum.startsWith('-') ? numberCell(sum.slice(1), '#,##0.00') : '',
            sum.startsWith('-') ? '' : numberCell(sum, '#,##0.00'),
            numberCell(balance, '#,##0.00'),
          ]),
          [],
          ['Closing balance', '', '', '', numberCell(e2.closing, '"£"#,##0.00')],
        ],
      },
    ]),
  ),
  statement('en', e3, mixedPdf(e3pages, [1]), {
    note: 'the closing balance stands only on the scanned second page; the account holder, a German firm, writes in English',
  }),
  statement('en', e4, pngImage(e4page, 140)),
  statement(
    'en',
    e5,
    mail(
      {
        from: ['Example Mutual Bank', 'statements@examplemutual.example'],
        to: ['Paperkite Studio', 'office@paperkite.example'],
        subject: 'Your statement is ready',
        date: 'Thu, 02 Apr 2026 05:00:00 -0700',
        text: 'Your statement for last month is attached. Please do not reply to this mail.\n',
      },
      [{ name: 'statement.pdf', form: textPdf([e5page]) }],
    ),
  ),
];
