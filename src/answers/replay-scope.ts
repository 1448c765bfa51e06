import { z } from '@hono/zod-openapi';
import { type Scope, scopeUnsupported } from '../replay/index.ts';

/** The filter of a re-cleaning: the results' own filters. Samples of which any line fits are in scope. */
const filterSchema = z
  .strictObject({
    batch_id: z.string(),
    brand_name: z.string(),
    platform: z.string(),
    scene_type: z.string(),
    query_text: z.string(),
    is_valid: z.boolean(),
    /** Made by an older version of the brands. */
    stale: z.boolean(),
    from: z.iso.datetime({ offset: true }),
    to: z.iso.datetime({ offset: true }),
  })
  .partial();

const KNOWN = 'ids (clean_task_ids), all, filter';

/** Throws `replay.scope_unsupported` and, for a bad filter, a ZodError that names the field. */
export function checkScope(scope: Scope): void {
  if ('filter' in scope) filterSchema.parse(scope.filter);
  else if (!('ids' in scope || 'all' in scope)) throw scopeUnsupported(scope, KNOWN);
}

/**
 * The one predicate of list, count, preview and dispatcher: completed samples `t` in scope. Parameters $1 to $11 are
 * `scopeParams`.
 */
export const IN_SCOPE = `t.state = 'completed'
   and ($1::text[] is null or t.clean_task_id = any($1))
   and ($2::text is null or t.batch_id = $2) and ($3::text is null or t.platform = $3)
   and ($4::text is null or t.scene_type = $4) and ($5::text is null or t.query_text = $5)
   and ($6::bool is false or exists (
     select from clean_result r where r.clean_task_id = t.clean_task_id
        and ($7::text is null or r.brand_name = $7) and ($8::bool is null or r.is_valid = $8)
        and ($9::timestamptz is null or r.cleaned_at >= $9) and ($10::timestamptz is null or r.cleaned_at < $10)
        and ($11::int is null or r.rulebook_version < $11)))`;

export const SCOPE_PARAMS = 11;

/** @param version the current version of the brands, which decides what is stale */
export function scopeParams(scope: Scope, version: number): unknown[] {
  const filter = 'filter' in scope ? filterSchema.parse(scope.filter) : {};
  const { brand_name, is_valid, from, to, stale } = filter;
  const asksResults = [brand_name, is_valid, from, to, stale].some((value) => value !== undefined);
  return [
    'ids' in scope ? scope.ids : null,
    filter.batch_id ?? null,
    filter.platform ?? null,
    filter.scene_type ?? null,
    filter.query_text ?? null,
    asksResults,
    brand_name ?? null,
    is_valid ?? null,
    from ?? null,
    to ?? null,
    stale ? version : null,
  ];
}
