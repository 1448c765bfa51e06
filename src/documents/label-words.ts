import { kindredWords } from './label-conventions.ts';
import { isHan, labelKey, plainLabel } from './plain-label.ts';

/** The words by which documents label a field, and those that label something like it. */
export interface LabelWords {
  /** As a person named and described it. */
  readonly wanted: readonly string[];
  readonly unwanted: readonly string[];
  /** What papers of all kinds call the same. */
  readonly kindred: readonly string[];
}

interface Described {
  readonly name: string;
  readonly description: string;
}

const MAX_WORDS = 5;
const MAX_HAN = 12;
const known = new WeakMap<Described, LabelWords>();

/**
 * Reads label words from how a person described a field or a type: the name, in each of its languages, and of the
 * description the lists in brackets, behind "labels such as" or a colon, those of Chinese words (`关于…的函` leaves a
 * gap), and abbreviations in capitals. A sentence that begins with Not (不是) lists what is not meant.
 */
export function labelWords(described: Described): LabelWords {
  const before = known.get(described);
  if (before !== undefined) return before;
  const words = readWords(described);
  known.set(described, words);
  return words;
}

function readWords({ name, description }: Described): LabelWords {
  const wanted = new Set(ofName(name));
  const unwanted = new Set<string>();
  for (const sentence of sentencesOf(description)) {
    const isDenial = /^\s*(?:not\b|不是|不含|不包括|并非)/i.test(sentence);
    const into = isDenial ? unwanted : wanted;
    for (const [, list] of sentence.matchAll(/[（(]([^（）()]+)[)）]/g))
      for (const word of items(list!)) into.add(word);
    const plain = sentence.replace(/[（(][^（）()]*[)）]/g, ' ');
    const such = /(?:(?:labels?|words?) such as|[:：])\s*([^:：]+)$/i.exec(plain)?.[1] ?? plain;
    if (isDenial)
      for (const [, noun] of plain.matchAll(/\b(?:an?|the) ([a-z]+(?: [a-z]+)?)(?=[\s,.;]|$)/gi))
        for (const word of [noun!, noun!.split(' ')[0]!]) unwanted.add(plainLabel(word));
    else for (const [word] of plain.matchAll(/\b[A-Z]{3,8}\b/g)) wanted.add(plainLabel(word));
    if (such !== plain || isWordList(plain)) for (const word of items(such)) into.add(word);
  }
  for (const word of wanted) unwanted.delete(word);
  const kindred = kindredWords([...wanted].map(labelKey)).filter((word) => !wanted.has(word) && !unwanted.has(word));
  return { wanted: [...wanted], unwanted: [...unwanted], kindred };
}

/** `销售方名称、销货单位。` or a single word of that kind. */
const isWordList = (sentence: string): boolean =>
  (/^[\s\p{Script=Han}、，。.；;\w…-]*$/u.test(sentence) && /、/.test(sentence)) ||
  /^\s*\p{Script=Han}{2,8}[。.；;]?\s*$/u.test(sentence);

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
