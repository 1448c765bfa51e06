import { monthOf } from './month-names.ts';
import { readDigits } from './plain-digits.ts';

/** A date that a document prints, as an ISO date. */
export interface FoundDate {
  /** `2026-03-05`. */
  readonly value: string;
  /** Where it stands in the text, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** Day and month could be the other way round, and nothing in the document says which. */
  readonly ambiguous: boolean;
}

export type DateOrder = 'day-first' | 'month-first' | null;

const ERAS: Readonly<Record<string, number>> = {
  ...{ 令和: 2018, 平成: 1988, 昭和: 1925, 大正: 1911, r: 2018, h: 1988, s: 1925 },
  ...{ 民國: 1911, 民国: 1911, 中華民國: 1911, 中华民国: 1911 },
};
const HAN_DIGITS = '〇一二三四五六七八九';
const CAPITALS = '零壹贰叁肆伍陆柒捌玖';
const han = '[〇○零一二三四五六七八九壹贰貳叁肆伍陆陸柒捌玖]';
const hanNumber = '[零一二三四五六七八九十壹贰貳叁肆伍陆陸柒捌玖拾]{1,4}';

type Parts = readonly [year: number, month: number | null, day: number];
/** Each form with what its groups mean; `dayFirst` is the order that the document uses for dates of figures alone. */
const FORMS: readonly {
  readonly pattern: RegExp;
  readonly parts: (match: readonly string[], dayFirst: boolean) => Parts;
  readonly isOpen?: boolean;
}[] = [
  {
    pattern: /(令和|平成|昭和|大正|中華民國|中华民国|民國|民国)\s*(\d{1,3}|元)\s*年\s*(\d{1,2})\s*月\s*(\d{1,2})\s*日/g,
    parts: ([, era, y, m, d]) => [ERAS[era!]! + (y === '元' ? 1 : +y!), +m!, +d!],
  },
  {
    pattern: /(?<![A-Za-z0-9])([RHS])(\d{1,2})\.(\d{1,2})\.(\d{1,2})(?![\d.])/g,
    parts: ([, era, y, m, d]) => [ERAS[era!.toLowerCase()]! + +y!, +m!, +d!],
  },
  { pattern: /(?<!\d)(\d{4})\s*年\s*(\d{1,2})\s*月\s*(\d{1,2})\s*[日号]?/g, parts: ([, y, m, d]) => [+y!, +m!, +d!] },
  {
    pattern: /(?<![\d.]|[A-Za-z]-)(\d{4})\s?([-/.])\s?(\d{1,2})\s?\2\s?(\d{1,2})(?!\d|\.\d|[-/]\d{1,3}(?!\d))/g,
    parts: ([, y, , m, d]) => [+y!, +m!, +d!],
  },
  {
    pattern: new RegExp(`(${han}{4})年(${hanNumber})月(${hanNumber})[日号]`, 'g'),
    parts: ([, y, m, d]) => [digitsOf(y!), numberOf(m!), numberOf(d!)],
  },
  {
    pattern:
      /(?<!\d)(\d{1,2})(?:st|nd|rd|th|\.|º)?(?:\s+day)?[\s-]*(?:of\s+|de\s+)?(\p{L}{3,10})\.?,?[\s-]*(?:de\s+)?(\d{4})(?!\d)/giu,
    parts: ([, d, m, y]) => [+y!, monthOf(m!), +d!],
  },
  {
    pattern: /(?<!\p{L})(\p{L}{3,10})\.?\s*(\d{1,2})(?:st|nd|rd|th)?\s*,?\s*(\d{4})(?!\d)/giu,
    parts: ([, m, d, y]) => [+y!, monthOf(m!), +d!],
  },
  {
    pattern: /(?<![\d.])(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})(?!\d)/g,
    parts: ([, d, m, y]) => [+y!, +m!, +d!],
  },
  {
    pattern: /(?<![\d/.-])(\d{1,2})\s?([/-])\s?(\d{1,2})\s?\2\s?(\d{4})(?!\d)/g,
    parts: ([, a, , b, y], dayFirst) => (dayFirst ? [+y!, +b!, +a!] : [+y!, +a!, +b!]),
    isOpen: true,
  },
  {
    pattern: /(?<![\d/.-])(\d{2})\/(\d{2})\/(\d{2})(?![\d/])/g,
    parts: ([, a, b, y], dayFirst) => (dayFirst ? [2000 + +y!, +b!, +a!] : [2000 + +y!, +a!, +b!]),
    isOpen: true,
  },
  // Eight figures are a date only where nothing else stands there, or another such date.
  {
    pattern: /^\s*((?:19|20)\d\d)(\d\d)(\d\d)\s*(?=$|[-–—~～至]\s*(?:19|20)\d{6}\s*$)/g,
    parts: ([, y, m, d]) => [+y!, +m!, +d!],
  },
  {
    pattern: /(?<=^\s*(?:19|20)\d{6}\s*[-–—~～至]\s*)((?:19|20)\d\d)(\d\d)(\d\d)\s*$/g,
    parts: ([, y, m, d]) => [+y!, +m!, +d!],
  },
];

