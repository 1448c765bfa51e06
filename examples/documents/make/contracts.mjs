import { pagesOf } from './flow.mjs';
import { amount, capitals, date, money } from './format.mjs';
import { mail, mixedPdf, rotatedPdf, scannedPdf, textPdf, wordFile } from './forms.mjs';
import { grid, para } from './office.mjs';
import { Page } from './page.mjs';

const contract = (language, v, form, extra = {}) => ({
  language,
  type: 'contract',
  fields: {
    contract_no: v.no ?? null,
    party_a: v.a,
    party_b: v.b,
    signed_on: v.on ?? null,
    ends_on: v.ends ?? null,
    amount: v.amount ? money(v.amount, v.currency) : null,
  },
  ...extra,
  ...form,
});

const footZh = (n, of) => `第 ${n} 页 共 ${of} 页`;
const footEn = (n, of) => `Page ${n} of ${of}`;
const numbered = (texts) => texts.map((text, i) => `${i + 1}. ${text}`);

// Clauses of no consequence, so that the values stand far apart.
const CLAUSES_ZH = [
  [
    '质量与验收',
    '乙方应保证所交付的货物为全新、未经使用，符合国家现行标准及本合同附件所列的技术要求。甲方应在收到货物后十个工作日内完成验收，逾期未提出书面异议的，视为验收合格。验收不合格的，乙方应在接到通知之日起七日内免费更换或修复，由此发生的运输、安装和人工费用由乙方承担。',
  ],
  [
    '包装与运输',
    '货物应采用适合长途运输的坚固包装，并在包装外侧标明品名、数量、毛重和防潮防震标识。运输方式由乙方选择，运输途中的毁损灭失风险由乙方承担，自货物交付甲方指定地点并经签收时转移至甲方。',
  ],
  [
    '知识产权',
    '乙方保证其提供的货物、软件及文件不侵犯任何第三方的专利权、商标权、著作权或商业秘密。如第三方提出侵权主张，乙方应负责交涉并承担由此产生的全部费用，包括但不限于诉讼费、律师费和赔偿金。',
  ],
  [
    '保密',
    '双方对在签订和履行本合同过程中知悉的对方商业秘密负有保密义务，未经对方书面同意不得向第三方披露，法律法规另有规定或者有权机关依法要求的除外。保密义务在本合同终止后三年内继续有效。',
  ],
  [
    '违约责任',
    '任何一方不履行合同义务或者履行合同义务不符合约定的，应当承担继续履行、采取补救措施或者赔偿损失等违约责任。乙方逾期交货的，每逾期一日按逾期部分价款的千分之一支付违约金，违约金累计不超过逾期部分价款的百分之十。甲方逾期付款的，按同等标准支付违约金。',
  ],
  [
    '不可抗力',
    '因地震、洪水、台风、疫情、政府行为等不能预见、不能避免且不能克服的客观情况致使合同不能履行的，受影响的一方应及时通知对方，并在十五日内提供有关证明，根据影响程度部分或者全部免除责任。',
  ],
  [
    '合同的变更与解除',
    '本合同的任何变更须经双方协商一致并签订书面补充协议。一方迟延履行主要义务，经催告后在合理期限内仍未履行的，另一方可以解除合同，并有权要求赔偿因此造成的损失。',
  ],
  [
    '通知',
    '与本合同有关的通知应以书面形式送达对方在本合同中载明的地址；以快递方式送达的，签收之日为送达日；以电子邮件方式送达的，进入对方系统之日为送达日。任何一方变更联系方式的，应提前五日书面通知对方。',
  ],
  [
    '争议解决',
    '因本合同引起的或者与本合同有关的任何争议，双方应首先友好协商；协商不成的，任何一方可以向甲方所在地有管辖权的人民法院提起诉讼。争议解决期间，双方应继续履行不涉及争议部分的义务。',
  ],
];
const CLAUSES_EN = [
  [
    'Services',
    'The Provider shall perform the services described in Schedule 1 with reasonable care and skill and in accordance with good industry practice. The Provider shall allocate suitably qualified staff, keep them informed of the Client’s reasonable rules of conduct, and replace any of them within ten working days of a reasoned request. Times given for performance are estimates unless Schedule 1 says that they are of the essence.',
  ],
  [
    'Client’s duties',
    'The Client shall give the Provider access to its premises, systems and records as far as the services require it, answer questions within five working days, and obtain such licences and consents as are needed before the services begin. Where a failure of the Client delays the services, the timetable moves by the same length of time.',
  ],
  [
    'Changes',
    'Either party may propose changes to the scope of the services. No change has effect until both parties have signed a change note that states the change, its effect on the fees and its effect on the timetable. Until then the Provider goes on as if the change had not been proposed.',
  ],
  [
    'Invoices and payment',
    'The Provider shall invoice quarterly in arrears. Undisputed invoices are payable within thirty days of receipt. Overdue sums bear interest at four per cent a year above the base rate from the due date until payment. A dispute about part of an invoice does not allow the Client to withhold the rest.',
  ],
  [
    'Intellectual property',
    'Each party keeps what it owned before this Agreement. Results made for the Client become the Client’s property on payment of the fees for them; the Provider keeps its general tools and methods and grants the Client a licence to use them as part of the results, without limit of time or place.',
  ],
  [
    'Confidentiality',
    'Each party shall keep the other’s confidential information secret, use it only for this Agreement, and disclose it only to staff and advisers who need it and are bound likewise. This does not apply to information that is public through no breach, was known before, or must be disclosed by law.',
  ],
  [
    'Data protection',
    'Where the Provider processes personal data for the Client it does so only on documented instructions, keeps the data secure, helps the Client to answer requests of data subjects, and returns or deletes the data when the services end.',
  ],
  [
    'Liability',
    'Nothing in this Agreement limits liability that cannot be limited by law. Subject to that, neither party is liable for loss of profit or for indirect loss, and the total liability of either party in any year is limited to the fees payable for that year.',
  ],
  [
    'Termination',
    'Either party may terminate this Agreement by written notice if the other commits a material breach and does not remedy it within thirty days of being asked to, or becomes insolvent. On termination each party returns the other’s property, and fees for services already performed become payable.',
  ],
  [
    'General',
    'This Agreement is the whole agreement between the parties about its subject. It may be amended only in writing. A failure to enforce a term is not a waiver of it. If a term is invalid the others stand. Neither party may assign this Agreement without the other’s consent, which shall not be unreasonably withheld.',
  ],
];
const NUMBERS = '一二三四五六七八九十'.split('');
const clausesZh = (from, list) =>
  list.flatMap(([head, text], i) => [{ head: `第${NUMBERS[from + i - 1]}条　${head}` }, text]);
