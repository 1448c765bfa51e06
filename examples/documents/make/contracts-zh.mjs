import { CLAUSES_ZH, clausesZh, NUMBERS } from './clauses.mjs';
import { contract } from './contract.mjs';
import { pagesOf } from './flow.mjs';
import { amount, capitals, date } from './format.mjs';
import { mixedPdf, scannedPdf, textPdf, wordFile } from './forms.mjs';
import { grid, para } from './office.mjs';

const footZh = (n, of) => `第 ${n} 页 共 ${of} 页`;

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

export const contractsZh = [
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
];