/**
 * All dates of a text, in order: those that name year, month and day, in figures of any script, Han numerals, with the
 * months of several languages, and by Japanese and Minguo years. Nothing is filled in that is not printed.
 * @param order of numeric dates in the document (03/05/2026), null where it is not known: then month first, marked
 * ambiguous unless only one reading is a date
 */
export function findDates(text: string, order: DateOrder): FoundDate[] {
  const plain = readDigits(text);
  if (!/\d{4}|\d\d\/\d\d|年|[RHS]\d/.test(plain)) return [];
  const found: FoundDate[] = [];
  for (const { pattern, parts, isOpen = false } of FORMS) {
    for (const match of plain.matchAll(pattern)) {
      const monthFirst = iso(parts(match, false));
      const dayFirst = isOpen ? iso(parts(match, true)) : monthFirst;
      const value = order === 'day-first' ? (dayFirst ?? monthFirst) : (monthFirst ?? dayFirst);
      if (value === null) continue;
      const ambiguous = order === null && monthFirst !== null && dayFirst !== null && monthFirst !== dayFirst;
      found.push({ value, start: match.index, end: match.index + match[0].trimEnd().length, ambiguous });
    }
  }
  for (const one of daysOfPeriods(plain)) found.push(one);
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  const kept: FoundDate[] = [];
  for (const one of found) if (one.start >= (kept.at(-1)?.end ?? 0)) kept.push(one);
  return kept;
}

const BETWEEN = '\\s*(?:-|–|—|~|～|至|到|to|until|through|till)\\s*';
const TH = '(?:st|nd|rd|th)?';
/** Of a period that prints month or year once for both days: what the days are, by the number of their groups. */
interface Period {
  readonly pattern: RegExp;
  readonly days: (match: readonly string[]) => readonly (readonly [group: number, day: Parts])[];
}

const PERIODS: readonly Period[] = [
  {
    // 1 July to 31 July 2026, 1-31 July 2026: the last day is a whole date already.
    pattern: new RegExp(
      `(?<!\\d)((\\d{1,2})${TH}(?:\\s+(\\p{L}{3,10}))?)${BETWEEN}\\d{1,2}${TH}\\s+(\\p{L}{3,10})\\.?,?\\s+(\\d{4})(?!\\d)`,
      'dgiu',
    ),
    days: ([, , d, m, last, y]) => [[1, [+y!, monthOf(m ?? last!), +d!]]],
  },
  {
    // March 1 – 31, 2026; June 20 to July 3, 2026.
    pattern: new RegExp(
      `(?<!\\p{L})((\\p{L}{3,10})\\.?\\s+(\\d{1,2})${TH})${BETWEEN}((?:(\\p{L}{3,10})\\.?\\s+)?(\\d{1,2})${TH}),?\\s+(\\d{4})(?!\\d)`,
      'dgiu',
    ),
    days: ([, , m, d, , m2, d2, y]) => [
      [1, [+y!, monthOf(m!), +d!]],
      [4, [+y!, monthOf(m2 ?? m!), +d2!]],
    ],
  },
  {
    // 2026年3月1日至31日: the first day is a whole date already.
    pattern: new RegExp(
      `(?<!\\d)(\\d{4})\\s*年\\s*(\\d{1,2})\\s*月\\s*\\d{1,2}\\s*日?\\s*起?${BETWEEN}((?:(\\d{1,2})\\s*月\\s*)?(\\d{1,2})\\s*日)`,
      'dgu',
    ),
    days: ([, y, first, , m, d]) => [[3, [+y!, +(m ?? first!), +d!]]],
  },
  {
    // 2026.07.01-07.31
    pattern: new RegExp(
      `(?<![\\d.])((\\d{4})([./])(\\d{1,2})\\3(\\d{1,2}))${BETWEEN}((\\d{1,2})\\3(\\d{1,2}))(?![\\d./])`,
      'dgu',
    ),
    days: ([, , y, , m, d, , m2, d2]) => [
      [1, [+y!, +m!, +d!]],
      [6, [+y!, +m2!, +d2!]],
    ],
  },
];