const clausesEn = (from, list) => list.flatMap(([head, text], i) => [{ head: `${from + i}. ${head}` }, text]);

const z1 = {
  no: 'CG-2026-0127',
  a: '云岫数据科技（测试）有限公司',
  b: '三棵松办公设备（测试）有限公司',
  on: '2026-03-12',
  ends: '2027-03-11',
  amount: '186500.00',
  currency: 'CNY',
};
const z1pages = pagesOf(
  [
    { title: '办公设备采购合同' },
    `合同编号：${z1.no}`,
    `甲方（采购方）：${z1.a}`,
    '地址：测试市示例区云台路1号',
    `乙方（供应方）：${z1.b}`,
    '地址：测试市样例区松林街22号',
    '根据《中华人民共和国民法典》及有关法律法规，甲乙双方在平等、自愿、公平的基础上，就甲方向乙方采购办公设备事宜协商一致，订立本合同，共同遵守。',
    { head: '第一条　标的与价款' },
    '乙方向甲方供应本合同附件所列的打印机、投影机、会议终端等设备及其安装调试服务，分批交付，具体批次由甲方以书面订单确定。',
    `本合同总金额为人民币${amount(z1.amount, 'plain')}元（大写：${capitals(z1.amount)}），含增值税。合同签订后五个工作日内甲方支付预付款37,300.00元，余款按批次验收后三十日内支付。`,
    ...clausesZh(2, CLAUSES_ZH),
    { head: '第十一条　期限与生效' },
    `本合同有效期自${date(z1.on, 'zh')}起至${date(z1.ends, 'zh')}止。本合同一式四份，双方各执两份，自双方盖章之日起生效。附件为本合同不可分割的组成部分，与正文具有同等法律效力。`,
    { head: '附件　设备清单' },
    {
      table: [
        [
          ['序号', 60],
          ['设备名称', 190],
          ['数量', 90, 'right'],
          ['含税单价（元）', 120, 'right'],
        ],
        [
          ['1', '激光打印机', '40', '1,950.00'],
          ['2', '投影机', '15', '4,200.00'],
          ['3', '会议终端', '13', '3,500.00'],
        ],
      ],
    },
    { gap: 20 },
    {
      sides: [
        ['甲方（盖章）：', '授权代表：____________', `签订日期：${date(z1.on, 'zh')}`],
        ['乙方（盖章）：', '授权代表：____________', `签订日期：${date(z1.on, 'zh')}`],
      ],
    },
  ],
  { lang: 'zh', size: 12, footer: footZh },
);

