import { aliasWords } from './baseline.ts';
import type { Kind } from './kind.ts';
import { type MentionItem, mentionItem } from './labelled-set.ts';
import { clean, invalidity } from './product.ts';
import type { Counts } from './tally.ts';

/** How often each brand is mentioned, against counting its aliases as substrings. */
export const mentions: Kind<MentionItem> = {
  about: 'mention counts of each brand',
  baseline: 'substrings',
  schema: mentionItem,
  labelled: (item) => Object.keys(item.expected),
  judge(item) {
    const cleaned = clean(item);
    const found = new Map(cleaned.results.map((result) => [result.brand_name, result.mention_count]));
    const counted = new Map(item.brands.map((brand) => [brand.name, countSubstrings(item.text, aliasWords(brand))]));
    const wrong = item.brands.filter(({ name }) => found.get(name) !== (item.expected[name] ?? 0));
    const said = wrong.map(({ name }) => `${name}: ${found.get(name)}, label ${item.expected[name] ?? 0}`);
    return {
      product: compare(item, found),
      baseline: compare(item, counted),
      said: said.join('; ') + invalidity(cleaned),
    };
  },
};

function compare(item: MentionItem, found: ReadonlyMap<string, number>): Counts {
  let [right, superfluous, missed] = [0, 0, 0];
  for (const { name } of item.brands) {
    const [label, count] = [item.expected[name] ?? 0, found.get(name) ?? 0];
    right += Math.min(label, count);
    superfluous += Math.max(0, count - label);
    missed += Math.max(0, label - count);
  }
  return { right, superfluous, missed };
}

function countSubstrings(text: string, words: readonly string[]): number {
  const lower = text.toLowerCase();
  return words.reduce((sum, word) => sum + lower.split(word).length - 1, 0);
}
