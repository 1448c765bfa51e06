/**
 * Ordinal marks at the beginning of a line or item: `1.` `1)` `1、` `（1）` `01 ` `①` `一、` `壹、` `第一名` `第一：` `排名1` `Top 1`
 * `No.1` `#1` `🥇` `1️⃣`.
 */
export type OrdinalStyle = 'arabic' | 'circled' | 'han' | 'medal' | 'keycap' | 'rank';

export interface Ordinal {
  readonly value: number;
  readonly style: OrdinalStyle;
  /** Offset behind the mark and the separators that follow it. */
  readonly end: number;
}

const hanDigits = '零一二三四五六七八九';

/** The value of a Chinese numeral up to 99 (十二, 二十, 三十一), or null. */
export function parseHanNumeral(s: string): number | null {
  const match = /^([一二三四五六七八九])?(十)?([一二三四五六七八九])?$/.exec(s);
  if (match === null || s === '') return null;
  const [, first, ten, last] = match;
  if (ten === undefined) return last === undefined ? hanDigits.indexOf(first!) : null;
  return (first === undefined ? 1 : hanDigits.indexOf(first)) * 10 + (last === undefined ? 0 : hanDigits.indexOf(last));
}

/** The number that a table's rank cell or a rank phrase holds (`2`, `第2名`, `No.2`, `②`, `🥈`, `二`), or null. */
export function parseRank(cell: string): number | null {
  const s = cell.replace(/[*_`\s]/g, '');
  const arabic = /^(?:第|no\.?|top|#|rank)?(\d{1,3})(?:[名位]|st|nd|rd|th|[.、])?$/i.exec(s);
  if (arabic !== null) return Number(arabic[1]);
  const han = /^第?([一二三四五六七八九十]{1,3})[名位]?$/.exec(s);
  if (han !== null) return parseHanNumeral(han[1]!);
  const sign = readOrdinal(s, 0, s.length);
  return sign !== null && (sign.style === 'medal' || sign.style === 'circled' || sign.style === 'keycap')
    ? sign.value
    : null;
}

const isDigitCode = (c: number): boolean => c >= 0x30 && c <= 0x39;
const isSpaceCode = (c: number): boolean => c === 0x20 || c === 0x09 || c === 0x3000;
// "Top 3 AI assistants" is the size of a list, "Top 3: 豆包" a place in it.
const rankWord =
  /(?:(?:排名|名次|排行)?第([一二三四五六七八九十]{1,3}|\d{1,2})(?:名|位|款|推荐|(?=\s*[：:]))|(?:no\.|#|排名|名次)\s?(\d{1,2})(?![\d名位])|top\s?(\d{1,2})(?=\s*[：:、.．—–-]|\s+[^\sa-z\d]))[\s：:、.．,，—–-]*/iy;
const hanMark = /([一二三四五六七八九十]{1,3}|[壹贰叁肆伍陆柒捌玖拾])[、．.]\s*/y;
const formalNumerals = '壹贰叁肆伍陆柒捌玖拾';

/** Reads the ordinal mark at `at`, not reaching beyond `end`; null if there is none. */
export function readOrdinal(text: string, at: number, end: number): Ordinal | null {
  const c = text.charCodeAt(at);
  if (isDigitCode(c)) return readArabic(text, at, end);
  if (c === 0xff08 || c === 0x28) return readBracketed(text, at, end);
  if (c >= 0x2460 && c <= 0x2473)
    return { value: c - 0x245f, style: 'circled', end: skipSeparators(text, at + 1, end) };
  if (c >= 0x2776 && c <= 0x277f)
    return { value: c - 0x2775, style: 'circled', end: skipSeparators(text, at + 1, end) };
  if (c === 0x3010) return readLenticular(text, at, end);
  if (c === 0xd83e) {
    const low = text.charCodeAt(at + 1);
    // Asked this way round, half a sign at the end of the text is none, either.
    if (!(low >= 0xdd47 && low <= 0xdd49)) return null;
    return { value: low - 0xdd46, style: 'medal', end: skipSeparators(text, at + 2, end) };
  }
  if (
    c === 0x7b2c ||
    c === 0x6392 ||
    c === 0x540d ||
    c === 0x54 ||
    c === 0x74 ||
    c === 0x4e ||
    c === 0x6e ||
    c === 0x23
  )
    return readRankWord(text, at, end);
  if (
    (c >= 0x4e00 && c <= 0x56db && '一二三四五六七八九十'.includes(text[at]!)) ||
    formalNumerals.includes(text[at]!)
  ) {
    hanMark.lastIndex = at;
    const match = hanMark.exec(text);
    const formal = match === null ? -1 : formalNumerals.indexOf(match[1]!);
    const value = match === null ? null : formal === -1 ? parseHanNumeral(match[1]!) : formal + 1;
    return value === null || hanMark.lastIndex > end ? null : { value, style: 'han', end: hanMark.lastIndex };
  }
  return null;
}

function readArabic(text: string, at: number, end: number): Ordinal | null {
  let i = at;
  let value = 0;
  while (i < end && i - at < 4 && isDigitCode(text.charCodeAt(i))) value = value * 10 + text.charCodeAt(i++) - 0x30;
  const sign = text.charCodeAt(i);
  const isPadded = i - at === 2 && text.charCodeAt(at) === 0x30 && value > 0;
  if (isPadded && i < end && isSpaceCode(sign)) return { value, style: 'arabic', end: skipSpaces(text, i, end) };
  if (sign === 0xfe0f || sign === 0x20e3) {
    const close = sign === 0xfe0f ? i + 1 : i;
    if (text.charCodeAt(close) !== 0x20e3 || close >= end) return null;
    return { value, style: 'keycap', end: skipSeparators(text, close + 1, end) };
  }
  const isMark = sign === 0x2e || sign === 0x29 || sign === 0x3001 || sign === 0xff0e || sign === 0xff09;
  if (i >= end || !isMark || i - at > 3) return null;
  // "1.5 倍" and "3.NET" are no items; "1.豆包" is, although CommonMark wants a space.
  const next = text.charCodeAt(i + 1);
  if (i + 1 < end && !isSpaceCode(next) && next < 0x80 && !isEmphasis(next)) {
    if (isDigitCode(next) || sign === 0x29 || next === 0x2e) return null;
    if (!/[A-Za-z[]/.test(text[i + 1]!)) return null;
  }
  return { value, style: 'arabic', end: skipSpaces(text, i + 1, end) };
}

function readBracketed(text: string, at: number, end: number): Ordinal | null {
  let i = at + 1;
  while (i < end && i - at < 4 && text.charCodeAt(i) !== 0xff09 && text.charCodeAt(i) !== 0x29) i++;
  const close = text.charCodeAt(i);
  if (i >= end || (close !== 0xff09 && close !== 0x29)) return null;
  const inner = text.slice(at + 1, i);
  const value = /^\d{1,2}$/.test(inner) ? Number(inner) : parseHanNumeral(inner);
  return value === null ? null : { value, style: 'arabic', end: skipSpaces(text, i + 1, end) };
}

/** 【1】, 【TOP 2】, 【第三名】 before a title; 【推荐】 is none. */
function readLenticular(text: string, at: number, end: number): Ordinal | null {
  const inner = /^[^【】]{1,8}(?=】)/.exec(text.slice(at + 1, Math.min(end, at + 10)))?.[0];
  const value = inner === undefined ? null : parseRank(inner);
  if (value === null || value > 99) return null;
  return { value, style: 'rank', end: skipSeparators(text, at + inner!.length + 2, end) };
}

function readRankWord(text: string, at: number, end: number): Ordinal | null {
  rankWord.lastIndex = at;
  const match = rankWord.exec(text);
  if (match === null) return readCapitalTop(text, at, end);
  if (rankWord.lastIndex > end) return null;
  const value = match[1] === undefined ? Number(match[2] ?? match[3]) : (parseHanNumeral(match[1]) ?? Number(match[1]));
  return Number.isNaN(value) ? null : { value, style: 'rank', end: rankWord.lastIndex };
}

const capitalTop = /TOP(\d{1,2})\s+(?=[A-Z])/y;

/** `TOP2 Kimi`, in capitals and in one word, is a place; `Top 2 AI tools` is the size of a list. */
function readCapitalTop(text: string, at: number, end: number): Ordinal | null {
  capitalTop.lastIndex = at;
  const match = capitalTop.exec(text);
  return match === null || capitalTop.lastIndex > end
    ? null
    : { value: Number(match[1]), style: 'rank', end: capitalTop.lastIndex };
}

const isEmphasis = (c: number): boolean => c === 0x2a || c === 0x5f;

function skipSpaces(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && isSpaceCode(text.charCodeAt(at))) at++;
  return at;
}

function skipSeparators(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && (isSpaceCode(text.charCodeAt(at)) || '.、．：:'.includes(text[at]!))) at++;
  return at;
}
