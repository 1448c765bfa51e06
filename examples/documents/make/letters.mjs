import { date } from './format.mjs';
import { jpegImage, mail, rotatedPdf, scannedPdf, textPdf, wordFile } from './forms.mjs';
import { para } from './office.mjs';
import { Page } from './page.mjs';

const letter = (language, v, form, extra = {}) => ({
  language,
  type: 'letter',
  fields: { sender: v.from, recipient: v.to, dated_on: v.on, subject: v.subject, reference: v.ref ?? null },
  ...extra,
  ...form,
});

/** An official letter in Chinese: letterhead, number, 关于…的函, addressee, text, sender and date at the right. */
function official(v, { style = 'zh', size = 13, width = 595, height = 842 }) {
  const p = new Page({ lang: 'zh', face: 'serif', size, width, height });
  const right = width - 65;
  p.text(width / 2, 84, v.from, { size: size * 1.6, bold: true, align: 'centre' }).line(65, 100, right, 100, 1.5);
  if (v.ref) p.text(right, 124, v.ref, { align: 'right' });
  p.text(width / 2, 165, v.subject, { size: size * 1.3, bold: true, align: 'centre' });
  p.text(65, 210, `${v.to}：`);
  let y = 240;
  for (const text of v.body) y = p.flow(65, y, right - 65, `　　${text}`, { lead: 1.8 });
  p.text(right, y + 50, v.from, { align: 'right' }).text(right, y + 76, date(v.on, style), { align: 'right' });
  return p;
}

/** A business letter in English; `side` is where the sender's block stands. */
function business(v, { style, face = 'serif', size = 11.5, side = 'left', width = 595, height = 842, label = 'Re: ' }) {
  const p = new Page({ face, size, width, height });
  const at = side === 'right' ? width - 65 : 65;
  p.text(at, 75, v.from, { bold: true, size: size * 1.3, align: side });
  for (const [i, line] of v.fromLines.entries()) p.text(at, 94 + i * 15, line, { align: side });
  p.text(65, 160, date(v.on, style));
  let y = 190;
  const put = (step, string, options) => {
    y += step;
    p.text(65, y, string, options);
  };
  for (const line of [v.to, ...v.toLines]) put(15, line);
  if (v.ref) put(28, `Our ref: ${v.ref}`);
  put(30, v.greeting ?? 'Dear Sir or Madam,');
  put(26, `${label}${v.subject}`, { bold: true });
  y += 26;
  for (const text of v.body) y = p.flow(65, y, width - 130, text) + 8;
  p.text(65, y + 16, 'Yours faithfully,')
    .text(65, y + 62, v.office)
    .text(65, y + 78, v.from);
  return p;
}

const z1 = {
  from: '木棉花出版社（测试）',
  to: '长庚会展服务（测试）有限公司',
  on: '2026-03-05',
  subject: '关于确认春季书展展位的函',
  ref: '木函〔2026〕7号',
  body: [
    '贵公司2月26日来函收悉。我社同意参加本届春季书展，并选定A区12号、13号两个标准展位。',
    '请贵公司协助安排布展时间，并于开展前一周提供用电与消防须知。特此函达，盼复。',
  ],
};
const z2 = {
  from: '雨前茶业（测试）股份有限公司',
  to: '各经销商',
  on: '2026-04-10',
  subject: '关于调整新茶供货时间的通知',
  body: [
    '受今年春季气温偏低影响，明前茶采摘期推迟约十日，原定4月12日的首批供货顺延至4月22日。',
    '由此给各位带来的不便，我公司深表歉意，已下订单的数量与价格不变。',
  ],
};
const z3 = {
  from: '白鹭洲物业服务（测试）有限公司',
  to: '小满社区服务中心（测试）',
  on: '2026-05-26',
  subject: '关于会所空调检修的复函',
  ref: '白物〔2026〕31号',
  body: [
    '贵中心关于多功能厅空调制冷不足的来函已收到。我公司已安排检修，计划于6月3日至5日更换压缩机。',
    '检修期间多功能厅暂停使用，请提前告知参加活动的居民。',
  ],
};
const z4 = {
  from: '柳叶湾民宿（测试）',
  to: '阿福五金商行（测试）',
  on: '2026-06-12',
  subject: '关于退换一批门锁的函',
  body: [
    '6月5日收到的二十把门锁中有三把锁芯无法转动，现随函说明情况，请予更换。',
    '换货请发至本店前台，运费由贵方承担为盼。',
  ],
};
const e1 = {
  from: 'Tidewater Kayak Rentals LLC',
  fromLines: ['8 Harbor Example Road', 'Astoria, OR 97100'],
  to: 'Larkspur Analytics Inc.',
  toLines: ['1200 Example Avenue, Suite 4', 'Springfield, OR 97000'],
  on: '2026-03-05',
  subject: 'Appointment for the data audit',
  office: 'Office Manager',
  body: [
    'Thank you for your proposal of last month. We would like your team to come on Monday the 23rd, when our boats are still in winter storage and everyone is at the office.',
    'Please let us know what records you want us to prepare, and whether you need access to our booking system beforehand.',
  ],
};
const e2 = {
  from: 'Exampleton Town Council',
  fromLines: ['Council House', 'Exampleton EX1 1AA'],
  to: 'Sandbank Interiors Ltd',
  toLines: ['Unit 9, Sample Wharf', 'Exampleton EX2 0BB'],
  on: '2026-05-03',
  subject: 'Road closure at Sample Wharf',
  ref: 'HW/26/0417',
  office: 'Highways Office',
  body: [
    'We write to inform you that Sample Wharf will be closed to vehicles while the quay wall is repaired. The works start on 18/05/2026 and take about three weeks.',
    'Access on foot is kept at all times. Deliveries can be made from Mill Lane between six and nine in the morning.',
  ],
};
const e3 = {
  from: 'Sandbank Interiors Ltd',
  to: 'The Copper Heron Hotel',
  on: '2026-06-08',
  subject: 'Second reminder: invoice SB/1187',
  ref: 'DR-2026-22',
};
const e4 = {
  from: 'Brindle & Moss Ltd',
  fromLines: ['14 Sample Lane', 'Exampleton EX1 0AA'],
  to: 'Holzapfel Werkzeuge GmbH',
  toLines: ['Musterweg 1', '00000 Beispielstadt', 'Germany'],
  on: '2026-03-19',
  subject: 'Damaged planing bench',
  office: 'Purchasing Department',
  body: [
    'One of the two planing benches that we received last week has a split vice jaw. We enclose photographs of the damage and of the crate.',
    'Please send a new jaw, or tell us how you would like to proceed.',
  ],
};
const e5 = {
  from: 'Fernhill Museum Trust',
  fromLines: ['2 Fernhill Example Road', 'Exampleton EX3 3CC'],
  to: 'Quayside Translations B.V.',
  toLines: ['Voorbeeldkade 5', '0000 XX Voorbeeldstad', 'The Netherlands'],
  on: '2026-07-01',
  subject: 'Renewal of the framework for translations',
  ref: 'FMT/2026/88',
  office: 'Head of Exhibitions',
  body: [
    'Our framework for translations comes to its end with this year. We have been glad to work with you and would like to renew it for two more years.',
    'Could you send us your terms by the end of August? A meeting in September would suit us well.',
  ],
};
const e6 = {
  from: 'Springfield Water District',
  fromLines: ['500 Example Plaza', 'Springfield, OR 97000'],
  to: 'Elm Street Garage',
  toLines: ['40 Example Row', 'Springfield, OR 97000'],
  on: '2026-03-05',
  subject: 'Replacement of your water meter',
  ref: 'WM-55310',
  office: 'Customer Service',
  body: [
    'Your meter has reached the end of its service life and will be replaced at no cost to you. Our crew needs about one hour, during which the water is off.',
    'Please call (555) 0111 to choose a day. If we do not hear from you we will come on March 26.',
  ],
};