function* daysOfPeriods(plain: string): Generator<FoundDate> {
  for (const { pattern, days } of PERIODS)
    for (const match of plain.matchAll(pattern))
      for (const [group, day] of days(match)) {
        const value = iso(day);
        const [start, end] = match.indices![group]!;
        if (value !== null) yield { value, start, end, ambiguous: false };
      }
}

const NUMERIC = /(?<![\d/.-])(\d{1,2})([/-])(\d{1,2})\2(\d{4})(?!\d)/g;
/** So much of a text tells of its country and language, in UTF-16 units. */
const SAMPLE = 10_000;
/** Countries and languages that write the day first, and what tells of the United States, which do not. */
const DAY_FIRST =
  /£|€|\b(?:GBP|EUR|VAT|IBAN)\b|\b(?:United Kingdom|England|Scotland|Ireland|Germany|France|Italy|Spain|Netherlands|Austria|Switzerland|Australia|New Zealand|India|Deutschland|London)\b|\b(?:GmbH|Ltd|B\.V\.|S\.A\.|AG)(?![\p{L}])|\b(?:und|der|die|das|Rechnung|Datum|vom|Betrag)\b[^.]*\b(?:und|der|die|das|für|mit|den)\b|\b(?:le|la|les|de la|facture|montant)\b[^.]*\b(?:et|du|des|pour)\b|\b(?:el|los|las|factura|fecha)\b[^.]*\b(?:y|del|para)\b/u;
const MONTH_FIRST =
  /\bUSD\b|\bUnited States\b|\bU\.?S\.?A\b|,\s?[A-Z0]{2}\.?\s?\d{5}(?:-\d{4})?\b|\b(?:Inc|LLC|Corp)\b\.?|\bZIP\b/;

/**
 * The order that a document's own dates show: by one that only one order allows (17/05/2026), or by one that is also
 * written out; else that of its country, currency or language. Null where nothing tells, or both are shown.
 */
export function dateOrder(text: string): DateOrder {
  const plain = readDigits(text);
  const numeric = [...plain.matchAll(NUMERIC)];
  if (!numeric.length) return null;
  const shown = new Set<DateOrder>();
  for (const [, a, , b] of numeric) {
    if (Number(a) > 12) shown.add('day-first');
    else if (Number(b) > 12) shown.add('month-first');
  }
  if (!shown.size) for (const order of byWrittenOut(plain, numeric)) shown.add(order);
  if (shown.size) return shown.size === 1 ? [...shown][0]! : null;
  const sample = plain.slice(0, SAMPLE);
  const [day, month] = [DAY_FIRST.test(sample), MONTH_FIRST.test(sample)];
  return day === month ? null : day ? 'day-first' : 'month-first';
}

/** `Issued 03/05/2026 … as of 5 March 2026`. */
function byWrittenOut(plain: string, numeric: readonly (readonly string[])[]): Set<DateOrder> {
  const shown = new Set<DateOrder>();
  const written = new Set(findDates(plain.replace(NUMERIC, ' '), null).map(({ value }) => value));
  for (const [, a, , b, year] of numeric) {
    const [dayFirst, monthFirst] = [iso([+year!, +b!, +a!]), iso([+year!, +a!, +b!])];
    if (dayFirst === monthFirst) continue;
    if (dayFirst !== null && written.has(dayFirst)) shown.add('day-first');
    if (monthFirst !== null && written.has(monthFirst)) shown.add('month-first');
  }
  return shown;
}

function iso([year, month, day]: Parts): string | null {
  if (month === null || year < 1900 || year > 2200 || month < 1 || month > 12 || day < 1) return null;
  if (day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return null;
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

const plainHan = (text: string): string =>
  text
    .replace(/[○零]/g, '〇')
    .replaceAll('貳', '贰')
    .replaceAll('陸', '陆')
    .replaceAll('拾', '十')
    .replace(/[壹贰叁肆伍陆柒捌玖]/g, (one) => HAN_DIGITS[CAPITALS.indexOf(one)]!);

const digitsOf = (text: string): number => Number([...plainHan(text)].map((one) => HAN_DIGITS.indexOf(one)).join(''));

/** 十二, 二十, 零伍, 三十一. */
function numberOf(text: string): number {
  const plain = plainHan(text).replaceAll('〇', '');
  const [tens, ones] = plain.includes('十') ? plain.split('十') : ['', plain];
  const ten = plain.includes('十') ? (tens === '' ? 1 : HAN_DIGITS.indexOf(tens!)) * 10 : 0;
  return ten + (ones === '' ? 0 : HAN_DIGITS.indexOf(ones!));
}
