import { amount, capitals, date, money } from './format.mjs';
import { jpegImage, mail, pngImage, rotatedPdf, scannedPdf, textPdf, wordFile } from './forms.mjs';
import { grid, para } from './office.mjs';
import { Page } from './page.mjs';

const receipt = (language, v, form, extra = {}) => ({
  language,
  type: 'receipt',
  fields: {
    receipt_no: v.no ?? null,
    merchant: v.merchant,
    paid_on: v.on,
    total: money(v.total, v.currency),
    payment_method: v.method ?? null,
  },
  ...extra,
  ...form,
});

/** A till roll: name, lines of head, items, sums, lines of foot. */
function till({ lang, merchant, head, items, sums, foot, style, height }) {
  const p = new Page({ lang, face: 'mono', width: 250, height, size: lang === 'zh' ? 10 : 9 });
  let y = 36;
  const down = (step) => {
    y += step;
    return y;
  };
  const rule = () => p.line(16, down(8), 234, y);
  p.text(125, y, merchant, { align: 'centre', bold: true, size: 12 });
  for (const line of head) p.text(16, down(16), line);
  rule();
  for (const [name, price] of items) p.text(16, down(16), name).text(234, y, amount(price, style), { align: 'right' });
  rule();
  for (const [i, [name, price]] of sums.entries())
    p.text(16, down(17), name, { bold: i === 0 }).text(234, y, price, { align: 'right', bold: i === 0 });
  rule();
  for (const line of foot) p.text(125, down(17), line, { align: 'centre' });
  return p;
}

const z1 = {
  no: '20260214-0087',
  merchant: '巷口面馆（测试店）',
  on: '2026-02-14',
  total: '68.00',
  currency: 'CNY',
  method: 'mobile',
};
const z2 = {
  no: 'T03-55170',
  merchant: '稻香里便利店（测试）',
  on: '2026-03-28',
  total: '157.30',
  currency: 'CNY',
  method: 'cash',
};
const z3 = {
  no: '0012896',
  merchant: '白鹭洲物业服务（测试）有限公司',
  on: '2026-01-09',
  total: '1234.50',
  currency: 'CNY',
  method: 'transfer',
};
const z4 = {
  no: 'SJ-2026-044',
  merchant: '山茶瑜伽馆（测试）',
  on: '2026-05-06',
  total: '2680.00',
  currency: 'CNY',
  method: 'card',
};
const e1 = {
  no: '4471',
  merchant: 'Blue Kettle Coffee',
  on: '2026-03-11',
  total: '21.60',
  currency: 'USD',
  method: 'card',
};
const e2 = {
  no: '000318',
  merchant: 'Harbour Lane Stationers',
  on: '2026-04-19',
  total: '47.85',
  currency: 'GBP',
  method: 'cash',
};
const e3 = {
  no: 'RCPT-10932',
  merchant: 'Fenwick Cloud Storage Ltd',
  on: '2026-06-02',
  total: '312.00',
  currency: 'EUR',
  method: 'card',
};
const e4 = {
  no: 'BK-7F3Q',
  merchant: 'Rowan Line Ferries',
  on: '2026-07-25',
  total: '94.00',
  currency: 'EUR',
  method: 'transfer',
};
const e5 = { no: '8830215', merchant: 'Elm Street Garage', on: '2026-03-05', total: '14.00', currency: 'USD' };

// The form that shops fill in: 今收到 … 交来 …, amount only in capitals.
const slip = new Page({ lang: 'zh', face: 'serif', width: 560, height: 300, size: 13 });
slip.text(280, 50, '收　据', { size: 24, bold: true, align: 'centre' }).line(225, 58, 335, 58);
slip.text(530, 50, `No. ${z3.no}`, { align: 'right' }).text(530, 80, date(z3.on, 'zhSpaced'), { align: 'right' });
slip.box(30, 92, 500, 140);
slip.text(45, 122, '今收到：柳絮家政（测试）服务部').text(45, 152, `金额（大写）：人民币${capitals(z3.total)}`);
slip.text(45, 182, '事由：2026年第一季度物业管理费').text(45, 212, '收款方式：转账').text(200, 212, '附单据：1 张');
slip.text(30, 262, `收款单位：${z3.merchant}`).text(400, 262, '经手人：出纳02');

