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

/** 1 where a title is one of the words, less where it ends or begins with one or with the noun that a word is about. */
export function titleFit(titles: readonly Title[], words: readonly string[]): number {
  let best = 0;
  for (const { plain, kind } of titles)
    for (const word of words) {
      if (word.includes('…') ? gapped(word).test(plain) : plain === word) return 1;
      if (endsWith(plain, word) || kind === word || kind === `${word}书`) best = Math.max(best, 0.9);
      else if (plain.startsWith(`${word} `)) best = Math.max(best, 0.8);
      else if (endsWithNoun(plain, word) || (kind !== null && isOneKind(kind, word))) best = Math.max(best, 0.7);
    }
  return best;
}

function isOneKind(kind: string, word: string): boolean {
  const other = wordForPaper(word);
  return other !== null && areOneKind(kind, other);
}

const endsWith = (title: string, word: string): boolean =>
  isHan(word)
    ? title.endsWith(word) || new RegExp(`${word}[\\s\\d〔〕a-z-]+$`, 'u').test(title)
    : ` ${title}`.endsWith(` ${word}`);

/** `monthly statement` is a bank statement, 对公账户对账单 a 银行对账单. */
function endsWithNoun(title: string, word: string): boolean {
  const noun = isHan(word) ? (word.length > 3 ? word.slice(-3) : '') : (/ (\w{5,})$/.exec(word)?.[1] ?? '');
  return noun !== '' && title.endsWith(noun);
}
