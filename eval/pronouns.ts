import { aliasWords, lastOf } from './baseline.ts';
import type { Kind } from './kind.ts';
import { type PronounItem, pronounItem } from './labelled-set.ts';
import { clean, invalidity } from './product.ts';
import { compareSets } from './tally.ts';

/** The brand that a pronoun stands for, against the nearest brand name anywhere before it. */
export const pronouns: Kind<PronounItem> = {
  about: 'the brand or brands that a pronoun stands for, or none',
  baseline: 'nearest before',
  schema: pronounItem,
  labelled: ({ expected }) => names(expected),
  judge(item) {
    const cleaned = clean(item);
    const hits = cleaned.matches.filter(
      (match) => match.kind === 'coreference' && match.is_valid_match && match.match_position === item.pronoun.position,
    );
    const [label, found] = [new Set(names(item.expected)), new Set(hits.map((match) => match.standard_name))];
    return {
      product: compareSets(label, found),
      baseline: compareSets(label, nearestBefore(item)),
      said: `${item.pronoun.surface}@${item.pronoun.position}: ${list(found)}, label ${list(label)}${invalidity(cleaned)}`,
    };
  },
};

const names = (expected: PronounItem['expected']): string[] =>
  expected === null ? [] : Array.isArray(expected) ? expected : [expected];

const list = (found: ReadonlySet<string>): string => (found.size === 0 ? 'none' : [...found].join(' + '));

function nearestBefore({ text, pronoun, brands }: PronounItem): Set<string> {
  const before = text.slice(0, pronoun.position).toLowerCase();
  let nearest: { name: string; place: number } | null = null;
  for (const brand of brands) {
    const place = lastOf(before, aliasWords(brand));
    if (place !== -1 && (nearest === null || place > nearest.place)) nearest = { name: brand.name, place };
  }
  return new Set(nearest === null ? [] : [nearest.name]);
}
