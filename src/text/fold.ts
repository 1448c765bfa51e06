import { toSimplified } from './simplified.ts';

/**
 * Folding: text in the form that names are compared in, with the way back to the original.
 *
 * Case, width, accents (of Latin, Greek and Cyrillic letters only: か and が stay apart), ligatures, Roman numeral
 * signs, entities and Markdown escapes are folded; zero-width characters vanish; spaces and hyphens leave the stream
 * and become a *gap* before the next unit, so that `Chat GPT`, `Chat-GPT` and `ChatGPT` are one stream. Full NFKC
 * would turn ™ into TM and ① into 1 and find brands in them, so compatibility signs are left alone.
 * Traditional characters become simplified ones: 騰訊 is 腾讯.
 */

/** No gap, one run of spaces, one hyphen, or anything that no name reaches across (a new line, ` - `). */
export const GAP = { none: 0, space: 1, hyphen: 2, hard: 3 } as const;

/** A folded text. Unit `k` is `codes[k]`; `k` is at most the largest string's length, 2^29. */
export interface Folded {
  readonly text: string;
  readonly length: number;
  readonly codes: Uint16Array;
  /** Unit `k` stands for `text.slice(startOf(k), endOf(k))`: UTF-16 offsets into the original text. */
  startOf(k: number): number;
  endOf(k: number): number;
  /** What lies between unit `k` and the one before: one of `GAP`. */
  gapBefore(k: number): number;
}

// Table values up to SPECIAL are instructions, all others are folded code units (no printable unit is below 0x21).
// Read from `GAP` itself in the loop below, these cost a quarter of the time of folding.
const NO_GAP = GAP.none;
const SPACES = GAP.space;
const ONE_HYPHEN = GAP.hyphen;
const HARD_GAP = GAP.hard;

const UNKNOWN = 0;
const DROP = 1;
const SPACE = 2;
const HYPHEN = 3;
const HARD = 4;
const SPECIAL = 5;

/** Filled as characters are met: building all 65,536 entries would cost each start some 40 ms. */
const table = new Uint16Array(0x10000);
const expansions = new Map<number, readonly number[]>();