const z2 = {
  no: 'FW-2026-033',
  a: '海葵教育咨询（测试）有限公司',
  b: '北斗巷网络技术（测试）有限公司',
  on: '2026-02-01',
  ends: '2026-12-31',
  amount: '96800.00',
  currency: 'CNY',
};
const z2children = [
  para('技术服务合同', { bold: true, size: 20, align: 'centre' }),
  para('\t\t\t\t\t编号：FW-2026-033'),
  grid(
    [
      ['委托方（甲方）', z2.a],
      ['受托方（乙方）', z2.b],
      ['签订日期', date(z2.on, 'han')],
      ['签订地点', '测试市'],
    ],
    [2400, 6400],
  ),
  para(''),
  para('甲方委托乙方就其在线学习平台提供运行维护与技术支持服务，乙方接受委托。双方经协商一致，订立本合同。'),
  para('第一条　服务内容', { bold: true }),
  para(
    '乙方负责平台的日常巡检、数据备份、安全加固和故障处理，每月提交服务报告；一般故障四小时内响应，严重故障一小时内响应。',
  ),
  para('第二条　服务期限', { bold: true }),
  para(`服务期限自${date(z2.on, 'han')}至${date(z2.ends, 'han')}。期满前三十日双方可以协商续签。`),
  para('第三条　服务费用', { bold: true }),
  para(
    `本合同服务费总额为人民币${capitals(z2.amount)}，分两期支付，首期于合同签订后支付百分之五十，余款于期满验收后支付。`,
  ),
  ...CLAUSES_ZH.slice(2).flatMap(([head, text], i) => [
    para(`第${NUMBERS[3 + i]}条　${head}`, { bold: true }),
    para(text),
  ]),
  para('（以下无正文）'),
  grid(
    [
      ['甲方（盖章）：', '乙方（盖章）：'],
      ['代表：', '代表：'],
    ],
    [4400, 4400],
    { borders: false },
  ),
];

const z3 = {
  no: 'ZL-2026-008',
  a: '石榴街物流（测试）有限公司',
  b: '拾光印务（测试）有限公司',
  on: '2026-04-15',
  ends: '2028-04-30',
  amount: '25600.00',
  currency: 'CNY',
};
const z3pages = pagesOf(
  [
    { title: '厂房租赁合同' },
    `合同编号：${z3.no}`,
    `甲方（出租方）：${z3.a}`,
    `乙方（承租方）：${z3.b}`,
    `签订日期：${date(z3.on, 'zh')}`,
    { head: '第一条　租赁物' },
    '甲方将位于测试市示例区石榴街5号二号厂房一层、建筑面积八百平方米的房屋出租给乙方作印刷车间使用。乙方已实地查看，对房屋现状无异议。',
    { head: '第二条　租赁期限' },
    `租赁期限自${date('2026-05-01', 'zh')}起至${date(z3.ends, 'zh')}止，共两年。`,
    { head: '第三条　租金' },
    `租金每月${amount(z3.amount, 'yuan')}，按季支付，乙方应于每季度首月五日前付清。`,
    ...clausesZh(4, CLAUSES_ZH.slice(4)),
    { gap: 20 },
    {
      sides: [
        ['甲方（盖章）：', '代表：____________'],
        ['乙方（盖章）：', '代表：____________'],
      ],
    },
  ],
  { lang: 'zh', size: 12, footer: footZh },
);

