import { looksLikeHost } from '../text/registrable-domain.ts';
import { type Span, spanAt } from '../text/spans.ts';

/** A link in the text: inline, bare, or the line of a reference list. */
export interface Link extends Span {
  readonly url: string;
  /** The number it is referred to by (`[1](…)`, `[^1]: …`), null for ordinary links. */
  readonly marker: string | null;
}

/** A citation mark such as `[1]`, `[^2]`, `[citation:4]`, `[ref_1]`, `【3†source】`. */
export interface Marker extends Span {
  readonly labels: readonly string[];
}

export type MaskReason = 'in_reasoning' | 'in_url' | 'in_citation' | 'in_code';

/** A span in which nothing is a mention. */
export interface Mask extends Span {
  readonly why: MaskReason;
}

export interface Citations {
  readonly links: Link[];
  readonly markers: Marker[];
  readonly masks: Mask[];
}

// Bounds keep hostile texts (`[[[[…`) linear; no real label, target or mark is longer.
const MAX_LABEL = 300;
const MAX_TARGET = 2048;
const MAX_NESTING = 3;

const number = String.raw`\d{1,3}(?:\s*[,，、–-]\s*\d{1,3})*`;
const numericMark = new RegExp(String.raw`^\[?\^?(${number})\^?\]?(?:†.*)?$`);
const footnoteMark = /^\^([\w-]{1,30})$/;
const namedMark = new RegExp(
  String.raw`^(?:citation|cite|ref|reference|source|webpage|网页|来源|引用)\s*[:：_-]?\s*(${number}|start)$`,
  'i',
);
const messageMark = /^(\d{1,3}):\d+(?:†.*)?$/; // 【4:0†source】

function markLabels(inner: string): string[] | null {
  if (inner.length > 60) return null;
  const match = numericMark.exec(inner) ?? namedMark.exec(inner);
  if (match === null) {
    const name = footnoteMark.exec(inner);
    return name === null ? null : [name[1]!];
  }
  const numbers = match[1]!.match(/\d+/g) ?? [];
  const [from, to] = numbers.map(Number);
  const isRange = numbers.length === 2 && /\d\s*[–-]\s*\d/.test(match[1]!) && to! > from! && to! - from! < 20;
  return isRange ? Array.from({ length: to! - from! + 1 }, (_, i) => String(from! + i)) : numbers;
}

const isLinkTarget = (url: string): boolean => /^(?:https?:)?\/\//i.test(url) || looksLikeHost(url);