const dunning = [
  para('Sandbank Interiors Ltd', { bold: true, size: 15 }),
  para('Unit 9, Sample Wharf, Exampleton EX2 0BB'),
  para(''),
  para('The Copper Heron Hotel'),
  para('1 Riverside Example, Exampleton EX4 4DD'),
  para(''),
  para(`Date: ${date(e3.on, 'uk')}`),
  para(`Our reference: ${e3.ref}`),
  para(''),
  para('Dear Accounts Office,'),
  para(`Subject: ${e3.subject}`, { bold: true }),
  para(
    'According to our records the above invoice, dated 03/05/2026, for a total due of £2,580.00 (VAT £430.00) is still unpaid, although the payment due date was 17/05/2026 and we reminded you once.',
  ),
  para('We ask you to pay within seven days. If you have paid meanwhile, please take this letter as settled.'),
  para('Yours faithfully,'),
  para('Credit Control'),
  para('Sandbank Interiors Ltd'),
];
const z2children = [
  para(z2.from, { bold: true, size: 18, align: 'centre' }),
  para(z2.subject, { bold: true, size: 14, align: 'centre' }),
  para(`${z2.to}：`),
  ...z2.body.map((text) => para(`　　${text}`)),
  para('特此通知。'),
  para(z2.from, { align: 'right' }),
  para(date(z2.on, 'zh'), { align: 'right' }),
];

export const letters = [
  letter('zh', z1, textPdf([official(z1, {})])),
  letter('zh', z2, wordFile(z2children)),
  letter('zh', z3, scannedPdf([official(z3, { style: 'zhSpaced' })], { skew: -0.8 })),
  letter(
    'zh',
    z4,
    mail(
      {
        from: ['柳叶湾民宿（测试）', 'front@liuyewan.example'],
        to: ['阿福五金商行（测试）', 'shop@afu.example'],
        subject: '转发：函件一份，请查收附件',
        date: 'Fri, 12 Jun 2026 16:20:00 +0800',
        text: '您好：\n\n函件见附件，请查收。\n\n柳叶湾民宿（测试）前台\n',
      },
      [{ name: '函件.pdf', form: textPdf([official(z4, { style: 'zh0' })]) }],
    ),
    { note: 'the subject is that of the attached letter, not of the mail that carries it' },
  ),
  letter('en', e1, textPdf([business(e1, { style: 'us' })])),
  letter('en', e2, scannedPdf([business(e2, { style: 'dmy', face: 'sans', side: 'right' })], { skew: 0.8 }), {
    note: '03/05/2026 is day first, as 18/05/2026 in the same letter shows',
  }),
  letter('en', e3, wordFile(dunning), { note: 'a reminder: speaks of an invoice and its amounts but is a letter' }),
  letter(
    'en',
    e4,
    jpegImage(business(e4, { style: 'uk', size: 12, width: 520, height: 640 }), {
      dpi: 140,
      skew: 1.2,
      noise: 12,
      paper: 236,
    }),
  ),
  letter('en', e5, rotatedPdf([business(e5, { style: 'uk', label: 'Subject: ' })], [270])),
  letter('en', e6, textPdf([business(e6, { style: 'mdy', face: 'sans', side: 'right', label: 'RE: ' })]), {
    note: '03/05/2026 from an office of the United States, with March 26 ahead: March 5',
  }),
];