const z4 = {
  no: 'HZ〔2026〕15号',
  a: '小满社区服务中心（测试）',
  b: '白鹭洲物业服务（测试）有限公司',
  on: '2026-05-20',
  ends: '2027-05-31',
  amount: '48000.00',
  currency: 'CNY',
};
const z4pages = pagesOf(
  [
    { title: '场地合作协议书' },
    `协议编号：${z4.no}`,
    `甲方：${z4.a}`,
    `乙方：${z4.b}`,
    '为方便居民开展文体活动，甲乙双方就乙方管理的白鹭洲会所场地的合作使用达成如下协议。',
    { head: '第一条　合作内容' },
    '乙方向甲方提供会所一层多功能厅及附属设施，供甲方每周二、周四及周末使用，并负责水电、保洁和安全管理。',
    { head: '第二条　费用' },
    `合作费用全年合计${amount(z4.amount, 'rmb')}，甲方按季度等额支付。`,
    { head: '第三条　期限' },
    `本协议自${date('2026-06-01', 'zh')}起执行，至${date(z4.ends, 'zh')}终止。`,
    ...clausesZh(4, CLAUSES_ZH.slice(3, 8)),
    { page: true },
    '（签署页）',
    { gap: 30 },
    {
      sides: [
        ['甲方（公章）：', '', '负责人：____________'],
        ['乙方（公章）：', '', '负责人：____________'],
      ],
    },
    { gap: 30 },
    `签署日期：${date(z4.on, 'zh')}`,
  ],
  { lang: 'zh', size: 12, footer: footZh },
);

const z5 = { no: 'CG-2026-0127-补1', a: z1.a, b: z1.b, on: '2026-06-18' };
const z5pages = pagesOf(
  [
    { title: '补充协议' },
    `协议编号：${z5.no}`,
    `甲方：${z5.a}`,
    `乙方：${z5.b}`,
    `鉴于双方于${date(z1.on, 'zh')}签订了编号为${z1.no}的《办公设备采购合同》（以下称原合同），经协商，就原合同有关事项补充约定如下：`,
    '一、原合同附件第2项投影机的型号变更为甲方另行书面确认的型号，数量及单价不变。',
    '二、第二批设备的交付地点变更为甲方示例区分部，由此增加的运输费用由乙方承担。',
    '三、除本补充协议明确变更的内容外，原合同其余条款继续有效，双方应继续履行。',
    '四、本补充协议一式两份，双方各执一份，自双方盖章之日起生效。',
    { gap: 30 },
    {
      sides: [
        ['甲方（盖章）：', `日期：${date(z5.on, 'zh')}`],
        ['乙方（盖章）：', `日期：${date(z5.on, 'zh')}`],
      ],
    },
  ],
  { lang: 'zh', size: 12 },
);

const e1 = {
  no: 'SA-2026-19',
  a: 'Fernhill Museum Trust',
  b: 'Larkspur Analytics Inc.',
  on: '2026-03-05',
  ends: '2028-03-31',
  amount: '48000.00',
  currency: 'USD',
};
const e1pages = pagesOf(
  [
    { title: 'SERVICES AGREEMENT' },
    `Agreement No. ${e1.no}`,
    `This Agreement is made on ${date(e1.on, 'uk')}`,
    'BETWEEN',
    `(1) ${e1.a}, of 2 Fernhill Example Road, Exampleton (the “Client”); and`,
    `(2) ${e1.b}, of 1200 Example Avenue, Springfield (the “Provider”).`,
    'WHEREAS the Client wishes to have its visitor numbers analysed and the Provider is in the business of analysing data, the parties agree as follows.',
    ...clausesEn(1, CLAUSES_EN.slice(0, 3)),
    { head: '4. Fees' },
    `In consideration of the services the Client shall pay the Provider a total fee of ${amount(e1.amount, 'usdCode')}, exclusive of taxes, in eight equal quarterly instalments of USD 6,000.00. Expenses above USD 500.00 need the Client’s prior consent in writing.`,
    { head: '5. Term' },
    `This Agreement begins on ${date('2026-04-01', 'uk')} and continues until ${date(e1.ends, 'uk')}, when it expires without notice unless the parties have agreed in writing to extend it.`,
    ...clausesEn(6, CLAUSES_EN.slice(3)),
    { head: 'Schedule 1: the services' },
    ...numbered([
      'A count of visitors by day, hour and entrance, from the Client’s turnstile records of the last five years.',
      'A forecast of visitors for each quarter, delivered in the last week of the quarter before.',
      'A written report in each January on the accuracy of the forecasts of the year before.',
      'A workshop for the Client’s staff of one day in each year, at the Client’s premises.',
    ]),
    { gap: 30 },
    {
      sides: [
        [`Signed for the Client`, '______________________', 'Authorised signatory'],
        [`Signed for the Provider`, '______________________', 'Authorised signatory'],
      ],
    },
  ],
  { lang: 'en', size: 12, footer: footEn, header: 'Services Agreement' },
);

