import { z } from '@hono/zod-openapi';
import { type Order, type Scope, scopeUnsupported } from '../replay/index.ts';
import type { Queryable } from '../storage/database.ts';

/** The resting states from which an audit may be done again. */
export const REAUDITED = ['APPROVED', 'AI_REPLIED', 'AI_REPLY_FAILED', 'REJECTED', 'AUDIT_FAILED'] as const;

/** The filter of a re-audit: those of the moderators' list, and what the last verdict was. */
const filterSchema = z
  .strictObject({
    site: z.string(),
    article_id: z.string(),
    state: z.enum(REAUDITED),
    decision: z.enum(['approve', 'reject', 'unsure']),
    /** A code, or a rule, among the last verdict's reasons. */
    reason: z.string(),
    rule: z.string(),
    /** Made by an older version of the policies. */
    stale: z.boolean(),
    from: z.iso.datetime({ offset: true }),
    to: z.iso.datetime({ offset: true }),
  })
  .partial();

const UUID = z.uuid();
const KNOWN = 'ids, all, review_queue, failed, filter';

/** Throws `replay.scope_unsupported` and, for a bad filter, a ZodError that names the field. */
export function checkScope(scope: Scope): void {
  if ('type' in scope) throw scopeUnsupported(scope, KNOWN);
  if ('filter' in scope) filterSchema.parse(scope.filter);
  if ('ids' in scope && !scope.ids.every((id) => UUID.safeParse(id).success)) {
    throw scopeUnsupported(scope, `${KNOWN}; an id is that of a comment`);
  }
}

/** The newest verdict about what comment `t` says now. */
export const NEWEST_VERDICT = `(select v.decision, v.reasons, v.rulebook_version, v.made_by, v.model from comments_verdict v
  where v.comment = t.id and v.content_version = t.content_version order by v.at desc, v.run desc limit 1)`;

/**
 * The one predicate of count, preview, dispatcher and claim: visitors' comments `t` at rest in scope. Parameters $1 to $12
 * are `scopeParams`.
 */
export const IN_SCOPE = `t.author_kind = 'visitor' and t.state in (${REAUDITED.map((state) => `'${state}'`).join(', ')})
   and ($1::uuid[] is null or t.id = any($1)) and (not $2::bool or t.state = 'AUDIT_FAILED')
   and (not $3::bool or (t.state = 'AUDIT_FAILED' and exists (
     select from dead_letter l where l.item = t.id and l.redriven_at is null)))
   and ($4::text is null or t.site = $4) and ($5::text is null or t.article_id = $5) and ($6::text is null or t.state = $6)
   and ($7::timestamptz is null or t.created_at >= $7) and ($8::timestamptz is null or t.created_at < $8)
   and (($9::text is null and $10::text is null and $11::text is null and $12::int is null) or exists (
     select from ${NEWEST_VERDICT} n
      where ($9::text is null or n.decision = $9)
        and ($10::text is null or n.reasons @> jsonb_build_array(jsonb_build_object('code', $10)))
        and ($11::text is null or n.reasons @> jsonb_build_array(jsonb_build_object('rule', $11)))
        and ($12::int is null or n.rulebook_version is null or n.rulebook_version < $12)))`;

export const SCOPE_PARAMS = 12;

/** @param version the current version of the policies, which decides what is stale */
export function scopeParams(scope: Scope, version: number): unknown[] {
  const filter = 'filter' in scope ? filterSchema.parse(scope.filter) : {};
  return [
    'ids' in scope ? scope.ids : null,
    'review_queue' in scope,
    'failed' in scope,
    filter.site ?? null,
    filter.article_id ?? null,
    filter.state ?? null,
    filter.from ?? null,
    filter.to ?? null,
    filter.decision ?? null,
    filter.reason ?? null,
    filter.rule ?? null,
    filter.stale ? version : null,
  ];
}

/** Whether a comment is in the scope of an order now. */
export async function isInScope(
  on: Queryable,
  id: string,
  { scope }: Pick<Order, 'scope'>,
  version: number,
): Promise<boolean> {
  const { rows } = await on.query(
    `select from comments_comment t where t.id = $${SCOPE_PARAMS + 1}::uuid and ${IN_SCOPE}`,
    [...scopeParams(scope, version), id],
  );
  return rows.length > 0;
}
