import type { DocumentLine } from './document-lines.ts';

/** How papers of some kinds are built, whatever they are called. */
export interface Structure {
  /** 0 … 1: someone is addressed, and someone signs off. */
  readonly letter: number;
  /** 0 … 1: numbered clauses, and two parties. */
  readonly agreement: number;
}

const SALUTATION = /^(?:dear\b.*|to whom it may concern.*|(?:尊敬的|致)?[\p{Script=Han}（）()、·]{2,30}[：:])$/iu;
const CLOSING = /^(?:yours\b|sincerely|kind regards|best regards|regards|respectfully|此致|敬礼|特此|顺颂|专此|盼复)/i;
const CLAUSE =
  /^(?:第[一二三四五六七八九十百\d]{1,4}[条章]|[一二三四五六七八九十]{1,3}、|(?:clause|article|section)\s+\d+|\d{1,2}\\?\.\s*\p{Lu}[\p{L}’' ]{2,40}\.?)/iu;
const PARTIES = /甲方[\s\S]{0,400}乙方|\bthe parties\b|\bparty a\b[\s\S]{0,400}\bparty b\b|\beither party\b/i;

export function structureOf(lines: readonly DocumentLine[], text: string): Structure {
  const singles = lines
    .filter(({ cells, table }) => cells.length === 1 && table === null)
    .map(({ cells }) => cells[0]!.text);
  const salutation = singles.findIndex((line, at) => at < 25 && SALUTATION.test(line));
  const closing = singles.findLastIndex((line) => CLOSING.test(line));
  const clauses = singles.filter((line) => CLAUSE.test(line)).length;
  const addressed = salutation === -1 ? 0 : 0.5;
  return {
    letter: addressed + (closing > salutation ? 0.5 : 0),
    agreement: (clauses >= 3 ? 0.6 : 0) + (PARTIES.test(text) ? 0.4 : 0),
  };
}
