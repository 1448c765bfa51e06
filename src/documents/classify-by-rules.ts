import { documentLines } from './document-lines.ts';
import { type Structure, structureOf } from './document-structure.ts';
import type { DocumentTypeRule } from './document-types.ts';
import { titlesOfExamples } from './example-titles.ts';
import { labelWords } from './label-words.ts';
import { labelledValues } from './labelled-values.ts';
import { isHan, labelKey, labelVariants, plainLabel, plainProse } from './plain-label.ts';
import { type Example, likenessToTypes } from './similar-examples.ts';
import { type TitleWord, titleFit, titlesOf, titleWord } from './titles.ts';

export interface Classification {
  /** The code of a type; null where none is sure enough. */
  readonly type: string | null;
  /** 0 … 1, of the best type whether it is taken or not. */
  readonly confidence: number;
  /** Each type with its score, best first. */
  readonly candidates: readonly { readonly type: string; readonly confidence: number }[];
}

export type Classifier = (markdown: string) => Classification;

const HEAD = 6_000;
const TAIL = 2_000;
/** What speaks for a type, each 0 … 1, in log odds against its being none of the types. */
const WEIGHTS = { title: 4, labels: 4.5, structure: 2.5, words: 0.5, examples: 5, foreign: -4, unwanted: -3 };
const NONE = -3;
const AS_LABEL = 0.6;
const AS_LEARNED = 0.7;
/** A type without fields is known by its title; what that counts in place of labels. */
const WITHOUT_FIELDS = 0.5;

/** What is known of a type before any document is seen. */
interface CompiledType {
  readonly type: DocumentTypeRule;
  readonly words: readonly string[];
  /** Its name in each language, as keys of labels. */
  readonly names: readonly string[];
  readonly wanted: readonly TitleWord[];
  readonly unwanted: readonly TitleWord[];
  /** For each field the keys of its labels. */
  readonly labels: readonly ReadonlySet<string>[];
  /** For each field words that its labels begin or end with. */
  readonly fragments: readonly ReadonlySet<string>[];
  /** For each field values of an enum that are printed without a label. */
  readonly values: readonly (readonly string[])[];
  readonly isBuiltAs: readonly (keyof Structure)[];
}

interface CompiledTypes {
  readonly all: readonly CompiledType[];
  /** In how many types each label stands: what all papers have says little. */
  readonly users: ReadonlyMap<string, number>;
}

/** What is said of a type whose papers are built so. */
const BUILT_AS: Readonly<Record<keyof Structure, RegExp>> = {
  letter: /函件|信函|\bletters?\b(?!head)/i,
  agreement: /合同|协议|\b(?:contract|agreement|lease)\b/i,
  tillRoll: /小票|\btill\b|购物/i,
  movements: /对账单|账户流水|交易明细|\b(?:bank|account) statement\b/i,
};

const compiled = new WeakMap<readonly DocumentTypeRule[], CompiledTypes>();

/**
 * Sorts a document among described types without a model: by a title that says a name of the type, by the share of its
 * fields whose labels stand in the text, by the words of its description, by how letters and agreements are built, and by
 * likeness to documents that people confirmed. Words that the description excludes, and a title that names a kind of
 * paper which no type claims, count against it.
 */
export function classifyByRules(
  markdown: string,
  types: readonly DocumentTypeRule[],
  examples: readonly Example[] = [],
): Classification {
  return compileTypes(types, examples)(markdown);
}

/** The same for many documents. */
export function compileTypes(types: readonly DocumentTypeRule[], examples: readonly Example[] = []): Classifier {
  const { all, users } = compiledTypes(types);
  const codes = types.map(({ code }) => code);
  const learned = titlesOfExamples(codes, examples);
  return (markdown) => {
    const text = markdown.length > HEAD + TAIL ? `${markdown.slice(0, HEAD)}\n${markdown.slice(-TAIL)}` : markdown;
    const document = documentLines(text);
    const titles = titlesOf(document);
    const topmost = titles.find(({ kind }) => kind !== null);
    const pairs = labelledValues(text, document.main, () => false);
    const labels = new Set(pairs.flatMap(({ label }) => labelVariants(label).map(labelKey)));
    const structure = structureOf(document.main, text);
    const plain = plainProse(text);
    const alike = likenessToTypes(text, codes, examples);
    const fits = all.map(({ wanted, names }, at) => {
      // `Receipt: 55-1029` is a title with a number.
      const isLabel = names.some((name) => labels.has(name));
      const isLearned = topmost?.kind != null && learned[at]!.has(topmost.kind);
      return Math.max(titleFit(titles, wanted), isLabel ? AS_LABEL : 0, isLearned ? AS_LEARNED : 0);
    });
    // The topmost title that names a kind of paper names one that no type claims.
    const isClaimed = all.some(
      ({ wanted }, at) => topmost && (titleFit([topmost], wanted) >= 0.7 || learned[at]!.has(topmost.kind!)),
    );
    const foreign = topmost !== undefined && !isClaimed ? 1 : 0;
    const odds = all.map((one, at) => {
      const unwanted = titleFit(titles, one.unwanted);
      return (
        NONE +
        WEIGHTS.title * fits[at]! +
        WEIGHTS.labels * (one.labels.length ? labelShare(one, labels, plain, users) : fits[at]! * WITHOUT_FIELDS) +
        WEIGHTS.structure * structureFit(one, structure) +
        WEIGHTS.words * wordShare(one, plain) +
        WEIGHTS.examples * lead(alike, at) +
        WEIGHTS.foreign * foreign +
        (unwanted > fits[at]! ? WEIGHTS.unwanted * unwanted : 0)
      );
    });
    return decide(types, odds);
  };
}

