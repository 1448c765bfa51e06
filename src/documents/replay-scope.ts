import { z } from '@hono/zod-openapi';
import { type Order, type Scope, scopeUnsupported } from '../replay/index.ts';
import type { Queryable } from '../storage/database.ts';

/** The filter of a replay: the list's own filters of documents at rest. */
const filterSchema = z
  .strictObject({
    state: z.enum(['ready', 'in_review']),
    type: z.string(),
    review_reason: z.string(),
    source: z.string(),
    confirmed: z.boolean(),
    /** Made by an older version of the types. */
    stale: z.boolean(),
    from: z.iso.datetime({ offset: true }),
    to: z.iso.datetime({ offset: true }),
  })
  .partial();

const UUID = z.uuid();
const KNOWN = 'ids, type, all, review_queue, failed, filter';

/** Throws `replay.scope_unsupported` for ids that are none and, for a bad filter, a ZodError that names the field. */
export function checkScope(scope: Scope): void {
  if ('filter' in scope) filterSchema.parse(scope.filter);
  if ('ids' in scope && !scope.ids.every((id) => UUID.safeParse(id).success)) {
    throw scopeUnsupported(scope, `${KNOWN}; an id is that of a document`);
  }
}

/**
 * The one predicate of count, preview, dispatcher and claim: documents `t` in scope, at rest or, where they are named or
 * asked for, given up in a step that the action does again. Parameters $1 to $12 are `scopeParams`.
 */
export const IN_SCOPE = `(case when $1::bool then false else t.state in ('ready', 'in_review') end
     or (($1::bool or $2::uuid[] is not null) and t.state = 'failed' and t.reached = any($3::text[])))
   and ($2::uuid[] is null or t.id = any($2)) and ($4::text is null or t.type = $4)
   and ($5::bool is false or t.state = 'in_review') and ($6::text is null or t.state = $6)
   and ($7::text is null or $7 = any(t.review_reasons)) and ($8::text is null or t.source = $8)
   and ($9::bool is null or t.confirmed = $9) and ($10::timestamptz is null or t.created_at >= $10)
   and ($11::timestamptz is null or t.created_at < $11)
   and ($12::int is null or t.rulebook_version is null or t.rulebook_version < $12)`;

export const SCOPE_PARAMS = 12;

/**
 * @param steps the working states that the action does again, for documents that failed there
 * @param version the current version of the types, which decides what is stale
 */
export function scopeParams(scope: Scope, steps: readonly string[], version: number): unknown[] {
  const filter = 'filter' in scope ? filterSchema.parse(scope.filter) : {};
  return [
    'failed' in scope,
    'ids' in scope ? scope.ids : null,
    steps,
    'type' in scope ? scope.type : (filter.type ?? null),
    'review_queue' in scope,
    filter.state ?? null,
    filter.review_reason ?? null,
    filter.source ?? null,
    filter.confirmed ?? null,
    filter.from ?? null,
    filter.to ?? null,
    filter.stale ? version : null,
  ];
}

/** Whether a document at rest is in the scope of an order now. */
export async function isInScope(
  on: Queryable,
  id: string,
  { scope }: Pick<Order, 'scope'>,
  version: number,
): Promise<boolean> {
  const { rows } = await on.query(
    `select from documents_document t where t.id = $${SCOPE_PARAMS + 1}::uuid and ${IN_SCOPE}`,
    [...scopeParams(scope, [], version), id],
  );
  return rows.length > 0;
}
