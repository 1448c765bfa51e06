import { aliasWords, firstOf } from './baseline.ts';
import type { Kind } from './kind.ts';
import { type RankItem, rankItem } from './labelled-set.ts';
import { clean, invalidity } from './product.ts';
import type { Counts } from './tally.ts';

type Ranks = ReadonlyMap<string, number | null>;

/** The rank of each brand, against the order in which the brands are first mentioned. */
export const ranks: Kind<RankItem> = {
  about: 'rank of each brand, or none',
  baseline: 'order of mention',
  schema: rankItem,
  labelled: (item) => Object.keys(item.expected),
  judge(item) {
    const cleaned = clean(item);
    const found: Ranks = new Map(cleaned.results.map((result) => [result.brand_name, result.recommendation_rank]));
    const wrong = item.brands.filter(({ name }) => (found.get(name) ?? null) !== (item.expected[name] ?? null));
    const said = wrong.map(
      ({ name }) => `${name}: ${found.get(name) ?? 'none'}, label ${item.expected[name] ?? 'none'}`,
    );
    return {
      product: compare(item, found),
      baseline: compare(item, orderOfMention(item)),
      said: said.join('; ') + invalidity(cleaned),
    };
  },
};

/** A wrong rank is superfluous, and the right one missed. */
function compare(item: RankItem, found: Ranks): Counts {
  let [right, superfluous, missed] = [0, 0, 0];
  for (const { name } of item.brands) {
    const [label, rank] = [item.expected[name] ?? null, found.get(name) ?? null];
    if (rank !== null && rank === label) right++;
    else {
      if (rank !== null) superfluous++;
      if (label !== null) missed++;
    }
  }
  return { right, superfluous, missed };
}

function orderOfMention(item: RankItem): Ranks {
  const lower = item.text.toLowerCase();
  const places = item.brands
    .map((brand) => ({ name: brand.name, place: firstOf(lower, aliasWords(brand)) }))
    .filter(({ place }) => place !== -1)
    .sort((a, b) => a.place - b.place);
  return new Map(places.map(({ name }, at) => [name, at + 1]));
}
