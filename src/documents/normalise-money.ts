/** An amount that a document prints. */
export interface FoundMoney {
  readonly value: number;
  /** ISO 4217; null where none is printed. */
  readonly currency: string | null;
  readonly start: number;
  readonly end: number;
}

const SIGNS: Readonly<Record<string, string>> = {
  '¥': 'CNY',
  '￥': 'CNY',
  元: 'CNY',
  人民币: 'CNY',
  RMB: 'CNY',
  CNY: 'CNY',
  $: 'USD',
  US$: 'USD',
  USD: 'USD',
  '€': 'EUR',
  EUR: 'EUR',
  '£': 'GBP',
  GBP: 'GBP',
  HK$: 'HKD',
  HKD: 'HKD',
  JPY: 'JPY',
  CHF: 'CHF',
};
const before = '(US\\$|HK\\$|[¥￥$€£]|人民币|RMB|CNY|USD|EUR|GBP|HKD|JPY|CHF)';
const after = '(元|[€£$]|CNY|USD|EUR|GBP|HKD|JPY|CHF|RMB)';
const amount = "(-?\\d{1,3}(?:[,.' ]\\d{3})+(?:[.,]\\d{1,2})?|-?\\d+(?:[.,]\\d{1,2})?)";
const printed = new RegExp(`(?:${before}\\s*)?(?<![\\d.,])${amount}(?![\\d%])(?:\\s*${after}(?![A-Za-z]))?`, 'g');

const DIGITS = '零壹贰叁肆伍陆柒捌玖';
const UNITS: Readonly<Record<string, number>> = { 拾: 10, 佰: 100, 仟: 1000 };
const inWords =
  /(?:人民币)?[（(]?(?:大写)?[）)]?[:：]?\s*([零壹贰叁肆伍陆柒捌玖拾佰仟万亿]+[元圆](?:[零壹贰叁肆伍陆柒捌玖]角)?(?:零?[壹贰叁肆伍陆柒捌玖]分)?整?)/g;

/** All amounts of a text, in order: in figures of either locale (1,253.69 and 1.253,69) and in Chinese capitals. */
export function findMoney(text: string): FoundMoney[] {
  const found: FoundMoney[] = [];
  for (const match of text.matchAll(inWords)) {
    const start = match.index + match[0].indexOf(match[1]!);
    found.push({ value: ofCapitals(match[1]!), currency: 'CNY', start: match.index, end: start + match[1]!.length });
  }
  for (const match of text.matchAll(printed)) {
    const [whole, sign, figures, unit] = match;
    found.push({
      value: ofFigures(figures!),
      currency: currencyOf(sign ?? unit ?? ''),
      start: match.index,
      end: match.index + whole.length,
    });
  }
  return found.sort((a, b) => a.start - b.start);
}

/** The code (ISO 4217) of a sign or name of a currency; null for none that is known. */
export const currencyOf = (sign: string): string | null => SIGNS[sign] ?? null;

/** The last separator divides the decimals, if one or two figures stand behind it. */
function ofFigures(figures: string): number {
  const decimals = /[.,](\d{1,2})$/.exec(figures);
  const whole = decimals ? figures.slice(0, decimals.index) : figures;
  return Number(`${whole.replace(/[^\d-]/g, '')}.${decimals?.[1] ?? '0'}`);
}

/** 壹仟贰佰叁拾肆元伍角整 is 1234.5. */
export function ofCapitals(text: string): number {
  const [yuan, rest = ''] = text.replace('圆', '元').split('元');
  let [total, section, digit] = [0, 0, 0];
  for (const sign of yuan!) {
    if (DIGITS.includes(sign)) digit = DIGITS.indexOf(sign);
    else if (UNITS[sign]) {
      section += (digit || 1) * UNITS[sign]!;
      digit = 0;
    } else {
      total = sign === '亿' ? (total + section + digit) * 1e8 : total + (section + digit) * 1e4;
      [section, digit] = [0, 0];
    }
  }
  const part = (unit: string) => {
    const at = rest.indexOf(unit);
    return at > 0 ? DIGITS.indexOf(rest[at - 1]!) : 0;
  };
  return Math.round((total + section + digit) * 100 + part('角') * 10 + part('分')) / 100;
}
