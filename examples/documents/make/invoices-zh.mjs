import { add, amount, capitals, date, times } from './format.mjs';
import { excelFile, pngImage, rotatedPdf, scannedPdf, textPdf, wordFile } from './forms.mjs';
import { invoice } from './invoice.mjs';
import { dateCell, grid, numberCell, para } from './office.mjs';
import { Page } from './page.mjs';

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

const zh = (v, form) => invoice('zh', v, null, form);

export const invoicesZh = [
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
];
