import type { DocumentTypeRule, FieldRule } from './document-types.ts';
import { COMMON_LABELS } from './label-conventions.ts';
import { labelWords } from './label-words.ts';
import { evenLabel, isHan, labelKey, labelVariants } from './plain-label.ts';

interface Word {
  readonly even: string;
  readonly key: string;
  /** Without spaces, which recognised pictures often lack. */
  readonly squeezed: string;
  /** Whether nothing but the word itself will do. */
  readonly isWhole: boolean;
  /** 1 for what the person wrote, less for what papers call the same. */
  readonly weight: number;
}

interface FieldWords {
  readonly field: FieldRule;
  readonly wanted: readonly Word[];
  readonly unwanted: readonly Word[];
}

/** Labels that were met before, of all documents of a type: papers of one office are alike. */
const KEPT_LABELS = 5_000;
const KINDRED = 0.8;
/** From here on a label says a field by itself; below only the last word of its label was printed. */
export const SURE_FIT = 0.6;
/** `Your total`, `本期合计（元）`: words that change nothing. */
const FILLER =
  /^(?:本期|本次|本|您的|贵方|人民币|元|信息|资料|this period|for the period|details|information|plus|including|incl|incl tax|incl vat|including tax|including vat|zzgl|inkl|your|our|the|rmb|cny|usd|eur|gbp|in|[\s:#/-])+$/u;

/** `Total excl. tax` is another amount than the total. */
const OTHER = /\b(?:excl|excluding|before|net|without|less|other)\b|不含|未税|税前|其他/;

/** The labels of a type's fields, ready to be compared with what a document prints. */
export interface LabelBook {
  readonly type: DocumentTypeRule;
  /** The field of the day of the paper itself; undefined where the type has none. */
  readonly ownDate: FieldRule | undefined;
  /** How well a printed label fits each field, in their order: 0 … 1. A field that another fits better has 0. */
  fits(label: string): readonly number[];
  /** Whether a piece of text is a label of the type or of papers of all kinds, word for word. */
  isLabel(plain: string): boolean;
}

const books = new WeakMap<DocumentTypeRule, LabelBook>();

export function labelBook(type: DocumentTypeRule): LabelBook {
  const before = books.get(type);
  if (before !== undefined) return before;
  const book = compile(type);
  books.set(type, book);
  return book;
}

const commonKeys = new Set(COMMON_LABELS.map(labelKey));

function compile(type: DocumentTypeRule): LabelBook {
  const ownDate = type.fields.find((field) => field.type === 'date' && isPrincipal(field));
  const fields = type.fields.map((field) => {
    if (field === ownDate) return wordsOf(field, labelsOfOwnDate(type));
    return wordsOf(field, isOwnNumber(field, type) ? [...OWN_NUMBER, ...namesOf(type)] : []);
  });
  const keys = new Set(fields.flatMap(({ wanted, unwanted }) => [...wanted, ...unwanted].map(({ key }) => key)));
  const known = new Map<string, readonly number[]>();
  return {
    type,
    ownDate,
    fits: (label) => {
      let fits = known.get(label);
      if (fits === undefined) {
        fits = among(fields, label);
        if (known.size >= KEPT_LABELS) known.clear();
        known.set(label, fits);
      }
      return fits;
    },
    isLabel: (plain) => {
      const key = labelKey(plain);
      return keys.has(key) || commonKeys.has(key);
    },
  };
}

/** What a bare reference on a paper that has a number of its own is. */
const OWN_NUMBER = ['ref', 'reference', 'ref no', 'our ref', '编号', 'no'];

const namesOf = ({ name }: DocumentTypeRule): readonly string[] => labelWords({ name, description: '' }).wanted;

/** Whether a field is the number of the paper itself: `Contract No.` of a contract. */
function isOwnNumber({ name, type: fieldType }: FieldRule, type: DocumentTypeRule): boolean {
  if (fieldType !== 'string' || !isNumberOfPaper(name)) return false;
  const nouns = namesOf(type);
  return labelWords({ name, description: '' }).wanted.some((word) => nouns.some((noun) => word.startsWith(noun)));
}

/** `Date of contract`, 合同日期. */
const labelsOfOwnDate = (type: DocumentTypeRule): string[] =>
  namesOf(type).map((name) => (isHan(name) ? `${name}日期` : `${name} date`));

function wordsOf(field: FieldRule, more: readonly string[]): FieldWords {
  const { wanted, unwanted, kindred } = labelWords(field);
  const words = (list: readonly string[], weight: number, isWhole = false) =>
    list
      .filter((plain) => !plain.includes('…'))
      .map((plain) => ({
        even: evenLabel(plain),
        key: labelKey(plain),
        squeezed: plain.replaceAll(' ', ''),
        isWhole,
        weight,
      }));
  return {
    field,
    wanted: [...words(wanted, 1), ...words(kindred, KINDRED), ...words(more, KINDRED, true)],
    unwanted: words(unwanted, 1),
  };
}

/** Each field's fit, where no other field of the type fits better. */
function among(fields: readonly FieldWords[], label: string): number[] {
  const variants = labelVariants(label);
  const fits = fields.map((words) => Math.max(0, ...variants.map((variant) => fitOf(variant, words))));
  const best = Math.max(0, ...fits);
  if (best >= SURE_FIT) return fits.map((fit) => (fit >= best - 0.02 ? fit : 0));
  // The last word of several labels (日期, No.) means the first of them that it can mean.
  const principal = fields.findIndex(({ field }, at) => fits[at]! > 0 && isPrincipal(field));
  const open = fits.filter((fit) => fit > 0).length;
  return fits.map((fit, at) => (open === 1 || at === principal ? fit : 0));
}

const endOrStart =
  /截止|终止|到期|结束|起始|开始|生效|出生|生日|\b(?:due|end|until|to|expir\w*|start|from|begin\w*|birth)\b/i;

/** What a bare `Date` or `No.` on a paper is: the day and the number of the paper itself. */
function isPrincipal({ type, code, name }: FieldRule): boolean {
  if (type === 'date') return !endOrStart.test(`${code.replaceAll('_', ' ')} ${name}`);
  return type === 'string' && isNumberOfPaper(name);
}

const isNumberOfPaper = (name: string): boolean => /号|编号|\b(?:no|number|id|reference)\b/i.test(name);

function fitOf(label: string, { wanted, unwanted }: FieldWords): number {
  const key = labelKey(label);
  const fit = bestOf(label, key, wanted);
  return fit > 0 && fit > bestOf(label, key, unwanted) ? fit : 0;
}

function bestOf(label: string, key: string, words: readonly Word[]): number {
  const squeezed = label.replaceAll(' ', '');
  const even = evenLabel(label);
  let best = 0;
  for (const word of words) {
    if (best >= word.weight) continue;
    const isSame = word.key === key || word.squeezed === squeezed;
    best = Math.max(best, isSame ? word.weight : word.isWhole ? 0 : likeness(even, word.even) * word.weight);
  }
  return best;
}

/** 0 … 1: one within the other, the end of the other, or the other with a character read wrongly. */
function likeness(label: string, word: string): number {
  const isHanWord = isHan(word);
  if (label.length > word.length) {
    const at = wholeAt(label, word, isHanWord);
    if (at !== -1) {
      const rest = label.slice(0, at) + label.slice(at + word.length);
      if (FILLER.test(rest)) return 0.95;
      if (OTHER.test(rest) && !OTHER.test(word)) return 0;
      const share = word.length / label.length;
      // Chinese labels end with what they are about: 查询起止日期.
      const isHead = isHanWord && share >= 0.5 && label.endsWith(word);
      return share < 0.3 ? 0 : 0.4 + share / 2 + (isHead ? 0.1 : 0);
    }
  } else if (label.length < word.length && label.length > 1) {
    // The noun at the end of a label may stand for it: 日期 for 签订日期.
    if (word.endsWith(label) && (isHanWord || word[word.length - label.length - 1] === ' '))
      return 0.35 + (0.2 * label.length) / word.length;
    if (isHanWord && word.startsWith(label) && label.length / word.length >= 0.5) return 0.45;
    if (isHanWord && label.length >= 3 && label.length / word.length >= 0.6 && isSubsequence(label, word)) return 0.65;
  }
  return isMisread(label, word) ? 0.8 : 0;
}

function wholeAt(label: string, word: string, isHanWord: boolean): number {
  const at = label.indexOf(word);
  if (at === -1 || isHanWord) return at;
  return /[a-z0-9]/.test(label[at - 1] ?? ' ') || /[a-z0-9]/.test(label[at + word.length] ?? ' ') ? -1 : at;
}

function isSubsequence(label: string, word: string): boolean {
  let at = 0;
  for (const sign of word) if (sign === label[at]) at += 1;
  return at === label.length;
}

/** One character replaced, missing or too many, in words long enough that this is no other word (期初余额, 期末余额). */
function isMisread(label: string, word: string): boolean {
  if (Math.abs(label.length - word.length) > 1 || word.length < (isHan(word) ? 6 : 7)) return false;
  let from = 0;
  while (from < label.length && label[from] === word[from]) from += 1;
  let [end, wordEnd] = [label.length, word.length];
  while (end > from && wordEnd > from && label[end - 1] === word[wordEnd - 1]) {
    end -= 1;
    wordEnd -= 1;
  }
  return end - from <= 1 && wordEnd - from <= 1;
}
