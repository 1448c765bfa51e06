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
/** The likeness to a type is the middle one of those to its nearest examples, so many: one put wrongly does not decide. */
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

/**
 * For each of the types how alike a text is to what people confirmed as that type, 0 … 1; 0 for one without examples. The
 * cosine of the two vectors, in which a gram counts by how much more it belongs to one type than to the others: what all
 * papers of an office share (its name, 有限公司, thank you) tells nothing.
 */
export function likenessToTypes(markdown: string, types: readonly string[], examples: readonly Example[]): number[] {
  const groups = types.map((type) =>
    examples
      .filter((example) => example.type === type)
      .slice(-EXAMPLES_A_TYPE)
      .map(vectorOf),
  );
  const known = groups.filter((group) => group.length > 0).length;
  if (known === 0) return types.map(() => 0);
  const sums = groups.map((group) => group.map(() => 0));
  for (const [gram, weight] of gramVector(markdown)) {
    const shares = groups.map((group) => group.filter((vector) => vector.has(gram)).length / (group.length || 1));
    const all = shares.reduce((sum, share) => sum + share, 0);
    if (all === 0) continue;
    const most = Math.max(...shares) / all;
    const telling = known === 1 ? 1 : (most - 1 / known) / (1 - 1 / known);
    for (const [at, group] of groups.entries())
      if (shares[at]! > 0)
        for (const [n, vector] of group.entries()) sums[at]![n]! += weight * (vector.get(gram) ?? 0) * telling;
  }
  return sums.map((group) => {
    const near = group.toSorted((a, b) => b - a).slice(0, NEAREST);
    return near[near.length >> 1] ?? 0;
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
