import { buildAutomaton, findAll } from '../../text/automaton.ts';
import { closesAt, opensAt } from '../../text/boundary.ts';
import { type Folded, fold, foldKey, GAP } from '../../text/fold.ts';
import { undisguise } from '../../text/undisguise.ts';
import type { Field } from './finding.ts';

/** A word that was found, and where it stands in the field as it was written. */
export interface WordHit {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** Looks for words in a field; every word that occurs is told once. */
export type WordFinder = (field: Field) => WordHit[];

/**
 * Prepares words to be looked for: as they are written and no pattern among them, case, width, accents, spaces and disguises
 * apart, at the boundaries that their script has. Linear in the field's length, whatever the words.
 */
export function wordFinder(words: readonly string[]): WordFinder {
  const byKey = new Map<string, string>();
  for (const word of words) for (const form of formsOf(word)) if (!byKey.has(form)) byKey.set(form, word);
  const keys = [...byKey.keys()];
  if (!keys.length) return () => [];
  const automaton = buildAutomaton(keys);
  const look = (folded: Folded, original: (offset: number) => number, into: Map<string, WordHit>) => {
    const hits = findAll(automaton, folded.codes, folded.length);
    for (let i = 0; i < hits.length; i += 2) {
      const key = keys[hits[i]!]!;
      const to = hits[i + 1]!;
      const from = to - key.length;
      const word = byKey.get(key)!;
      if (into.has(word) || !isWhole(folded, from, to)) continue;
      into.set(word, { word, start: original(folded.startOf(from)), end: original(folded.endOf(to - 1)) });
    }
  };
  return ({ text, plain }) => {
    const found = new Map<string, WordHit>();
    look(fold(text), (offset) => offset, found);
    if (plain.text !== text) look(fold(plain.text), plain.originalAt, found);
    return [...found.values()];
  };
}

/** A word as it folds, and as it folds without disguise: ① is one in a text that was undisguised. */
const formsOf = (word: string): string[] =>
  [...new Set([foldKey(word), foldKey(undisguise(word).text)])].filter(Boolean);

/** No line break inside, and a boundary at both ends. */
function isWhole(folded: Folded, from: number, to: number): boolean {
  for (let k = from + 1; k < to; k++) if (folded.gapBefore(k) === GAP.hard) return false;
  return opensAt(folded, from) && closesAt(folded, to, to - from, false);
}
