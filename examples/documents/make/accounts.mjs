// The accounts that the statements print.
import { add } from './format.mjs';
import { random } from './random.mjs';

/** A statement's values from its entries, [iso date, text, signed amount]. */
function account(v) {
  const entries = [];
  let balance = v.opening;
  for (const [on, text, sum] of v.entries) {
    balance = add(balance, sum);
    entries.push({ on, text, sum, balance });
  }
  return { ...v, entries, closing: balance };
}

/** Invented entries over a period. */
function invented(seed, count, month, texts) {
  const chance = random(seed);
  return Array.from({ length: count }, (_, i) => {
    const day = String(1 + Math.floor((i * 27) / count)).padStart(2, '0');
    const out = chance() < 0.65;
    const sum = (Math.floor(chance() * (out ? 250_000 : 600_000) + 1500) / 100).toFixed(2);
    const [incoming, outgoing] = texts;
    const list = out ? outgoing : incoming;
    return [`${month}-${day}`, list[Math.floor(chance() * list.length)], out ? `-${sum}` : sum];
  });
}
const ZH = [
  ['货款', '服务费收入', '活期结息', '退款'],
  ['网上支付', '代发工资', '电费', '房租', '手续费', '采购付款'],
];
const EN = [
  ['Transfer in', 'Card takings', 'Refund'],
  ['Direct debit utilities', 'Wages', 'Card purchase', 'Rent', 'Bank charges', 'Supplier payment'],
];

export const z1 = account({
  bank: '测试第一银行示范支行',
  account: '0000 1234 0000 5678',
  holder: '云岫数据科技（测试）有限公司',
  from: '2026-03-01',
  to: '2026-03-31',
  currency: 'CNY',
  opening: '218340.55',
  counted: true,
  entries: invented(11, 46, '2026-03', ZH),
});
export const z2 = account({
  bank: '样例农商银行',
  account: '0000880012340099',
  holder: '阿福五金商行（测试）',
  from: '2026-04-01',
  to: '2026-04-30',
  currency: 'CNY',
  opening: '36018.20',
  counted: true,
  entries: invented(12, 18, '2026-04', ZH),
});
export const z3 = account({
  bank: '示例城市商业银行',
  account: '000099887766',
  holder: '小满社区服务中心（测试）',
  from: '2026-05-01',
  to: '2026-05-31',
  currency: 'CNY',
  opening: '90455.00',
  entries: invented(13, 14, '2026-05', ZH),
});
export const z4 = account({
  bank: '测试第一银行',
  account: '0000 4321 0000 8765',
  holder: '雨前茶业（测试）股份有限公司',
  from: '2026-01-01',
  to: '2026-03-31',
  currency: 'CNY',
  opening: '1045200.00',
  entries: invented(14, 12, '2026-02', ZH),
});
export const e1 = account({
  bank: 'Example Mutual Bank',
  account: '000123456',
  holder: 'Tidewater Kayak Rentals LLC',
  from: '2026-02-01',
  to: '2026-02-28',
  currency: 'USD',
  opening: '18250.75',
  counted: true,
  entries: invented(21, 24, '2026-02', EN),
});
export const e2 = account({
  bank: 'Sample & Sons Bank',
  account: 'GB00 EXMP 0000 0000 0000 01',
  holder: 'Sandbank Interiors Ltd',
  from: '2026-05-01',
  to: '2026-05-31',
  currency: 'GBP',
  opening: '7431.09',
  entries: invented(22, 15, '2026-05', EN),
});
export const e3 = account({
  bank: 'Beispielbank AG',
  account: 'DE00 0000 0000 0000 0000 00',
  holder: 'Holzapfel Werkzeuge GmbH',
  from: '2026-06-01',
  to: '2026-06-30',
  currency: 'EUR',
  opening: '54120.30',
  entries: invented(23, 34, '2026-06', EN),
});
export const e4 = account({
  bank: 'Harbor Example Credit Union',
  account: '0000-77-1020',
  holder: 'Elm Street Garage',
  from: '2026-07-01',
  to: '2026-07-31',
  currency: 'USD',
  opening: '3310.00',
  entries: invented(24, 9, '2026-07', EN),
});
export const e5 = account({
  bank: 'Example Mutual Bank',
  account: '000987654',
  holder: 'Paperkite Studio',
  from: '2026-03-01',
  to: '2026-03-31',
  currency: 'USD',
  opening: '12004.18',
  entries: invented(25, 13, '2026-03', EN),
});
