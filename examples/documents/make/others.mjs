// Papers of types that are not configured, several of them close to one that is.
import { amount, date } from './format.mjs';
import { excelFile, mail, scannedPdf, textPdf, wordFile } from './forms.mjs';
import { dateCell, grid, numberCell, para } from './office.mjs';
import { Page } from './page.mjs';

const other = (language, form, note) => ({ language, type: 'none', fields: {}, ...(note ? { note } : {}), ...form });

const quotation = new Page({ lang: 'zh', size: 11 });
quotation
  .text(60, 80, '北斗巷网络技术（测试）有限公司', { size: 15, bold: true })
  .text(535, 80, '报　价　单', { size: 22, align: 'right' });
quotation.line(60, 95, 535, 95, 1.2);
quotation.pairs(
  60,
  125,
  [
    ['报价单号', 'BJ-2026-0302-01'],
    ['报价日期', date('2026-03-02', 'zh')],
  ],
  { mode: 'above' },
);
quotation.pairs(
  300,
  125,
  [
    ['客户', '木棉花出版社（测试）'],
    ['有效期至', date('2026-03-31', 'zh')],
  ],
  { mode: 'above' },
);
const q = quotation.table(
  60,
  220,
  [
    ['服务名称', 180],
    ['单位', 50],
    ['数量', 55, 'right'],
    ['单价', 90, 'right'],
    ['金额', 100, 'right'],
  ],
  [
    ['网站维护服务', '季', '1', '8,600.00', '8,600.00'],
    ['SSL证书', '张', '2', '350.00', '700.00'],
  ],
);
for (const [i, [name, value]] of [
  ['不含税金额', '9300.00'],
  ['税额（6%）', '558.00'],
  ['报价合计', '9858.00'],
].entries())
  quotation.text(380, q + 30 + i * 18.7, name).text(535, q + 30 + i * 18.7, amount(value, 'yen'), { align: 'right' });
quotation.flow(
  60,
  q + 120,
  470,
  '本报价仅供参考，不构成付款要求；如蒙采纳，请于有效期内书面确认，届时另行签订合同并开具发票。',
  { size: 10 },
);

const estimate = new Page({ size: 11 });
estimate.text(60, 80, 'QUOTATION', { size: 24, bold: true }).text(60, 104, 'Larkspur Analytics Inc.');
estimate.pairs(
  60,
  150,
  [
    ['Quote #', 'Q-1180'],
    ['Date', date('2026-02-20', 'us')],
    ['Valid until', date('2026-03-20', 'us')],
    ['Prepared for', 'Tidewater Kayak Rentals LLC'],
  ],
  { mode: 'left', gap: 100 },
);
const w = estimate.table(
  60,
  240,
  [
    ['Description', 280],
    ['Qty', 50, 'right'],
    ['Amount', 120, 'right'],
  ],
  [
    ['Data audit, on site', '4', '$3,800.00'],
    ['Quarterly report', '1', '$1,000.00'],
  ],
);
estimate.text(320, w + 30, 'Estimated total').text(506, w + 30, '$4,800.00', { align: 'right', bold: true });
estimate.flow(
  60,
  w + 80,
  460,
  'This is not an invoice. Prices hold for thirty days; an invoice follows after acceptance and delivery.',
);

const delivery = new Page({ lang: 'zh', size: 11 });
delivery.text(297, 70, '送　货　单', { size: 22, bold: true, align: 'centre' });
delivery.pairs(60, 110, [
  ['单号', 'SH-260511-3'],
  ['送货日期', date('2026-05-11', 'iso')],
  ['收货单位', '海葵教育咨询（测试）有限公司'],
]);
delivery.pairs(330, 110, [
  ['发货单位', '三棵松办公设备（测试）有限公司'],
  ['车牌', '测A·00000'],
]);
delivery.table(
  60,
  180,
  [
    ['序号', 50],
    ['品名', 220],
    ['单位', 60],
    ['数量', 70, 'right'],
    ['备注', 75],
  ],
  [
    ['1', '激光打印机', '台', '2', '完好'],
    ['2', '硒鼓', '支', '6', ''],
  ],
);
delivery.text(60, 300, '收货人签字：____________').text(330, 300, '送货人签字：____________');

const payslip = new Page({ size: 11 });
payslip
  .text(60, 70, 'Sandbank Interiors Ltd', { bold: true, size: 14 })
  .text(535, 70, 'PAYSLIP', { size: 18, align: 'right' });