const isFoldedScript = (s: string) => /^(?=\p{L})[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u.test(s);
const isVoicingMark = (c: number) => c === 0x3099 || c === 0x309a || c === 0xff9e || c === 0xff9f;
const hasSafeCompatibility = (c: number) =>
  (c >= 0x2160 && c <= 0x217f) || // Roman numerals: SK-Ⅱ
  (c >= 0x2e80 && c <= 0x2fd5) || // radicals that PDF text uses for characters
  (c >= 0xf900 && c <= 0xfaff) || // compatibility ideographs
  (c >= 0xfb00 && c <= 0xfb06) || // ligatures
  (c >= 0xff65 && c <= 0xffdc); // half-width kana and hangul

function toCodes(s: string): number[] {
  const codes: number[] = [];
  for (let i = 0; i < s.length; i++) codes.push(s.charCodeAt(i));
  return codes;
}

function lowerWithoutAccents(s: string): string {
  let out = '';
  for (const ch of s) {
    const base = ch.normalize('NFD');
    out += isFoldedScript(base) ? base.replace(/\p{M}/gu, '').toLowerCase().replace(/\p{M}/gu, '') : ch.toLowerCase();
  }
  return out.replaceAll('ß', 'ss').replaceAll('ς', 'σ');
}

function classify(c: number): number {
  const ch = String.fromCharCode(c);
  if (c === 0x26 || c === 0x5c) return SPECIAL; // & and \ depend on what follows
  if (/[\n\r\v\f\u0085\u2028\u2029]/.test(ch)) return HARD;
  if (/[\s\u3000]/.test(ch) && c !== 0xfeff) return SPACE;
  if (/[-\u2010-\u2013\u2212\ufe63\uff0d]/.test(ch)) return HYPHEN;
  if (c < 0x20 || c === 0x7f || c === 0x34f || (c >= 0xfe00 && c <= 0xfe0f) || /\p{Cf}/u.test(ch)) return DROP;
  if (c >= 0xd800 && c <= 0xdfff) return SPECIAL;
  if (/\p{M}/u.test(ch) || isVoicingMark(c)) return SPECIAL;
  if (/[\u2018\u2019\u02bc\u2032\uff07]/.test(ch)) return 0x27;
  if (c >= 0xff01 && c <= 0xff5e) return lowerWithoutAccents(String.fromCharCode(c - 0xfee0)).charCodeAt(0);
  const plain = hasSafeCompatibility(c) ? ch.normalize('NFKC') : ch;
  const codes = toCodes(toSimplified(lowerWithoutAccents(plain)));
  if (codes.length === 1 && codes[0]! > SPECIAL) return codes[0]!;
  expansions.set(c, codes.length > 0 ? codes : [c]);
  return SPECIAL;
}

const entities: readonly (readonly [string, string])[] = [
  ['&amp;', '&'],
  ['&#38;', '&'],
  ['&nbsp;', ' '],
  ['&#160;', ' '],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&apos;', "'"],
  ['&#39;', "'"],
  ['&#x27;', "'"],
];

/**
 * Folds texts into buffers that it uses again: a result is valid until the next call. Fresh typed arrays for every text
 * cost more than the folding itself.
 */
export class Folder implements Folded {
  text = '';
  length = 0;
  codes = new Uint16Array(0);
  /** The text's code units: read from here they cost a fifth less than one by one from the string, the copying included. */
  #units = new Uint16Array(0);
  #bytes = Buffer.alloc(0);
  /** Offset × 4 + gap before: two stores a unit instead of four took a quarter off the folding of an answer. */
  #places = new Uint32Array(0);
  /** Where a unit stands for more than one code unit of the original: unit → end. */
  readonly #wideEnds = new Map<number, number>();
  #gap: number = NO_GAP;

  startOf(k: number): number {
    return this.#places[k]! >>> 2;
  }

  endOf(k: number): number {
    return this.#wideEnds.get(k) ?? this.startOf(k) + 1;
  }

  gapBefore(k: number): number {
    return this.#places[k]! & 3;
  }

  /** Folds a text of any content (lone surrogates included); linear in its length. */
  fold(text: string): Folded {
    const n = text.length;
    this.text = text;
    this.length = 0;
    this.#gap = NO_GAP;
    if (this.#wideEnds.size > 0) this.#wideEnds.clear();
    this.#copyUnits(text);
    for (let i = 0; i < n; ) {
      // Some characters fold to several units: there must always be room for the rest.
      this.#reserve(this.length + n - i);
      i = this.#foldPlain(i);
      if (i >= n) break;
      const c = this.#units[i]!;
      if (table[c] === UNKNOWN) table[c] = classify(c);
      else i = this.#foldSpecial(c, i);
    }
    return this;
  }

  #copyUnits(text: string): void {
    if (text.length > this.#units.length) {
      this.#units = new Uint16Array(Math.ceil(text.length * 1.25) + 16);
      this.#bytes = Buffer.from(this.#units.buffer);
    }
    this.#bytes.write(text, 'utf16le');
  }

  /** Folds by the table alone, up to the next character that needs more; returns its offset. */
  #foldPlain(from: number): number {
    const { codes } = this;
    const units = this.#units;
    const places = this.#places;
    const n = this.text.length;
    let length = this.length;
    let gap = this.#gap;
    let i = from;
    for (; i < n; i++) {
      const f = table[units[i]!]!;
      if (f > SPECIAL) {
        codes[length] = f;
        places[length] = (i << 2) | gap;
        length++;
        gap = NO_GAP;
      } else if (f === SPACE) {
        gap = gap <= SPACES ? SPACES : HARD_GAP;
      } else if (f === HYPHEN) {
        gap = gap === NO_GAP ? ONE_HYPHEN : HARD_GAP;
      } else if (f === HARD) {
        gap = HARD_GAP;
      } else if (f !== DROP) {
        break;
      }
    }
    this.length = length;
    this.#gap = gap;
    return i;
  }

  #reserve(size: number): void {
    if (size <= this.codes.length) return;
    const { codes } = this;
    const places = this.#places;
    const room = Math.ceil(size * 1.25) + 16;
    this.codes = new Uint16Array(room);
    this.#places = new Uint32Array(room);
    this.codes.set(codes);
    this.#places.set(places);
  }

  #emit(units: readonly number[], from: number, to: number): void {
    this.#reserve(this.length + units.length);
    for (const unit of units) {
      this.codes[this.length] = unit;
      this.#places[this.length] = (from << 2) | this.#gap;
      if (to > from + 1) this.#wideEnds.set(this.length, to);
      this.length++;
      this.#gap = NO_GAP;
    }
  }

  /** Reads the character at `i` that needs more than the table; returns where to go on. */
  #foldSpecial(c: number, i: number): number {
    if (c === 0x26) {
      const entity = entities.find(([name]) => this.text.startsWith(name, i));
      if (entity === undefined) this.#emit([c], i, i + 1);
      else if (entity[1] === ' ') this.#gap = this.#gap <= SPACES ? SPACES : HARD_GAP;
      else this.#emit([entity[1].charCodeAt(0)], i, i + entity[0].length);
      return i + (entity?.[0].length ?? 1);
    }
    if (c === 0x5c) {
      // A backslash before punctuation is a Markdown escape: C\+\+ is C++.
      if (!/[!-/:-@[-`{-~]/.test(this.text[i + 1] ?? '')) this.#emit([c], i, i + 1);
      return i + 1;
    }
    if (c >= 0xd800 && c <= 0xdfff) return this.#foldSurrogate(c, i);
    const expansion = expansions.get(c);
    if (expansion === undefined) return this.#foldMark(c, i);
    this.#emit(expansion, i, i + 1);
    return i + 1;
  }

  #foldSurrogate(c: number, i: number): number {
    const low = this.text.charCodeAt(i + 1);
    if (c > 0xdbff || !(low >= 0xdc00 && low <= 0xdfff)) {
      this.#emit([0xfffd], i, i + 1);
      return i + 1;
    }
    const ch = this.text.slice(i, i + 2);
    const point = ch.codePointAt(0)!;
    if (point >= 0xe0100 && point <= 0xe01ef) return i + 2; // variation selectors
    const isMathLetter = point >= 0x1d400 && point <= 0x1d7ff; // styled letters: 𝗞𝗶𝗺𝗶
    this.#emit(toCodes(isMathLetter ? lowerWithoutAccents(ch.normalize('NFKC')) : ch.toLowerCase()), i, i + 2);
    return i + 2;
  }

  #foldMark(c: number, i: number): number {
    const at = this.length - 1;
    if (at >= 0 && this.#gap === NO_GAP) {
      const last = String.fromCharCode(this.codes[at]!);
      if (isVoicingMark(c)) {
        const composed = `${last}${c === 0x309a || c === 0xff9f ? '\u309a' : '\u3099'}`.normalize('NFC');
        if (composed.length === 1) {
          this.codes[at] = composed.charCodeAt(0);
          this.#wideEnds.set(at, i + 1);
          return i + 1;
        }
      } else if (isFoldedScript(last)) {
        this.#wideEnds.set(at, i + 1); // e + U+0301 is é, and é is e
        return i + 1;
      }
    }
    this.#emit([c], i, i + 1);
    return i + 1;
  }
}

/** Folds a text into buffers of its own. */
export const fold = (text: string): Folded => new Folder().fold(text);

/** The folded text as a string without gaps: the key under which a name is the same name. Empty if nothing is left. */
export function foldKey(text: string): string {
  const folded = fold(text);
  let key = '';
  for (let k = 0; k < folded.length; k++) key += String.fromCharCode(folded.codes[k]!);
  return key;
}