/** A lead from which likeness to examples says all that it can. */
const CLEAR_LEAD = 0.4;

/** How far a type is ahead of all others, 0 … 1. */
function lead(alike: readonly number[], at: number): number {
  const other = alike.reduce((most, one, n) => (n === at ? most : Math.max(most, one)), 0);
  return Math.min(1, Math.max(0, alike[at]! - other) / CLEAR_LEAD);
}

/** Shares of all there is, that it is none of them among it. */
function decide(types: readonly DocumentTypeRule[], odds: readonly number[]): Classification {
  const whole = odds.reduce((sum, one) => sum + Math.exp(one), 1);
  const candidates = types
    .map((type, at) => ({ type, confidence: Math.round((Math.exp(odds[at]!) / whole) * 1000) / 1000 }))
    .sort((a, b) => b.confidence - a.confidence);
  const best = candidates[0];
  return {
    type: best !== undefined && best.confidence >= best.type.confidence_threshold ? best.type.code : null,
    confidence: best?.confidence ?? 0,
    candidates: candidates.map(({ type, confidence }) => ({ type: type.code, confidence })),
  };
}

function compiledTypes(types: readonly DocumentTypeRule[]): CompiledTypes {
  const before = compiled.get(types);
  if (before !== undefined) return before;
  const all = types.map(compiledType);
  const users = new Map<string, number>();
  for (const { labels } of all)
    for (const key of new Set(labels.flatMap((keys) => [...keys]))) users.set(key, (users.get(key) ?? 0) + 1);
  compiled.set(types, { all, users });
  return { all, users };
}

function compiledType(type: DocumentTypeRule): CompiledType {
  const { wanted, unwanted } = labelWords(type);
  const named = `${type.name} ${type.description}`;
  return {
    type,
    words: wanted,
    names: labelWords({ name: type.name, description: '' }).wanted.map(labelKey),
    wanted: wanted.map(titleWord),
    unwanted: unwanted.map(titleWord),
    labels: type.fields.map((field) => {
      const words = labelWords(field);
      return new Set([...words.wanted, ...words.kindred].filter((word) => !word.includes('…')).map(labelKey));
    }),
    fragments: type.fields.map((field) => fragmentsOf(labelWords(field).wanted)),
    values: type.fields.map(({ values = [] }) =>
      values.flatMap(({ examples }) => examples.map(plainLabel)).filter((word) => word.length > (isHan(word) ? 1 : 3)),
    ),
    isBuiltAs: (Object.keys(BUILT_AS) as (keyof Structure)[]).filter((kind) => BUILT_AS[kind].test(named)),
  };
}

/** What a field counts whose label is printed in part, or of which only a value is. */
const PARTLY = { fragment: 0.4, value: 0.7 };

/** The share of fields whose labels are printed, 1 from three in five on. */
function labelShare(
  { labels, fragments, values }: CompiledType,
  printed: ReadonlySet<string>,
  text: string,
  users: ReadonlyMap<string, number>,
): number {
  const found = labels.reduce((sum, keys, at) => {
    let most = 0;
    for (const key of keys) if (printed.has(key)) most = Math.max(most, (1 / users.get(key)!) ** 0.5);
    if (most === 0 && [...fragments[at]!].some((word) => printed.has(word))) most = PARTLY.fragment;
    if (most < PARTLY.value && values[at]!.some((word) => text.includes(word))) most = PARTLY.value;
    return sum + most;
  }, 0);
  return Math.min(1, found / (labels.length * 0.6));
}

/** Of Chinese labels the two characters or more that they begin and end with: 实付 and 金额 of 实付金额. */
function fragmentsOf(words: readonly string[]): Set<string> {
  const fragments = new Set<string>();
  for (const word of words)
    if (/^\p{Script=Han}+$/u.test(word))
      for (let length = 2; length < word.length; length += 1)
        fragments.add(word.slice(0, length)).add(word.slice(-length));
  return fragments;
}

const structureFit = ({ isBuiltAs }: CompiledType, structure: Structure): number =>
  Math.max(0, ...isBuiltAs.map((kind) => structure[kind]));

const wordShare = ({ words }: CompiledType, plain: string): number =>
  Math.min(1, words.filter((word) => plain.includes(word)).length / Math.max(1, Math.min(3, words.length)));