/** Finds links, bare URLs and citation marks; `isHidden` says whether an offset lies in reasoning. */
export function readCitations(text: string, isHidden: (at: number) => boolean): Citations {
  const links: Link[] = [];
  const markers: Marker[] = [];
  const masks: Mask[] = [];
  const taken: Span[] = []; // targets and reference lines, ascending: their URLs are known already

  readBrackets();
  readLenticular();
  readPrivateMarks();
  readRaised();
  readUrls('://');
  readUrls('www.');
  return { links, markers, masks };

  function readBrackets(): void {
    for (let at = text.indexOf('['); at !== -1; ) {
      at = text.indexOf('[', isHidden(at) ? at + 1 : readBracket(at));
    }
  }

  /** Reads what begins with the bracket at `at`; returns where to go on. */
  function readBracket(at: number): number {
    if (text.charCodeAt(at - 1) === 0x5c) return at + 1;
    const close = closingBracket(at);
    if (close === -1) return at + 1;
    const labels = markLabels(text.slice(at + 1, close));
    const next = text.charCodeAt(close + 1);
    if (startsLine(at) && next !== 0x28) {
      const end = readSourceLine(at, close, labels);
      if (end !== -1) return end;
    }
    if (next === 0x28) {
      const end = closingParenthesis(close + 1);
      if (end !== -1) return readLink(at, close, end, labels);
    }
    if (labels === null) return at + 1;
    return addMark(at, close + 1, labels);
  }

  function addMark(at: number, end: number, labels: readonly string[]): number {
    markers.push({ start: at, end, labels });
    masks.push({ start: at, end, why: 'in_citation' });
    return end;
  }

  /** `[1]: …`, `[^1]: …`, `[1] … https://…`, `[name]: https://…`: a line that says what a mark stands for, or -1. */
  function readSourceLine(at: number, close: number, labels: string[] | null): number {
    const lineEnd = endOfLine(close);
    const isDefinition = text.charCodeAt(close + 1) === 0x3a;
    if (labels === null && !isDefinition) return -1;
    const line = text.slice(close, Math.min(lineEnd, close + MAX_TARGET));
    const url = /(?:https?:)?\/\/[^\s<>"'）)\]，。；]+/i.exec(line);
    if (labels === null ? !/^\]:\s*<?(?:https?:)?\/\//i.test(line) : !isDefinition && url === null) return -1;
    if (url !== null) links.push({ start: at, end: lineEnd, url: url[0], marker: labels?.[0] ?? null });
    masks.push({ start: at, end: lineEnd, why: 'in_citation' });
    taken.push({ start: at, end: lineEnd });
    return lineEnd;
  }

  function readLink(at: number, close: number, end: number, labels: string[] | null): number {
    const url = text
      .slice(close + 2, end)
      .trim()
      .split(/\s/, 1)[0]!
      .replace(/^<|>$/g, '');
    const isImage = text.charCodeAt(at - 1) === 0x21;
    // "…([theverge.com](https://…))": a link in brackets of its own names a source, it says nothing about it.
    const isSource = '(（'.includes(text[at - 1] ?? ' ') && ')）,，、;；'.includes(text[end + 1] ?? ' ');
    const whole = labels !== null || isImage || isSource;
    if (!whole) for (let i = at; i < close; ) i = text.startsWith('![', i) ? readBracket(i + 1) : i + 1;
    if (isLinkTarget(url)) {
      if (!isImage) links.push({ start: at, end: end + 1, url, marker: labels?.[0] ?? null });
    } else if (labels !== null && !isImage) markers.push({ start: at, end: end + 1, labels }); // [1](@ref)
    masks.push({ start: whole ? at : close, end: end + 1, why: whole ? 'in_citation' : 'in_url' });
    taken.push({ start: close, end: end + 1 });
    return end + 1;
  }

  function closingBracket(at: number): number {
    let depth = 0;
    const limit = Math.min(text.length, at + MAX_LABEL);
    for (let i = at; i < limit; i++) {
      const c = text.charCodeAt(i);
      if (c === 0x5b && ++depth > MAX_NESTING) return -1;
      if (c === 0x5d && --depth === 0) return i;
      if (c === 0x0a && text.charCodeAt(i + 1) === 0x0a) return -1;
    }
    return -1;
  }

  function closingParenthesis(at: number): number {
    let depth = 0;
    const limit = Math.min(text.length, at + MAX_TARGET);
    for (let i = at; i < limit; i++) {
      const c = text.charCodeAt(i);
      if (c === 0x28 && ++depth > MAX_NESTING) return -1;
      if (c === 0x29 && --depth === 0) return i;
      if (c === 0x0a) return -1;
    }
    return -1;
  }

  /** Whether only spaces, quote marks and a bullet stand before. */
  function startsLine(at: number): boolean {
    let i = at - 1;
    while (i >= 0 && at - i < 8 && ' ->*'.includes(text[i]!)) i--;
    return i < 0 || text.charCodeAt(i) === 0x0a;
  }

  function endOfLine(at: number): number {
    const end = text.indexOf('\n', at);
    return end === -1 ? text.length : end;
  }

  /** 【3†source】, 【1】, 【2-3】; 【推荐】 is prose, and so is 【1】 before the title of an item. */
  function readLenticular(): void {
    for (let at = text.indexOf('【'); at !== -1; at = text.indexOf('【', at + 1)) {
      const inner = /^[^【】\n]{1,60}(?=】)/.exec(text.slice(at + 1, at + 64))?.[0];
      if (inner === undefined || isHidden(at)) continue;
      const message = messageMark.exec(inner);
      const labels = message === null ? markLabels(inner) : [message[1]!];
      if (labels === null) continue;
      const close = at + inner.length + 1;
      if (startsLine(at) && (readSourceLine(at, close, labels) !== -1 || /^\d+$/.test(inner))) continue;
      addMark(at, close + 1, labels);
    }
  }

  /** Raised numbers behind Chinese or punctuation: 免费¹, fast.<sup>2</sup>; m² and m<sup>2</sup> are units. */
  function readRaised(): void {
    const isBehindProse = (at: number) =>
      /[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef.,;:!?)"”*]/.test(text[at - 1] ?? '');
    for (let at = text.indexOf('<sup>'); at !== -1; at = text.indexOf('<sup>', at + 1)) {
      const match = /^<sup>(\d{1,3})<\/sup>/.exec(text.slice(at, at + 16));
      if (match !== null && isBehindProse(at)) addMark(at, at + match[0].length, [match[1]!]);
    }
    if (!text.includes('¹')) return; // where sources are numbered so, the first has this number
    for (const match of text.matchAll(/[¹²³⁰⁴-⁹]{1,3}/g)) {
      const { index: at } = match;
      const label = [...match[0]].map((sign) => String('⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(sign))).join('');
      if (isBehindProse(at) && !isHidden(at)) addMark(at, at + match[0].length, [label]);
    }
  }

  /** Marks between private-use characters, as one vendor's answers carry them: U+E200 cite U+E202 turn0search1 U+E201. */
  function readPrivateMarks(): void {
    for (let at = text.indexOf('\ue200'); at !== -1; at = text.indexOf('\ue200', at + 1)) {
      const inner = /^[^\ue200\ue201\n]{1,200}(?=\ue201)/.exec(text.slice(at + 1, at + 202));
      if (inner === null || isHidden(at)) continue;
      const end = at + inner[0].length + 2;
      addMark(at, end, inner[0].match(/turn\d+[a-z]+\d+/g) ?? []);
    }
  }

  function readUrls(sign: '://' | 'www.'): void {
    for (let at = text.indexOf(sign); at !== -1; ) {
      const end = urlEnd(at + sign.length);
      const start = sign === 'www.' ? at : schemeStart(at);
      // Within https://www.… the second sign belongs to a URL that is known already.
      const begins = sign === 'www.' ? !/[\w/.@-]/.test(text[at - 1] ?? ' ') : start < at;
      if (begins && end > at + sign.length && !isHidden(at) && spanAt(taken, at) === -1) {
        const url = text.slice(start, end);
        if (sign === 'www.') links.push({ start, end, url: `https://${url}`, marker: null });
        else if (/^https?:/i.test(url)) links.push({ start, end, url, marker: null });
        masks.push({ start, end, why: 'in_url' });
      }
      at = text.indexOf(sign, Math.max(end, at + 1));
    }
  }

  function schemeStart(at: number): number {
    let start = at;
    while (at - start < 8 && /[a-z]/i.test(text[start - 1] ?? '')) start--;
    return start;
  }

  /** A URL ends before white space, quotes, brackets that it did not open, and before Chinese text and punctuation. */
  function urlEnd(from: number): number {
    let end = from;
    let depth = 0;
    for (; end < text.length; end++) {
      const c = text.charCodeAt(end);
      if (c <= 0x20 || c >= 0x2e80 || (c >= 0x2010 && c <= 0x206f) || '<>"`|[]{}\\^'.includes(text[end]!)) break;
      if (c === 0x28) depth++;
      if (c === 0x29 && --depth < 0) break;
    }
    while (end > from && ".,;:!?'*_~".includes(text[end - 1]!)) end--;
    return end;
  }
}
