import type { FieldRule } from './document-types.ts';

/** The words by which documents label a field, and those that label something like it. */
export interface LabelWords {
  readonly wanted: readonly string[];
  readonly unwanted: readonly string[];
}

const MAX_WORDS = 5;
const MAX_HAN = 12;

/**
 * Reads label words from how a person described a field: the name, in each of its languages, and of the description the
 * lists in brackets, behind "labels such as" or a colon, and those of Chinese words (`关于…的函` leaves a gap). A sentence that begins with Not (不是) lists
 * what is not meant.
 */
export function labelWords({ name, description }: Pick<FieldRule, 'name' | 'description'>): LabelWords {
  const wanted = new Set(ofName(name));
  const unwanted = new Set<string>();
  for (const sentence of sentencesOf(description)) {
    const into = /^\s*(?:not\b|不是|不含|并非)/i.test(sentence) ? unwanted : wanted;
    for (const [, list] of sentence.matchAll(/[（(]([^（）()]+)[)）]/g))
      for (const word of items(list!)) into.add(word);
    const plain = sentence.replace(/[（(][^（）()]*[)）]/g, ' ');
    const such = /(?:(?:labels?|words?) such as|[:：])\s*([^:：]+)$/i.exec(plain)?.[1] ?? plain;
    if (into === unwanted)
      for (const [, noun] of plain.matchAll(/\b(?:an?|the) ([a-z]+(?: [a-z]+)?)(?=[\s,.;]|$)/gi))
        for (const word of [noun!, noun!.split(' ')[0]!]) unwanted.add(plainLabel(word));
    if (such !== plain || (/^[\s\p{Script=Han}、，。.；\w-]*$/u.test(plain) && /、/.test(plain)))
      for (const word of items(such)) into.add(word);
  }
  for (const word of wanted) unwanted.delete(word);
  return { wanted: [...wanted], unwanted: [...unwanted] };
}

/** A full stop ends a sentence before a new one only: `Contract No., Lease No.` goes on, brackets are not divided. */
function sentencesOf(text: string): string[] {
  const joined = text.replace(/[（(][^（）()]*[)）]/g, (inner) => inner.replace(/[。；;]/g, '、').replaceAll('.', ' '));
  return joined.split(/(?<=[。；;])\s*|(?<=\.)\s+(?=[A-Z\p{Script=Han}])/u);
}

/** `发票号码 Invoice number` names the field twice. */
function ofName(name: string): string[] {
  const han = name.match(/[\p{Script=Han}（）()]+/gu) ?? [];
  const latin = name.replace(/\p{Script=Han}+/gu, ' ').trim();
  return [...han, latin].map(plainLabel).filter(Boolean);
}

function items(list: string): string[] {
  return list
    .split(/[,，、;；/]|\bor\b|\bsuch as\b|或|例如|如/)
    .map((one) => plainLabel(one))
    .filter((one) => one !== '' && (isHan(one) ? one.length <= MAX_HAN : one.split(' ').length <= MAX_WORDS));
}

const isHan = (text: string): boolean => /\p{Script=Han}/u.test(text);

/** A label as it is compared: without marks, spaces at its ends, a colon, and in small letters. */
export function plainLabel(text: string): string {
  return text
    .replaceAll('……', '…')
    .split('…')
    .map((part) => part.normalize('NFKC'))
    .join('…')
    .toLowerCase()
    .replace(/^\s*#+\s|[*_`|.:：。"“”]/g, ' ')
    .replace(/(?<=\p{Script=Han})\s+(?=\p{Script=Han})/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** How well a printed label fits: 1 the same, less where the word is part of it, 0 where nothing fits or more fits what is not meant. */
export function labelFit(label: string, words: LabelWords): number {
  const best = (list: readonly string[]) => Math.max(0, ...list.map((word) => fitOf(label, word)));
  const fit = best(words.wanted);
  return fit > best(words.unwanted) ? fit : 0;
}

function fitOf(label: string, word: string): number {
  if (label === word) return 1;
  if (word.includes('…')) return gapped(word).test(label) ? 1 : 0;
  const isWhole = (at: number) =>
    isHan(word) || (!/[a-z0-9]/.test(label[at - 1] ?? ' ') && !/[a-z0-9]/.test(label[at + word.length] ?? ' '));
  const at = label.indexOf(word);
  if (at === -1 || !isWhole(at)) return 0;
  const share = word.length / label.length;
  return share < 0.3 ? 0 : 0.4 + share / 2;
}

/** A word with a gap, as a pattern for a whole title. */
export function gapped(word: string): RegExp {
  return new RegExp(
    `^${word
      .split('…')
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.{1,40}')}$`,
    'u',
  );
}
