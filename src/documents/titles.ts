import type { DocumentLines } from './document-lines.ts';
import { areOneKind, wordForPaper } from './kinds-of-paper.ts';
import { gapped } from './label-words.ts';
import { isHan, plainLabel } from './plain-label.ts';

/** A short piece near the top that may be what the document is called. */
export interface Title {
  /** As `plainLabel` writes it, without brackets. */
  readonly plain: string;
  /** The word for a kind of paper that it has; null for none. */
  readonly kind: string | null;
}

const TITLE_LINES = 12;
const MAX_TITLE = 60;

/** Lines, cells and what stands apart in a line, and the subject of a mail, the topmost first; no labels with values. */
export function titlesOf({ main, mail, isAttached }: DocumentLines): Title[] {
  const pieces = main
    .slice(0, TITLE_LINES)
    .flatMap(({ cells, isHeading }) => cells.map(({ text }) => (isHeading ? text.split(/[:：]/)[0]! : text)))
    .filter((text) => !/[:：]\s*\S/.test(text));
  if (mail?.subject && !isAttached) pieces.push(mail.subject);
  return pieces
    .map((piece) => plainLabel(piece.replace(/[（(][^（）()]*[)）]/g, ' ')))
    .filter((plain) => plain !== '' && plain.length <= MAX_TITLE)
    .map((plain) => ({ plain, kind: wordForPaper(plain) }));
}

/** A word that a title may be or end with, ready to be compared. */
export interface TitleWord {
  readonly plain: string;
  /** For a word with a gap what fits it whole; for a Chinese one what ends with it and a number. */
  readonly pattern: RegExp | null;
  /** The noun that it is about: 对账单 of 银行对账单, `statement` of `bank statement`; empty where it is no other. */
  readonly noun: string;
  readonly kind: string | null;
}

export function titleWord(plain: string): TitleWord {
  const noun = isHan(plain) ? (plain.length > 3 ? plain.slice(-3) : '') : (/ (\w{5,})$/.exec(plain)?.[1] ?? '');
  const isGapped = plain.includes('…');
  const ending = isHan(plain) ? new RegExp(`${escaped(plain)}[\\s\\d〔〕a-z-]*$`, 'u') : null;
  return { plain, pattern: isGapped ? gapped(plain) : ending, noun, kind: wordForPaper(plain) };
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** 1 where a title is one of the words, less where it ends or begins with one or with the noun that a word is about. */
export function titleFit(titles: readonly Title[], words: readonly TitleWord[]): number {
  let best = 0;
  for (const title of titles) for (const word of words) best = Math.max(best, fitOf(title, word));
  return best;
}

function fitOf({ plain, kind }: Title, word: TitleWord): number {
  if (plain === word.plain) return 1;
  if (word.plain.includes('…')) return word.pattern!.test(plain) ? 1 : 0;
  const ends = word.pattern === null ? ` ${plain}`.endsWith(` ${word.plain}`) : word.pattern.test(plain);
  if (ends || kind === word.plain || kind === `${word.plain}书`) return 0.9;
  if (plain.startsWith(`${word.plain} `)) return 0.8;
  const isAlike = kind !== null && word.kind !== null && areOneKind(kind, word.kind);
  return isAlike || (word.noun !== '' && plain.endsWith(word.noun)) ? 0.7 : 0;
}