const e2 = { a: 'Glasswing Design Studio', b: 'Marlow Tea Importers', on: '2026-01-19', ends: '2029-01-18' };
const e2children = [
  para('MUTUAL NON-DISCLOSURE AGREEMENT', { heading: 1 }),
  para(`This Non-Disclosure Agreement is entered into as of ${date(e2.on, 'us')} by and between:`),
  grid(
    [
      ['Party A', e2.a],
      ['Party B', e2.b],
    ],
    [1800, 7000],
  ),
  para(''),
  para(
    '1. Purpose. The parties wish to explore the design of new packaging and may for this purpose disclose confidential information to each other.',
  ),
  para(
    '2. Confidential information. Drawings, recipes, prices, lists of customers and suppliers, and whatever else is marked as confidential or is plainly so by its nature.',
  ),
  para(
    '3. Duties. The receiving party shall keep the information secret, use it for the purpose only, and return or destroy it when asked to.',
  ),
  para(
    '4. Exceptions. Information that is or becomes public without breach, that was known before, or that must be disclosed by law.',
  ),
  para(`5. Term. This Agreement terminates on ${date(e2.ends, 'us')}. No fee is payable under it.`),
  para('6. Governing law. The laws of the place where the disclosing party has its seat.'),
  para(''),
  grid([['For Party A: ______________', 'For Party B: ______________']], [4400, 4400], { borders: false }),
];

const e3 = {
  no: 'L-0447',
  a: 'Orchard Row Condominiums',
  b: 'Elm Street Garage',
  on: '2026-02-27',
  ends: '2027-02-28',
  amount: '1850.00',
  currency: 'USD',
};
const e3pages = pagesOf(
  [
    { title: 'LEASE AGREEMENT' },
    `Lease No.: ${e3.no}`,
    `Date of signing: ${date(e3.on, 'us')}`,
    `Landlord (Party A): ${e3.a}`,
    `Tenant (Party B): ${e3.b}`,
    { head: '1. Premises' },
    'The Landlord lets to the Tenant the ground floor of 40 Example Row, Springfield, OR 97000, with six parking spaces, for use as a repair shop and for no other purpose.',
    { head: '2. Term' },
    `The term begins on ${date('2026-03-01', 'us')} and ends on ${date(e3.ends, 'us')}. There is no automatic renewal.`,
    { head: '3. Rent' },
    `The monthly rent is ${amount(e3.amount, 'usd')}, payable in advance on the first day of each month.`,
    { head: '4. Upkeep' },
    'The Tenant keeps the premises clean and in good repair, fair wear excepted. The Landlord keeps roof, walls and mains in repair and may enter on one day’s notice, or at once in an emergency.',
    ...clausesEn(5, CLAUSES_EN.slice(7)),
    { gap: 30 },
    { sides: [['Landlord: ____________________'], ['Tenant: ____________________']] },
  ],
  { lang: 'en', size: 12, footer: footEn },
);

