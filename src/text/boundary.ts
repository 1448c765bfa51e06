import { type Folded, GAP } from './fold.ts';

/**
 * Where a name may begin and end, by the script of its first and last unit.
 *
 * - Latin, Greek, Cyrillic letters and digits: no such letter, digit or combining mark may be adjacent.
 * - Signs (`.NET`, `C++`): no such letter may be adjacent and the same sign may not go on; a version may follow (C++17).
 * - Katakana: no katakana adjacent (ライン in オンライン). Hangul: none before (particles follow names).
 * - Han and everything else: none; Chinese has no word boundaries, which is why `\b` finds nothing there.
 */

const OTHER = 1;
const LETTER = 2;
const DIGIT = 3;
const MARK = 4;
const KATAKANA = 5;
const HANGUL = 6;
const HAN = 7;
const SIGN = 8;

const classes = new Uint8Array(0x10000);

function learn(unit: number): number {
  const ch = String.fromCharCode(unit);
  let found = OTHER;
  if (/\p{M}/u.test(ch)) found = MARK;
  else if (/(?=\p{L})[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u.test(ch)) found = LETTER;
  else if (/\p{Nd}/u.test(ch)) found = DIGIT;
  else if (/[\p{Script=Katakana}ー]/u.test(ch)) found = KATAKANA;
  else if (/\p{Script=Hangul}/u.test(ch)) found = HANGUL;
  else if (/\p{Script=Han}/u.test(ch)) found = HAN;
  else if (unit < 0x80) found = SIGN;
  classes[unit] = found;
  return found;
}

const classOf = (unit: number): number => classes[unit]! || learn(unit);
const isWord = (cls: number): boolean => cls === LETTER || cls === DIGIT || cls === MARK;

const isDigit = (unit: number): boolean => classOf(unit) === DIGIT;

/** Whether two neighbouring units belong to different scripts or kinds, where writers put spaces at will (`GPT 4`). */
export function changesKind(left: number, right: number): boolean {
  const a = classOf(left);
  const b = classOf(right);
  return a !== b && a !== SIGN && b !== SIGN && a !== OTHER && b !== OTHER;
}

/** Whether a name may begin at unit `from` of the folded text. */
export function opensAt(folded: Folded, from: number): boolean {
  if (from === 0 || folded.gapBefore(from) !== GAP.none) return true;
  const first = classOf(folded.codes[from]!);
  const before = classOf(folded.codes[from - 1]!);
  if (isWord(first) || first === SIGN) return !isWord(before);
  if (first === KATAKANA || first === HANGUL) return before !== first;
  return true;
}

/** Whether a name of `length` units may end before unit `to`; `versionSuffix` lets `2.5`, `3`, `V3`, `4o` follow. */
export function closesAt(folded: Folded, to: number, length: number, versionSuffix: boolean): boolean {
  if (isEdge(folded, to)) return true;
  const last = folded.codes[to - 1]!;
  const next = folded.codes[to]!;
  const lastClass = classOf(last);
  const nextClass = classOf(next);
  if (lastClass === SIGN) return nextClass !== LETTER && nextClass !== MARK && next !== last;
  if (lastClass === KATAKANA) return nextClass !== KATAKANA;
  if (!isWord(lastClass)) return true;
  if (!isWord(nextClass)) return length > 1 || !isGluedSign(next);
  return versionSuffix && isEdgeAfterVersion(folded, to);
}

const isEdge = (folded: Folded, at: number): boolean => at >= folded.length || folded.gapBefore(at) !== GAP.none;

/** After a one-letter name these signs make another name of it: C++, C#, R&D. */
const isGluedSign = (unit: number): boolean => unit === 0x2b || unit === 0x23 || unit === 0x26;

function isEdgeAfterVersion(folded: Folded, to: number): boolean {
  let at = to;
  if (folded.codes[at] === 0x76) at++; // v
  const digits = at;
  while (at < folded.length && folded.gapBefore(at) === GAP.none) {
    const unit = folded.codes[at]!;
    const isPoint = unit === 0x2e && at > digits && isDigit(folded.codes[at + 1] ?? 0);
    if (!isDigit(unit) && !isPoint) break;
    at++;
  }
  if (at === digits) return false;
  if (!isEdge(folded, at) && classOf(folded.codes[at]!) === LETTER) at++; // 4o
  return isEdge(folded, at) || !isWord(classOf(folded.codes[at]!));
}
