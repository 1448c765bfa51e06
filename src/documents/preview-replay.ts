import type { Order, Preview } from '../replay/index.ts';
import type { Queryable } from '../storage/database.ts';
import type { Hand } from './configured.ts';
import { IN_SCOPE, SCOPE_PARAMS } from './replay-scope.ts';
import type { Again } from './replay-stage.ts';

/** What a model reads and writes for one document, roughly; used to say what a replay may cost, never to bill. */
const SORTED_CHARACTERS = 8_000;
const PROMPT_TOKENS = 1_000;
const ANSWER_TOKENS = 400;
const CHARACTERS_PER_TOKEN = 2;

interface Counts {
  items: number;
  decided: number;
  edited: number;
  stale: number;
  characters: number;
  stale_characters: number;
  never: number;
}

/**
 * What a replay over the scope would touch and cost. The price is a range: at the least only what older rules made is asked
 * anew (the same question again is answered from the cache), at the most everything.
 * @param price millionths of a currency unit per million tokens, in and out
 */
export async function previewReplay(
  on: Queryable,
  order: Order,
  params: readonly unknown[],
  how: { readonly again: Again; readonly version: number; readonly hand: Hand; readonly price: Price },
): Promise<Preview> {
  const { again, version, hand, price } = how;
  const v = `$${SCOPE_PARAMS + 1}::int`;
  const { rows } = await on.query<Counts>(
    `select count(*)::int as items, (count(*) filter (where t.confirmed or ${EDITED}))::int as decided,
            (count(*) filter (where ${EDITED}))::int as edited,
            (count(*) filter (where t.rulebook_version < ${v}))::int as stale,
            (count(*) filter (where t.rulebook_version is null))::int as never,
            coalesce(sum(t.characters), 0)::float8 as characters,
            coalesce(sum(t.characters) filter (where t.rulebook_version is null or t.rulebook_version < ${v}), 0)::float8 as stale_characters
       from documents_document t where ${IN_SCOPE}`,
    [...params, version],
  );
  const counts = rows[0]!;
  const { items, decided, edited, stale } = counts;
  const skipped = again === 're-classify' && !order.includeHuman ? decided : 0;
  const done = items - skipped;
  const asked = hand.ask === null ? 0 : done;
  const calls = again === 're-extract' ? asked : 2 * asked;
  const tokens = (documents: number, characters: number) =>
    documents === 0
      ? { read: 0, written: 0 }
      : {
          read: Math.round(
            characters / CHARACTERS_PER_TOKEN +
              documents * PROMPT_TOKENS +
              (again === 're-extract' ? 0 : documents * (SORTED_CHARACTERS / CHARACTERS_PER_TOKEN)),
          ),
          written: documents * ANSWER_TOKENS * (again === 're-extract' ? 1 : 2),
        };
  const most = tokens(asked, counts.characters);
  const least = tokens(hand.ask === null ? 0 : Math.min(done, stale + counts.never), counts.stale_characters);
  return {
    items,
    human_decided: again === 're-extract' ? 0 : decided,
    human_edited: edited,
    stale,
    moves: {},
    stages: STAGES[again],
    model_calls: calls,
    tokens: most.read + most.written,
    cost: { low: cost(price, least), high: cost(price, most) },
    warnings: warningsOf(again, order, counts),
  };
}

/** A person gave one of its values. */
const EDITED = `exists (select from documents_field f where f.document = t.id and f.value ->> 'source' = 'human')`;

export interface Price {
  readonly in: number;
  readonly out: number;
}

const cost = (price: Price, { read, written }: { read: number; written: number }): number =>
  Math.ceil((read * price.in + written * price.out) / 1_000_000);

const STAGES: Readonly<Record<Again, readonly string[]>> = {
  're-read': ['text', 'type', 'fields'],
  're-classify': ['type', 'fields'],
  're-extract': ['fields'],
};

/** The further upstream, the more is made anew, and the more is said. */
function warningsOf(again: Again, { mode, scope, includeHuman }: Order, counts: Counts): string[] {
  const { items, decided, edited, stale, never } = counts;
  if (!items) return ['nothing is in scope'];
  const warnings: string[] = [];
  if (stale + never === 0 && again !== 're-read')
    warnings.push('nothing changed since the last run: every result in scope was made by the types as they are');
  if (again === 're-read') warnings.push('text is read anew, and from it type and fields: everything may change');
  if (again !== 're-extract' && mode !== 'propose') {
    warnings.push('types that machines gave are replaced, and the fields are read anew');
    warnings.push('an unsure answer puts a ready document into review');
  }
  if (again !== 're-extract' && 'type' in scope)
    warnings.push('documents of other types are not looked at: what belongs here and lies elsewhere stays there');
  if (again === 're-classify' && decided > 0 && !includeHuman)
    warnings.push('what people confirmed or edited is left alone');
  if (edited > 0 && !includeHuman && again !== 're-classify')
    warnings.push(`${edited} documents carry values that people gave: these stay`);
  if (includeHuman && decided > 0) warnings.push(`what people said about ${decided} documents is set aside`);
  return warnings;
}