const cloud = new Page({ size: 11 });
cloud.text(60, 80, 'Receipt', { size: 26, bold: true }).text(535, 80, e3.merchant, { align: 'right', bold: true });
cloud.pairs(
  60,
  125,
  [
    ['Receipt number', e3.no],
    ['Invoice number', 'INV-66120'],
    ['Date paid', date(e3.on, 'us')],
    ['Payment method', 'Visa - 0000'],
  ],
  { mode: 'left', gap: 120 },
);
cloud.text(60, 230, `${amount(e3.total, 'euro')} paid on ${date(e3.on, 'us')}`, { size: 18, bold: true });
const y = cloud.table(
  60,
  260,
  [
    ['Description', 290],
    ['Qty', 60, 'right'],
    ['Amount', 110, 'right'],
  ],
  [['Team storage 2 TB, 12 months', '1', '€260.00']],
  { grid: 'rows' },
);
for (const [i, [name, value]] of [
  ['Subtotal', '260.00'],
  ['VAT 20%', '52.00'],
  ['Total', e3.total],
  ['Amount paid', e3.total],
].entries())
  cloud.text(330, y + 28 + i * 19, name).text(516, y + 28 + i * 19, amount(value, 'euro'), { align: 'right' });

export const receipts = [
  receipt(
    'zh',
    z1,
    jpegImage(
      till({
        lang: 'zh',
        merchant: z1.merchant,
        head: [`小票号：${z1.no}`, `日期：${date(z1.on, 'iso')} 12:31`, '桌号：6　收银员：03'],
        items: [
          ['红烧牛肉面 x2', '48.00'],
          ['凉拌黄瓜', '12.00'],
          ['酸梅汤 x2', '16.00'],
          ['会员优惠', '-8.00'],
        ],
        sums: [
          ['实付金额', amount(z1.total, 'yen')],
          ['支付方式', '微信支付'],
        ],
        foot: ['谢谢惠顾 欢迎再来'],
        style: 'plain',
        height: 300,
      }),
      { dpi: 170, skew: -1.4, noise: 14, paper: 236 },
    ),
  ),
  receipt(
    'zh',
    z2,
    textPdf([
      till({
        lang: 'zh',
        merchant: z2.merchant,
        head: ['购物小票', `单号：${z2.no}`, `交易时间：${date(z2.on, 'slash')} 19:05:44`],
        items: [
          ['东北大米5kg', '59.90'],
          ['纯牛奶12盒', '65.40'],
          ['洗洁精', '18.50'],
          ['垃圾袋', '13.50'],
        ],
        sums: [
          ['合计', amount(z2.total, 'yuan')],
          ['现金 实收', '200.00元'],
          ['找零', '42.70元'],
        ],
        foot: ['凭小票七日内退换'],
        style: 'plain',
        height: 330,
      }),
    ]),
    { note: '200.00 is what was handed over, not what was paid' },
  ),
  receipt('zh', z3, scannedPdf([slip], { dpi: 160, skew: 0.9 }), { note: 'the amount stands only in capitals' }),
  receipt(
    'zh',
    z4,
    wordFile([
      para('收款收据', { bold: true, size: 18, align: 'centre' }),
      grid(
        [
          ['收据编号', z4.no, '收款日期', date(z4.on, 'zh')],
          ['交款单位', '鹿角巷设计（测试）工作室', '收款单位', z4.merchant],
          ['收款事由', '团体课程卡 20 次', '支付方式', '刷卡（银行卡）'],
          ['收款金额', amount(z4.total, 'rmb'), '大写', capitals(z4.total)],
        ],
        [1500, 3000, 1500, 3000],
      ),
      para('本收据不作报销凭证，如需发票请于三十日内联系前台。'),
    ]),
  ),
  receipt(
    'en',
    e1,
    pngImage(
      till({
        lang: 'en',
        merchant: e1.merchant,
        head: ['22 Example St, Portland', `Receipt #${e1.no}`, `${date(e1.on, 'monUs')}  8:42 AM`],
        items: [
          ['2 Flat White', '9.00'],
          ['1 Avocado Toast', '9.00'],
        ],
        sums: [
          ['Total', '$21.60'],
          ['Subtotal', '$18.00'],
          ['Tip 20%', '$3.60'],
          ['Paid: Mastercard', '**** 0000'],
        ],
        foot: ['Thank you!'],
        style: 'plain',
        height: 290,
      }),
      200,
    ),
  ),
  receipt(
    'en',
    e2,
    rotatedPdf(
      [
        till({
          lang: 'en',
          merchant: e2.merchant,
          head: ['4 Harbour Lane, Exampleton', `Till receipt no. ${e2.no}`, `Date ${date(e2.on, 'dmy')} 14:20`],
          items: [
            ['A4 paper, 5 reams', '22.50'],
            ['Gel pens, box', '12.60'],
            ['Envelopes C5', '12.75'],
          ],
          sums: [
            ['TOTAL', '£47.85'],
            ['CASH', '£50.00'],
            ['CHANGE', '£2.15'],
          ],
          foot: ['VAT No. GB 000 0000 00', 'Please keep your receipt'],
          style: 'plain',
          height: 320,
        }),
      ],
      [270],
      { flag: false, scanner: { dpi: 190, skew: 0.5 } },
    ),
    { note: '19/04/2026 can only be day first; 50.00 is what was handed over' },
  ),
  receipt('en', e3, textPdf([cloud]), { note: 'names an invoice, but says that it was paid: a receipt' }),
  receipt(
    'en',
    e4,
    mail({
      from: ['Rowan Line Ferries', 'no-reply@rowanline.example'],
      to: ['Island Office', 'office@pebblebay.example'],
      subject: 'Payment receipt for booking BK-7F3Q',
      date: 'Sat, 25 Jul 2026 10:02:11 +0200',
      text: `Thank you for your payment.\n\nReceipt number: ${e4.no}\nPayment date: ${date(e4.on, 'uk')}\nPaid by: bank transfer\n\nFoot passengers x 4     EUR 80.00\nBicycles x 2            EUR 14.00\nTotal paid              ${amount(e4.total, 'eurCode')}\n\nRowan Line Ferries, Pier 2, Exampleport\n`,
      html: `<html><body><p>Thank you for your payment.</p><table><tr><td>Receipt number</td><td>${e4.no}</td></tr><tr><td>Payment date</td><td>${date(e4.on, 'uk')}</td></tr><tr><td>Paid by</td><td>bank transfer</td></tr></table><table><tr><td>Foot passengers x 4</td><td>EUR 80.00</td></tr><tr><td>Bicycles x 2</td><td>EUR 14.00</td></tr><tr><td><b>Total paid</b></td><td><b>${amount(e4.total, 'eurCode')}</b></td></tr></table><p>Rowan Line Ferries, Pier 2, Exampleport</p></body></html>`,
    }),
  ),
  receipt(
    'en',
    e5,
    jpegImage(
      till({
        lang: 'en',
        merchant: e5.merchant,
        head: [
          'PARKING RECEIPT',
          `Ticket ${e5.no}`,
          `In  ${date(e5.on, 'mdy')} 9:02 AM`,
          `Out ${date(e5.on, 'mdy')} 4:17 PM`,
        ],
        items: [['7 h 15 min', '14.00']],
        sums: [['AMOUNT PAID', '$14.00']],
        foot: ['Springfield, OR 97000', 'Drive safely'],
        style: 'usd',
        height: 270,
      }),
      { dpi: 180, skew: 1.1, noise: 12, paper: 238 },
    ),
    { note: '03/05/2026 in a town of the United States is March 5; how it was paid is not said' },
  ),
];
