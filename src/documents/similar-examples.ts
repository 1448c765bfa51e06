import { plainLabel } from './plain-label.ts';

/** A document that people confirmed. */
export interface Example {
  readonly type: string;
  readonly markdown: string;
}

/** What a text is compared by: weights of its grams, of length 1 in all. */
export type GramVector = ReadonlyMap<string, number>;

const HEAD = 4_000;
/** Examples of a type that are looked at: the last ones given. */
const EXAMPLES_A_TYPE = 20;
/** The likeness to a type is that to its nearest examples, so many, so that one put wrongly does not decide. */
const NEAREST = 3;
const vectors = new WeakMap<Example, GramVector>();

/**
 * How a text is worded, as far as it is a form: figures are left out, since they differ from paper to paper. Grams are
 * pairs of Han characters and words of other scripts with the word before; weights are square roots of counts.
 */
export function gramVector(markdown: string): GramVector {
  const text = plainLabel(markdown.slice(0, HEAD).replace(/[\d|#*_\-–—=]+/g, ' '));
  const counts = new Map<string, number>();
  const count = (gram: string) => counts.set(gram, (counts.get(gram) ?? 0) + 1);
  for (const [run] of text.matchAll(/\p{Script=Han}{2,}/gu))
    for (let at = 0; at + 1 < run.length; at += 1) count(run.slice(at, at + 2));
  let before = '';
  for (const [word] of text.matchAll(/(?!\p{Script=Han})\p{L}{2,}/gu)) {
    count(word);
    if (before !== '') count(`${before} ${word}`);
    before = word;
  }
  let squares = 0;
  for (const [, n] of counts) squares += n;
  const length = Math.sqrt(squares) || 1;
  return new Map([...counts].map(([gram, n]) => [gram, Math.sqrt(n) / length]));
}

/** The cosine of two vectors, 0 … 1. */
export function likeness(one: GramVector, other: GramVector): number {
  const [small, large] = one.size < other.size ? [one, other] : [other, one];
  let sum = 0;
  for (const [gram, weight] of small) sum += weight * (large.get(gram) ?? 0);
  return sum;
}

/** For each of the types how alike a text is to what people confirmed as that type; 0 for one without examples. */
export function likenessToTypes(markdown: string, types: readonly string[], examples: readonly Example[]): number[] {
  if (!examples.length) return types.map(() => 0);
  const vector = gramVector(markdown);
  const byType = Map.groupBy(examples, ({ type }) => type);
  return types.map((type) => {
    const near = (byType.get(type) ?? [])
      .slice(-EXAMPLES_A_TYPE)
      .map((example) => likeness(vector, vectorOf(example)))
      .sort((a, b) => b - a)
      .slice(0, NEAREST);
    return near.length ? near.reduce((sum, one) => sum + one, 0) / near.length : 0;
  });
}

function vectorOf(example: Example): GramVector {
  let vector = vectors.get(example);
  if (vector === undefined) {
    vector = gramVector(example.markdown);
    vectors.set(example, vector);
  }
  return vector;
}
