import { bareName, isName } from './names.ts';
import { plainLabel } from './plain-label.ts';

/** A party that the first lines of an agreement name. */
export interface Party {
  readonly name: string;
  /** What it is called from there on, as `plainLabel` writes it; null where nothing says so. */
  readonly role: string | null;
  /** Its name in the Markdown. */
  readonly start: number;
  readonly end: number;
}

const HEAD = 3_000;
/** `… (the “Client”)`, `（以下简称“甲方”）`. */
const DEFINED =
  /[（(]\s*(?:(?:the|each an?|an?|hereinafter|hereafter|referred to|called|known|collectively|together|as)\s+|以下|下文|简称|称为|称|下称|为|[，,]\s*)*[“"'‘”「]([^“”"'‘’「」]{1,24})[”"'’“」]\s*[)）]/giu;
const BETWEEN = /\bbetween\b\s*:?\s*/i;

/**
 * Who agrees with whom, by the first lines of an agreement: names before a bracket that says what they are called, else
 * the two names behind "between".
 */
export function findParties(markdown: string): Party[] {
  const head = markdown.slice(0, HEAD);
  const defined: Party[] = [];
  let from = 0;
  for (const match of head.matchAll(DEFINED)) {
    const party = nameIn(head, from, match.index);
    from = match.index + match[0].length;
    if (party !== null) defined.push({ ...party, role: plainLabel(match[1]!) });
  }
  if (defined.length > 1) return defined;
  const between = BETWEEN.exec(head);
  if (between === null) return defined;
  const begin = between.index + between[0].length;
  const rest = head.slice(begin, begin + 400).split(/\n\s*\n|\.\s/)[0]!;
  const and = /\s+and\s+(?!whose\b)/i.exec(rest);
  if (and === null) return defined;
  const parties = [
    nameAt(head, begin, begin + and.index),
    nameAt(head, begin + and.index + and[0].length, begin + rest.length),
  ];
  return parties.every((party) => party !== null) ? parties.map((party) => ({ ...party!, role: null })) : defined;
}

/** The name that the last clause before a bracket begins with. */
function nameIn(head: string, from: number, to: number): Omit<Party, 'role'> | null {
  const before = head.slice(from, to);
  const breaks = [
    ...before.matchAll(
      /[（(]\d+[)）]\s*|\bbetween:?\s+|(?:^|[;,])\s*and\s+|\band\s+(?=[A-Z])|[:：;；。|]\s*|\n\s*\n|由\s*|与\s*|和\s*/gi,
    ),
  ];
  for (const { 0: mark, index } of [...breaks.toReversed(), { 0: '', index: 0 }]) {
    const party = nameAt(head, from + index + mark.length, to);
    if (party !== null) return party;
  }
  return null;
}

function nameAt(head: string, from: number, to: number): Omit<Party, 'role'> | null {
  const raw = head.slice(from, to);
  const name = bareName(raw.replace(/\*\*/g, '').replace(/\s+/g, ' ').trim());
  if (!isName(name) || !/^[\p{Lu}\p{Script=Han}“"\d]/u.test(name) || name.split(' ').length > 8) return null;
  const first = raw.indexOf(name.split(' ')[0]!);
  const start = from + Math.max(0, first);
  const lastWord = name.split(' ').at(-1)!;
  const last = raw.indexOf(lastWord, Math.max(0, first));
  return { name, start, end: last === -1 ? start + name.length : from + last + lastWord.length };
}
