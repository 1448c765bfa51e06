/** A date that a document prints, as an ISO date. */
export interface FoundDate {
  /** `2026-03-05`. */
  readonly value: string;
  readonly start: number;
  readonly end: number;
  /** Day and month could be the other way round, and nothing in the document says which. */
  readonly ambiguous: boolean;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const month =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const HAN_DIGITS = '〇一二三四五六七八九';
const han = '[〇○零一二三四五六七八九]';

type Parts = readonly [year: number, month: number, day: number];
/** Each form with what its groups mean; `dayFirst` is the order that the document uses for all-number dates. */
const FORMS: readonly {
  readonly pattern: RegExp;
  readonly parts: (match: readonly string[], dayFirst: boolean) => Parts;
}[] = [
  { pattern: /(\d{4})\s*年\s*(\d{1,2})\s*月\s*(\d{1,2})\s*日?/g, parts: ([, y, m, d]) => [+y!, +m!, +d!] },
  { pattern: /(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/g, parts: ([, y, m, d]) => [+y!, +m!, +d!] },
  {
    pattern: new RegExp(`(${han}{4})年([一二三四五六七八九十]{1,2})月([一二三四五六七八九十]{1,3})日`, 'g'),
    parts: ([, y, m, d]) => [digits(y!), hanNumber(m!), hanNumber(d!)],
  },
  {
    pattern: new RegExp(
      `(?<!\\d)(\\d{1,2})(?:st|nd|rd|th)?\\.?(?:\\s+day)?(?:\\s+of)?\\s+${month}\\.?,?\\s+(\\d{4})`,
      'gi',
    ),
    parts: ([, d, m, y]) => [+y!, monthOf(m!), +d!],
  },
  {
    pattern: new RegExp(`\\b${month}\\.?\\s+(\\d{1,2})(?:st|nd|rd|th)?,?\\s+(\\d{4})`, 'gi'),
    parts: ([, m, d, y]) => [+y!, monthOf(m!), +d!],
  },
  {
    pattern: new RegExp(`(?<!\\d)(\\d{1,2})[-\\s]${month}[-\\s](\\d{4})`, 'gi'),
    parts: ([, d, m, y]) => [+y!, monthOf(m!), +d!],
  },
  { pattern: /(?<![\d.])(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\d)/g, parts: ([, d, m, y]) => [+y!, +m!, +d!] },
  {
    pattern: /(?<![\d/])(\d{1,2})[/-](\d{1,2})[/-](\d{4})(?!\d)/g,
    parts: ([, a, b, y], dayFirst) => (dayFirst ? [+y!, +b!, +a!] : [+y!, +a!, +b!]),
  },
];
const OPEN_FORM = FORMS.length - 1;

/**
 * All dates of a text, in order. A form of numbers alone (03/05/2026) is read as `dayFirst` says.
 * @param order of numeric dates in the document, null where it is not known: then month first, marked ambiguous unless
 * only one reading is a date
 */
export function findDates(text: string, order: 'day-first' | 'month-first' | null): FoundDate[] {
  const found: FoundDate[] = [];
  for (const [form, { pattern, parts }] of FORMS.entries()) {
    for (const match of text.matchAll(pattern)) {
      const readings = [false, true].map((dayFirst) => iso(parts(match, dayFirst)));
      const wanted = order === 'day-first' ? [readings[1], readings[0]] : readings;
      const value = wanted[0] ?? wanted[1];
      if (!value) continue;
      const isOpen = form === OPEN_FORM && order === null && readings[0] && readings[1] && readings[0] !== readings[1];
      found.push({ value, start: match.index, end: match.index + match[0].length, ambiguous: Boolean(isOpen) });
    }
  }
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  return found.filter((one, at) => at === 0 || one.start >= Math.max(...found.slice(0, at).map((other) => other.end)));
}

/** The order that a document's own numeric dates show (17/05/2026), else that of its currency; null if neither tells. */
export function dateOrder(text: string): 'day-first' | 'month-first' | null {
  for (const [, a, b] of text.matchAll(/(?<![\d/])(\d{1,2})[/-](\d{1,2})[/-]\d{4}(?!\d)/g)) {
    if (Number(a) > 12) return 'day-first';
    if (Number(b) > 12) return 'month-first';
  }
  if (/£|€|\bGBP\b|\bEUR\b|\bUnited Kingdom\b|\bGermany\b|\bFrance\b|\bLondon\b/.test(text)) return 'day-first';
  if (/\bUSD\b|\bUnited States\b|,\s[A-Z]{2}\s\d{5}\b/.test(text)) return 'month-first';
  return null;
}

function iso([year, month_, day]: Parts): string | null {
  if (year < 1900 || year > 2200 || month_ < 1 || month_ > 12 || day < 1) return null;
  if (day > new Date(Date.UTC(year, month_, 0)).getUTCDate()) return null;
  return `${year}-${String(month_).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

const monthOf = (name: string): number => MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
const digits = (text: string): number =>
  Number([...text.replace(/[○零]/g, '〇')].map((one) => HAN_DIGITS.indexOf(one)).join(''));

function hanNumber(text: string): number {
  const [tens, ones] = text.includes('十') ? text.split('十') : ['', text];
  const ten = text.includes('十') ? (tens === '' ? 1 : HAN_DIGITS.indexOf(tens!)) * 10 : 0;
  return ten + (ones === '' ? 0 : HAN_DIGITS.indexOf(ones!));
}