payslip.pairs(
  60,
  110,
  [
    ['Employee no.', '0042'],
    ['Pay date', date('2026-05-29', 'uk')],
    ['Tax period', '02'],
    ['Paid by', 'BACS'],
  ],
  { mode: 'left', gap: 100 },
);
payslip.table(
  60,
  200,
  [
    ['Payments', 160],
    ['Amount', 80, 'right'],
    ['Deductions', 150],
    ['Amount', 85, 'right'],
  ],
  [
    ['Basic pay', '2,400.00', 'PAYE tax', '270.40'],
    ['Overtime', '180.00', 'National Insurance', '122.56'],
    ['Total', '2,580.00', 'Total', '392.96'],
  ],
);
payslip.text(60, 310, 'Net pay: £2,187.04', { bold: true, size: 13 });

export const others = [
  other('zh', textPdf([quotation]), 'a quotation in the layout of an invoice of the same firm'),
  other('en', scannedPdf([estimate], { skew: 0.5 }), 'a quotation that says that it is not an invoice'),
  other(
    'en',
    wordFile([
      para('PURCHASE ORDER', { heading: 1 }),
      para('PO number: PO-8831\t\tOrder date: February 24, 2026'),
      grid(
        [
          ['Buyer', 'Tidewater Kayak Rentals LLC'],
          ['Supplier', 'Larkspur Analytics Inc.'],
          ['Ship to', '8 Harbor Example Road, Astoria, OR 97100'],
        ],
        [1800, 7000],
      ),
      para(''),
      grid(
        [
          ['Item', 'Qty', 'Unit price', 'Line total'],
          ['Data audit, on site', '4', '$950.00', '$3,800.00'],
          ['Quarterly report', '1', '$1,000.00', '$1,000.00'],
          ['Order total', '', '', '$4,800.00'],
        ],
        [4000, 1200, 1800, 1800],
      ),
      para(
        'Please quote the PO number on your invoice. Goods and services are accepted subject to our terms of purchase.',
      ),
    ]),
    'a purchase order with the lines of an invoice',
  ),
  other('zh', textPdf([delivery]), 'a delivery note'),
  other('en', textPdf([payslip]), 'a payslip'),
  other(
    'zh',
    wordFile([
      para('部门例会会议纪要', { heading: 1 }),
      para('时间：2026年4月13日 14:00　　地点：三楼会议室　　记录：行政部'),
      para('一、听取了仓储合同（CK-2026-017）执行情况的汇报，六月底前完成盘点。'),
      para('二、二季度发票须在每月25日前交财务，逾期顺延至下月。'),
      para('三、差旅费收据粘贴规范另行通知；累计支出 12,480.00 元，在预算之内。'),
      para('四、下次例会定于2026年5月11日。'),
      para('参会：行政部、财务部、采购部、信息部'),
    ]),
    'minutes that speak of contracts, invoices and receipts',
  ),
  other(
    'en',
    mail({
      from: ['Marlow Tea Importers', 'news@marlowtea.example'],
      to: ['Subscribers', 'list@marlowtea.example'],
      subject: 'Spring flush has landed: 15% off until Sunday',
      date: 'Thu, 09 Apr 2026 07:00:00 +0100',
      text: 'First flush teas are here.\n\nHigh Meadow black, 100 g: £9.50\nRiver Terrace green, 100 g: £8.80\n\nFree delivery on orders over £40 until 12 April 2026. No code needed.\n\nYou receive this newsletter because you signed up at marlowtea.example. Unsubscribe at any time.\n',
    }),
    'a newsletter with prices',
  ),
  other(
    'zh',
    excelFile([
      {
        name: '库存',
        widths: [14, 22, 10, 12, 14],
        rows: [
          ['2026年5月库存盘点表'],
          ['编号', '品名', '数量', '单价', '盘点日期'],
          ['K-001', '复印纸A4', 58, numberCell('23.70', '0.00'), dateCell('2026-05-31', 'yyyy-mm-dd')],
          ['K-002', '签字笔', 412, numberCell('1.25', '0.00'), dateCell('2026-05-31', 'yyyy-mm-dd')],
          ['K-003', '硒鼓', 9, numberCell('259.00', '0.00'), dateCell('2026-05-31', 'yyyy-mm-dd')],
          ['', '', '', '合计', numberCell('4220.60', '#,##0.00')],
        ],
      },
    ]),
    'a stock list',
  ),
];
