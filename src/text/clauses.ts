/**
 * Splits a text into sentences and clauses by punctuation, Chinese and Western. A new line always ends a sentence: in
 * answers a line is a list item, a table row or a heading. The enumeration comma 、 and colons do not separate, since
 * "推荐：豆包、Kimi" says one thing of all. Decimal points, thousands separators and abbreviations like `e.g.` do not
 * separate either.
 */
export interface Clauses {
  /** Ascending start offsets; clause `i` is `[starts[i], starts[i + 1])`. The first is 0. */
  readonly starts: readonly number[];
  /** The running number of the sentence that each clause belongs to. */
  readonly sentences: readonly number[];
}

const CLAUSE = 1;
const SENTENCE = 2;
const COMMA = 3;
const PERIOD = 4;

const breaks = new Uint8Array(0x10000);
for (const ch of '，；;|') breaks[ch.charCodeAt(0)] = CLAUSE;
for (const ch of '。！？!?\n\r\u2028\u2029') breaks[ch.charCodeAt(0)] = SENTENCE;
breaks[0x2c] = COMMA;
breaks[0x2e] = PERIOD;

const isDigitCode = (c: number): boolean => c >= 0x30 && c <= 0x39;
const isLowerOrDigit = (c: number): boolean => (c >= 0x61 && c <= 0x7a) || isDigitCode(c);

export function splitClauses(text: string): Clauses {
  const starts = [0];
  const sentences = [0];
  let sentence = 0;
  const n = text.length;
  for (let i = 0; i < n; i++) {
    const kind = breaks[text.charCodeAt(i)]!;
    if (kind === 0) continue;
    const next = text.charCodeAt(i + 1);
    if (kind === CLAUSE && text.charCodeAt(i) === 0x3b && endsEntity(text, i)) continue;
    if (kind === COMMA && isDigitCode(next) && isDigitCode(text.charCodeAt(i - 1))) continue;
    if (kind === PERIOD && !endsSentence(text, i, next)) continue;
    if (kind === SENTENCE || kind === PERIOD) sentence++;
    if (starts[starts.length - 1] === i && i > 0) {
      // Runs of punctuation (！！, ?\n) end one clause, not several empty ones.
      starts[starts.length - 1] = i + 1;
      sentences[sentences.length - 1] = sentence;
    } else {
      starts.push(i + 1);
      sentences.push(sentence);
    }
  }
  return { starts, sentences };
}

/** Whether the semicolon at `at` belongs to an entity (C&amp;A). */
function endsEntity(text: string, at: number): boolean {
  for (let i = at - 1; i >= Math.max(0, at - 8); i--) {
    const c = text.charCodeAt(i);
    if (c === 0x26) return i < at - 1;
    if (!isLowerOrDigit(c | 0x20) && c !== 0x23) return false;
  }
  return false;
}

/** A period ends a sentence before the end, a line end, or a space that no lower-case word or number follows. */
function endsSentence(text: string, at: number, next: number): boolean {
  if (Number.isNaN(next) || next === 0x0a || next > 0x2e80) return true;
  if (next !== 0x20) return false;
  if (isLowerOrDigit(text.charCodeAt(at + 2))) return false;
  const before = text.charCodeAt(at - 2);
  return before !== 0x20 && before !== 0x2e && !Number.isNaN(before); // "J. Smith", "U.S. Army"
}

/** The index of the clause that holds offset `at`: the last start at or before it. */
export function clauseAt(clauses: Clauses, at: number): number {
  const { starts } = clauses;
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The running number of the sentence that holds offset `at`. */
export const sentenceAt = (clauses: Clauses, at: number): number => clauses.sentences[clauseAt(clauses, at)]!;
