import { documentLines } from './document-lines.ts';
import type { Example } from './similar-examples.ts';
import { titlesOf } from './titles.ts';

const HEAD = 2_000;
const known = new WeakMap<Example, string | null>();

/**
 * For each of the types what papers of it are called, by the titles of confirmed examples: a word that two of them or more
 * have, and a third of all, so that one put wrongly says nothing.
 */
export function titlesOfExamples(types: readonly string[], examples: readonly Example[]): ReadonlySet<string>[] {
  return types.map((type) => {
    const own = examples.filter((example) => example.type === type);
    const counts = new Map<string, number>();
    for (const kind of own.map(kindOf)) if (kind !== null) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    const fewest = Math.max(2, own.length / 3);
    return new Set([...counts].flatMap(([kind, count]) => (count >= fewest ? [kind] : [])));
  });
}

function kindOf(example: Example): string | null {
  let kind = known.get(example);
  if (kind === undefined) {
    kind = titlesOf(documentLines(example.markdown.slice(0, HEAD))).find((title) => title.kind !== null)?.kind ?? null;
    known.set(example, kind);
  }
  return kind;
}
