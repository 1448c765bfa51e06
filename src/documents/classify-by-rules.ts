import type { DocumentTypeRule } from './document-types.ts';
import { gapped, labelFit, labelWords, plainLabel } from './label-words.ts';
import { labelledValues } from './labelled-values.ts';

export interface Classification {
  /** The code of a type; null where none is sure enough. */
  readonly type: string | null;
  /** 0 … 1, of the best type whether it is taken or not. */
  readonly confidence: number;
  /** Each type with its score, best first. */
  readonly candidates: readonly { readonly type: string; readonly confidence: number }[];
}

const TITLE_LINES = 12;
const MAX_TITLE = 60;
const HEAD = 6_000;
const TAIL = 2_000;
/** What a title, the labels of fields and the words of the description weigh. */
const WEIGHTS = { title: 0.5, labels: 0.35, words: 0.15 };
/** A score from which nothing more is needed than that no other type comes near. */
const ENOUGH = 0.33;

/**
 * Sorts a document among described types without a model: by a title that says a name of the type, by the share of its
 * fields whose labels stand in the text, and by the words of its description (head and tail of the text). Words that the
 * description excludes count against it.
 */
export function classifyByRules(markdown: string, types: readonly DocumentTypeRule[]): Classification {
  const text = markdown.length > HEAD + TAIL ? `${markdown.slice(0, HEAD)}\n${markdown.slice(-TAIL)}` : markdown;
  const titles = titlesOf(text);
  const labels = new Set(labelledValues(text).map(({ label }) => label));
  const plain = plainLabel(text);
  const scored = types.map((type) => ({ type, score: scoreOf(type, titles, labels, plain) }));
  const scores = scored.map(({ score }) => score);
  const candidates = scored
    .map(({ type, score }, at) => ({ type, confidence: confidenceOf(score, Math.max(0, ...scores.toSpliced(at, 1))) }))
    .sort((a, b) => b.confidence - a.confidence);
  const best = candidates[0];
  return {
    type: best !== undefined && best.confidence >= best.type.confidence_threshold ? best.type.code : null,
    confidence: best?.confidence ?? 0,
    candidates: candidates.map(({ type, confidence }) => ({ type: type.code, confidence })),
  };
}

/** Sure is what scores enough and has no other near it. */
function confidenceOf(score: number, other: number): number {
  if (score === 0) return 0;
  return Math.round(Math.min(1, score / ENOUGH) * Math.max(0, 1 - 0.5 * (other / score) ** 3) * 1000) / 1000;
}

function scoreOf(type: DocumentTypeRule, titles: readonly string[], labels: ReadonlySet<string>, text: string): number {
  const { wanted, unwanted } = labelWords(type);
  const title = titleFit(titles, wanted) - titleFit(titles, unwanted);
  const found = type.fields.filter((field) => {
    const words = labelWords(field);
    return [...labels].some((label) => labelFit(label, words) >= 0.7);
  });
  const share = Math.min(1, found.length / ((type.fields.length || 1) * 0.6));
  const told = wanted.filter((word) => text.includes(word)).length / Math.max(1, Math.min(3, wanted.length));
  return Math.max(0, WEIGHTS.title * title + WEIGHTS.labels * share + WEIGHTS.words * Math.min(1, told));
}

/** Short pieces near the top that may be a title: lines, cells and what stands apart in a line, without brackets. */
function titlesOf(text: string): string[] {
  const pieces = text
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^[\s|:-]+$/.test(line))
    .slice(0, TITLE_LINES)
    .flatMap((line) => line.split(/\||\s{3,}|\t/))
    .map((piece) => plainLabel(piece.replace(/[（(][^（）()]*[)）]/g, ' ')));
  return pieces.filter((piece) => piece !== '' && piece.length <= MAX_TITLE);
}

/** 1 where a piece is one of the words, less where it ends with one or with the noun that a word is about. */
function titleFit(titles: readonly string[], words: readonly string[]): number {
  let best = 0;
  for (const title of titles)
    for (const word of words) {
      if (word.includes('…') ? gapped(word).test(title) : title === word) return 1;
      if (title.endsWith(word) || title.startsWith(`${word} `)) best = Math.max(best, 0.9);
      else if (endsWithNoun(title, word)) best = Math.max(best, 0.7);
    }
  return best;
}

/** `monthly statement` is a bank statement, 对公账户对账单 a 银行对账单. */
function endsWithNoun(title: string, word: string): boolean {
  const noun = /\p{Script=Han}/u.test(word)
    ? word.length > 3
      ? word.slice(-3)
      : ''
    : (/ (\w{5,})$/.exec(word)?.[1] ?? '');
  return noun !== '' && title.endsWith(noun);
}