const e4 = {
  no: 'MNT-2026-05',
  a: 'Pebble Bay Sailing Club',
  b: 'Harbour Lane Boatyard Ltd',
  on: '2026-04-24',
  ends: '2026-10-31',
  amount: '7200.00',
  currency: 'GBP',
};
const e4first = pagesOf(
  [
    { title: 'Maintenance Contract' },
    `Contract number: ${e4.no}`,
    `Party A (customer): ${e4.a}`,
    `Party B (contractor): ${e4.b}`,
    `Date of contract: ${date(e4.on, 'uk')}`,
    `The contractor maintains the boats listed in the schedule overleaf for a fixed price of ${amount(e4.amount, 'gbp')} for the season. The contract runs from 1 May 2026 and expires on ${date(e4.ends, 'uk')}.`,
    ...clausesEn(1, [CLAUSES_EN[2], CLAUSES_EN[7], CLAUSES_EN[9]]),
    { gap: 30 },
    { sides: [['For the customer: ______________'], ['For the contractor: ______________']] },
  ],
  { lang: 'en', face: 'sans', size: 11 },
);
const schedule = new Page({ width: 842, height: 595, size: 11 });
schedule.text(60, 60, 'Schedule: boats and services', { size: 15, bold: true });
schedule.table(
  60,
  80,
  [
    ['Boat', 160],
    ['Class', 120],
    ['May', 90],
    ['July', 90],
    ['September', 90],
    ['Share of price', 130, 'right'],
  ],
  [
    ['Bittern', 'Dinghy', 'yes', '', 'yes', '£900.00'],
    ['Curlew', 'Dinghy', 'yes', '', 'yes', '£900.00'],
    ['Dunlin', 'Keelboat', 'yes', 'yes', 'yes', '£2,700.00'],
    ['Egret', 'Keelboat', 'yes', 'yes', 'yes', '£2,700.00'],
  ],
);

const e5 = {
  no: 'CN/2026/61',
  a: 'Copper Heron Hotel Ltd',
  b: 'Millrace Catering Ltd',
  on: '2026-05-08',
  ends: '2027-05-31',
  amount: '62400.00',
  currency: 'GBP',
};
const e5children = [
  para('CATERING CONTRACT', { heading: 1 }),
  grid(
    [
      ['Contract No.', e5.no],
      ['Party A', e5.a],
      ['Party B', e5.b],
      ['Date signed', date(e5.on, 'mon')],
      ['End date', date(e5.ends, 'mon')],
      ['Contract value', amount(e5.amount, 'gbp')],
    ],
    [2400, 6400],
  ),
  para(''),
  ...CLAUSES_EN.slice(0, 6).flatMap(([head, text], i) => [para(`${i + 1}. ${head}`, { bold: true }), para(text)]),
  para('Signed by the parties on the date given above.'),
];

export const contracts = [
  contract('zh', z1, textPdf(z1pages)),
  contract('zh', z2, wordFile(z2children, { header: '技术服务合同 FW-2026-033', footer: '内部资料 注意保密' }), {
    note: 'the amount stands only in capitals, the dates in Han numerals',
  }),
  contract('zh', z3, scannedPdf(z3pages, { dpi: 140, skew: 0.5 }), {
    note: 'amount is the monthly rent, the only amount',
  }),
  contract('zh', z4, mixedPdf(z4pages, [z4pages.length - 1], { dpi: 140 }), {
    note: 'the date of signing stands only on the scanned last page',
  }),
  contract('zh', z5, textPdf(z5pages), {
    note: 'a supplement: names the contract that it changes and that one’s date; no amount, no end',
  }),
  contract('en', e1, textPdf(e1pages)),
  contract('en', e2, wordFile(e2children)),
  contract('en', e3, scannedPdf(e3pages, { dpi: 140, skew: -0.4 }), {
    note: 'amount is the monthly rent, the only amount',
  }),
  contract('en', e4, rotatedPdf([...e4first, schedule], [...e4first.map(() => 0), 90])),
  contract(
    'en',
    e5,
    mail(
      {
        from: ['Millrace Catering', 'office@millrace.example'],
        to: ['Copper Heron Hotel', 'contracts@copperheron.example'],
        subject: 'Signed catering contract CN/2026/61',
        date: 'Mon, 11 May 2026 09:30:00 +0100',
        text: 'Good morning,\n\nattached is the countersigned contract for your files.\n\nRegards\nMillrace Catering\n',
      },
      [{ name: 'Catering contract CN-2026-61.docx', form: wordFile(e5children) }],
    ),
  ),
];
