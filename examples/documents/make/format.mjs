// How dates and amounts are printed. Labels hold the normalised values; the documents print them through these.
const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const HAN = '〇一二三四五六七八九';
const CAPITAL = '零壹贰叁肆伍陆柒捌玖';

const pad = (n) => String(n).padStart(2, '0');

function hanNumber(n) {
  if (n < 10) return HAN[n];
  const tens = Math.floor(n / 10);
  return `${tens > 1 ? HAN[tens] : ''}十${n % 10 ? HAN[n % 10] : ''}`;
}

/** Prints an ISO date in one of the styles in which documents write dates. */
export function date(iso, style) {
  const [y, m, d] = iso.split('-').map(Number);
  return {
    iso,
    zh: `${y}年${m}月${d}日`,
    zh0: `${y}年${pad(m)}月${pad(d)}日`,
    zhSpaced: `${y} 年 ${m} 月 ${d} 日`,
    han: `${[...String(y)].map((c) => HAN[c]).join('')}年${hanNumber(m)}月${hanNumber(d)}日`,
    slash: `${y}/${m}/${d}`,
    ymdDots: `${y}.${pad(m)}.${pad(d)}`,
    dots: `${pad(d)}.${pad(m)}.${y}`,
    us: `${MONTHS[m - 1]} ${d}, ${y}`,
    uk: `${d} ${MONTHS[m - 1]} ${y}`,
    mdy: `${pad(m)}/${pad(d)}/${y}`,
    dmy: `${pad(d)}/${pad(m)}/${y}`,
    mon: `${pad(d)}-${MONTHS[m - 1].slice(0, 3)}-${y}`,
    monUs: `${MONTHS[m - 1].slice(0, 3)} ${d}, ${y}`,
  }[style];
}

/** 1234.50 as 人民币大写: 壹仟贰佰叁拾肆元伍角整. */
export function capitals(decimal) {
  const [whole, cents = '00'] = decimal.split('.');
  const groups = [];
  for (let end = whole.length; end > 0; end -= 4) groups.unshift(whole.slice(Math.max(0, end - 4), end));
  let out = '';
  let zero = false;
  for (const [i, group] of groups.entries()) {
    let part = '';
    for (const [j, c] of [...group].entries()) {
      if (c === '0') {
        zero = true;
        continue;
      }
      part += (zero && (out || part) ? '零' : '') + CAPITAL[c] + ['', '拾', '佰', '仟'][group.length - 1 - j];
      zero = false;
    }
    if (part) out += part + ['', '万', '亿'][groups.length - 1 - i];
  }
  out += '元';
  const [jiao, fen] = cents.padEnd(2, '0');
  if (jiao === '0' && fen === '0') return `${out}整`;
  if (jiao !== '0') out += `${CAPITAL[jiao]}角`;
  else out += '零';
  return fen === '0' ? `${out}整` : `${out}${CAPITAL[fen]}分`;
}

/** Prints a decimal string in one of the styles in which documents write amounts. */
export function amount(decimal, style) {
  const negative = decimal.startsWith('-');
  const [whole, cents = '00'] = decimal.replace('-', '').split('.');
  const sign = negative ? '-' : '';
  const grouped = `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${cents.padEnd(2, '0')}`;
  const european = grouped.replace(/[.,]/g, (c) => (c === '.' ? ',' : '.'));
  return {
    plain: sign + grouped,
    bare: `${sign}${whole}.${cents.padEnd(2, '0')}`,
    yen: `${sign}¥${grouped}`,
    yenBare: `${sign}¥${whole}.${cents.padEnd(2, '0')}`,
    yuan: `${sign}${grouped}元`,
    rmb: `人民币${grouped}元`,
    capitals: capitals(decimal),
    eu: `${sign}${european} €`,
    euro: `${sign}€${grouped}`,
    usd: `${sign}$${grouped}`,
    gbp: `${sign}£${grouped}`,
    usdCode: `USD ${sign}${grouped}`,
    gbpCode: `GBP ${sign}${grouped}`,
    eurCode: `EUR ${sign}${grouped}`,
  }[style];
}

const cents = (decimal) => Math.round(Number(decimal) * 100);
const decimal = (n) => (n / 100).toFixed(2);

/** Exact sums of decimal strings. */
export const add = (...amounts) => decimal(amounts.reduce((sum, a) => sum + cents(a), 0));
export const times = (price, count) => decimal(Math.round(cents(price) * count));
export const money = (amount, currency) => ({ amount, currency });
