import { readDigits } from './plain-digits.ts';

/** An amount that a document prints. */
export interface FoundMoney {
  readonly value: number;
  /** ISO 4217; null where none is printed. */
  readonly currency: string | null;
  /** Where it stands in the text with its currency, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

/** What a sign means in one document, other than it mostly does. */
export type LocalSigns = Readonly<Record<string, string>>;

/** Signs and names of currencies. ¥ and $ alone are those of the country where the product is most used with them. */
const CURRENCIES: Readonly<Record<string, string>> = {
  ...{ '¥': 'CNY', '￥': 'CNY', 元: 'CNY', 圆: 'CNY', 人民币: 'CNY', RMB: 'CNY', CNY: 'CNY', 'CN¥': 'CNY' },
  ...{ $: 'USD', US$: 'USD', USD: 'USD', 美元: 'USD', '€': 'EUR', EUR: 'EUR', 欧元: 'EUR' },
  ...{ '£': 'GBP', GBP: 'GBP', 英镑: 'GBP', HK$: 'HKD', HKD: 'HKD', 港元: 'HKD', 港币: 'HKD' },
  ...{ JPY: 'JPY', 'JP¥': 'JPY', 日元: 'JPY', 円: 'JPY', CHF: 'CHF', 'Fr.': 'CHF', 瑞士法郎: 'CHF' },
  ...{ NT$: 'TWD', TWD: 'TWD', 新台币: 'TWD', 新臺幣: 'TWD', S$: 'SGD', SGD: 'SGD', 新加坡元: 'SGD' },
  ...{ A$: 'AUD', AUD: 'AUD', 澳元: 'AUD', C$: 'CAD', CA$: 'CAD', CAD: 'CAD', 加元: 'CAD', '₹': 'INR', INR: 'INR' },
  ...{ '₩': 'KRW', KRW: 'KRW', 韩元: 'KRW', SEK: 'SEK', NOK: 'NOK', DKK: 'DKK', PLN: 'PLN', MOP: 'MOP', 澳门元: 'MOP' },
};
const escaped = (words: readonly string[]): string =>
  words
    .toSorted((a, b) => b.length - a.length)
    .map((word) => word.replace(/[.$]/g, '\\$&'))
    .join('|');
const names = Object.keys(CURRENCIES);
const BEFORE = `(?<![A-Za-z])(${escaped(names.filter((name) => !/^[元圆円]$/.test(name)))})`;
const AFTER = `(${escaped(names)})(?![A-Za-z])`;
/** 1,234,567.89 · 1.234.567,89 · 1'234.50 · 12,34,567.00 · 1234,5 */
const FIGURES =
  "\\d{1,3}(?:,\\d{2,3})+(?:\\.\\d{1,2})?|\\d{1,3}(?:[.'’]\\d{3})+(?:[.,]\\d{1,2})?|0[.,]\\d{3}|\\d+(?:[.,]\\d{1,2})?";
/** 1 234,50: with a narrow or an ordinary space, which only a currency beside it tells from two numbers. */
const SPACED = '\\d{1,3}(?: \\d{3})+(?:[.,]\\d{2})?';
const MANY = '(?:\\s?(万亿|亿|万|千|百万|thousand|million|billion|bn|m|k)(?![A-Za-z]))?';
const SIGN = '([-−–+]\\s?)?';
const printed = new RegExp(
  `(?:${SIGN}${BEFORE}\\s*\\(?)?${SIGN}(?<![\\d.,])(?:(${SPACED})(?![\\d.,])|(${FIGURES}))(?!\\d|\\s?[%‰])${MANY}(-(?!\\d))?(?:\\s*${AFTER})?`,
  'g',
);
const MULTIPLES: Readonly<Record<string, number>> = {
  ...{ 千: 1e3, 万: 1e4, 百万: 1e6, 亿: 1e8, 万亿: 1e12 },
  ...{ thousand: 1e3, million: 1e6, billion: 1e9, bn: 1e9, m: 1e6, k: 1e3 },
};

/** A longer text is no amount in brackets. */
const MAX_BRACKETED = 60;
const DIGITS = '零壹贰叁肆伍陆柒捌玖';
const UNITS: Readonly<Record<string, number>> = { 拾: 10, 佰: 100, 仟: 1000 };
const capitals = '零壹贰叁肆伍陆柒捌玖拾佰仟万亿';
const inWords = new RegExp(
  `(人民币|港币|美元)?[（(]?(?:大写)?[）)]?[:：]?\\s{0,9}([${DIGITS}拾][${capitals}\\s]{0,40}[元圆](?:\\s?[${DIGITS}]角)?(?:\\s?零?[${DIGITS}]分)?(?:\\s?[整正])?)`,
  'g',
);
const minor =
  /(?<![\d.,])(\d{1,2})\s*角(?:\s*(\d{1,2})\s*分)?|(?<![\d.,])(\d{1,2})\s*分(?!钟|之|行|部|公|店|期|项|类)/y;

/**
 * All amounts of a text, in order: in figures of either locale (1,253.69 and 1.253,69), with 万 and 亿, with 角 and 分, in
 * Chinese capitals, and with the sign or name of a currency before or behind. A dash before or behind, or brackets
 * around all of the text, make an amount negative.
 * @param local what ¥ and $ mean in the document, where it is not CNY and USD
 */
export function findMoney(text: string, local: LocalSigns = {}): FoundMoney[] {
  const plain = plainForm(text);
  const written = [...plain.matchAll(inWords)].map((match): FoundMoney => {
    const currency = CURRENCIES[match[1] ?? '元']!;
    return { value: ofCapitals(match[2]!), currency, start: match.index, end: match.index + match[0].length };
  });
  const inFigures = [...plain.matchAll(printed)].flatMap((match) => ofMatch(match, plain, local) ?? []);
  const found = written.length ? [...written, ...outside(inFigures, written)] : inFigures;
  const inBrackets =
    plain.length < MAX_BRACKETED &&
    /^\s*(?:[A-Z]{3}|[$€£¥])?\s*\([^()\p{L}]*(?:[A-Z]{3})?\)\s*(?:[A-Z]{3}|[€£$])?\s*$/u.test(plain);
  return found
    .map((one) => (inBrackets && one.value > 0 ? { ...one, value: -one.value } : one))
    .sort((a, b) => a.start - b.start);
}

/**
 * What ¥ and $ mean where a document tells: yen in Japanese, the dollar that it names (港币, SGD) instead of that of the
 * United States.
 */
export function localSigns(text: string): LocalSigns {
  const signs: Record<string, string> = {};
  if (/\p{Script=Hiragana}|\bJPY\b|日元|円/u.test(text) && !/人民币|\b(?:CNY|RMB)\b/.test(text))
    signs['¥'] = signs['￥'] = 'JPY';
  const dollars = new Set([...text.matchAll(DOLLARS)].map(([name]) => CURRENCIES[name]!));
  if (dollars.size === 1 && !/\bUSD\b|US\$|美元/.test(text)) signs.$ = [...dollars][0]!;
  return signs;
}

const DOLLARS = /\b(?:HKD|TWD|SGD|AUD|CAD)\b|(?<![A-Z])(?:HK\$|NT\$|CA\$)|港元|港币|新台币|澳元|加元/g;

/** Those that do not overlap any of the others; both in order. */
function outside(all: readonly FoundMoney[], others: readonly FoundMoney[]): FoundMoney[] {
  let at = 0;
  return all.filter(({ start, end }) => {
    while (at < others.length && others[at]!.end <= start) at += 1;
    return at === others.length || others[at]!.start >= end;
  });
}

/** The code (ISO 4217) of a sign or name of a currency; null for none that is known. */
export const currencyOf = (sign: string): string | null => CURRENCIES[sign] ?? null;

const plainForm = (text: string): string =>
  readDigits(text)
    // Recognised pictures show a dollar as the letter that it is drawn over.
    .replace(/(?<![A-Za-z0-9])S(?=\d{1,3}(?:,\d{3})*\.\d{2}(?!\d))/g, '$')
    .replace(/[圓圆]/g, '元')
    .replaceAll('萬', '万')
    .replaceAll('億', '亿')
    .replaceAll('貳', '贰')
    .replaceAll('陸', '陆')
    .replaceAll('叄', '叁');

function ofMatch(match: RegExpMatchArray, text: string, local: LocalSigns): FoundMoney | null {
  const [whole, outer, before, inner, spaced, figures, many, behind, after] = match;
  const sign = before ?? after ?? '';
  const currency = local[sign] ?? currencyOf(sign);
  let printedFigures = figures ?? spaced!;
  let start = match.index!;
  if (spaced !== undefined && currency === null && !/[.,]\d{2}$/.test(spaced)) {
    // Two numbers side by side: the second is the amount.
    printedFigures = spaced.slice(spaced.indexOf(' ') + 1).replaceAll(' ', '');
    start += whole.indexOf(spaced) + spaced.indexOf(' ') + 1;
  }
  if (many !== undefined && /[mk]/.test(many) && many.length === 1 && before === undefined) return null;
  let value = ofFigures(printedFigures) * (many === undefined ? 1 : MULTIPLES[many]!);
  let end = match.index! + whole.length;
  if (after === '元' || after === '圆') {
    minor.lastIndex = end;
    const small = minor.exec(text);
    if (small !== null) {
      value += Number(small[1] ?? 0) / 10 + Number(small[2] ?? small[3] ?? 0) / 100;
      end = minor.lastIndex;
    }
  }
  const isNegative = /[-−–]/.test(`${outer ?? ''}${inner ?? ''}`) && !isRange(text, start);
  if (isNegative || (behind !== undefined && currency !== null)) value = -value;
  return { value: Math.round(value * 1e6) / 1e6, currency, start, end };
}

/** In `5 - 10` and `AB-12` a dash does not make a number negative. */
const isRange = (text: string, at: number): boolean => /[\p{L}\p{N}]\s*$/u.test(text.slice(Math.max(0, at - 3), at));

/** The last separator divides the decimals, if it is the only one of its kind and one or two figures stand behind it. */
function ofFigures(figures: string): number {
  const decimals = /[.,](\d{1,2})$/.exec(figures) ?? /^0[.,](\d{3})$/.exec(figures);
  const whole = decimals ? figures.slice(0, figures.length - decimals[1]!.length - 1) : figures;
  return Number(`${whole.replace(/\D/g, '')}.${decimals?.[1] ?? '0'}`);
}

/** 壹仟贰佰叁拾肆元伍角整 is 1234.5. */
export function ofCapitals(text: string): number {
  const [yuan, rest = ''] = text.replace(/\s+/g, '').replace('圆', '元').split('元');
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
