import { z } from '@hono/zod-openapi';
import type { Queryable } from '../storage/database.ts';
import { type DocumentType, mediaTypeOf } from './sniff-type.ts';

export const listFilter = z.object({
  state: z.string().optional(),
  type: z.string().optional(),
  review_reason: z.string().optional(),
  source: z.string().optional(),
  stale: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .optional(),
  confirmed: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .optional(),
  /** In review and nobody at work on it. */
  unclaimed: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .optional(),
  sha256: z.string().optional(),
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }).optional(),
});
export type ListFilter = z.infer<typeof listFilter>;

/** One line of the list. */
export interface DocumentLine {
  readonly id: string;
  readonly file: string;
  readonly sha256: string;
  readonly media_type: string;
  readonly bytes: number;
  readonly source: string;
  readonly created_at: Date;
  readonly state: string;
  readonly state_since: Date;
  readonly revision: number;
  readonly pages: number | null;
  readonly text_method: string | null;
  readonly type: string | null;
  readonly by: string | null;
  readonly model: string | null;
  readonly confidence: number | null;
  readonly confirmed: boolean;
  readonly review_reasons: readonly string[];
  readonly rulebook_version: number | null;
  /** An older version of the types made it. */
  readonly stale: boolean;
  readonly claimed_by: string | null;
  readonly claimed_until: Date | null;
  readonly suggested: boolean;
}

/**
 * Documents that are not deleted, oldest first.
 * @param version of the types as they are now, by which is told what is stale
 * @param ids these, whatever their state
 */
export async function listDocuments(
  on: Queryable,
  filter: ListFilter & { readonly ids?: readonly string[] },
  version: number,
  limit: number,
  after: string | null = null,
): Promise<DocumentLine[]> {
  const { rows } = await on.query<Omit<DocumentLine, 'media_type'> & { kind: DocumentType }>(
    `select d.id, d.file_name as file, d.sha256, d.kind, d.bytes, d.source, d.created_at, d.state, d.state_since, d.revision,
            d.pages, d.text_method, d.type, d.type_by as by, d.model, d.confidence, d.confirmed, d.review_reasons,
            d.rulebook_version, coalesce(d.rulebook_version < $1::int, false) as stale,
            case when d.claimed_until > now_here() then d.claimed_by end as claimed_by,
            case when d.claimed_until > now_here() then d.claimed_until end as claimed_until,
            exists (select from documents_suggestion s where s.document = d.id) as suggested
       from documents_document d
      where ($2::uuid[] is not null or d.state <> 'deleted') and ($2::uuid[] is null or d.id = any($2))
        and ($3::uuid is null or d.id > $3) and ($4::text is null or d.state = $4) and ($5::text is null or d.type = $5)
        and ($6::text is null or $6 = any(d.review_reasons)) and ($7::text is null or d.source = $7)
        and ($8::bool is null or coalesce(d.rulebook_version < $1::int, false) = $8)
        and ($9::bool is null or d.confirmed = $9)
        and ($10::bool is null or $10 = (d.state = 'in_review' and coalesce(d.claimed_until <= now_here(), true)))
        and ($11::text is null or d.sha256 = $11) and ($12::timestamptz is null or d.created_at >= $12)
        and ($13::timestamptz is null or d.created_at < $13)
      order by d.id limit $14`,
    [
      version,
      filter.ids ?? null,
      after,
      filter.state ?? null,
      filter.type ?? null,
      filter.review_reason ?? null,
      filter.source ?? null,
      filter.stale ?? null,
      filter.confirmed ?? null,
      filter.unclaimed ?? null,
      filter.sha256 ?? null,
      filter.from ?? null,
      filter.to ?? null,
      limit,
    ],
  );
  return rows.map(({ kind, ...line }) => ({ ...line, media_type: mediaTypeOf(kind) }));
}

/** How many documents an older version of the types made, by type; the page of the types counts them. */
export async function countStale(on: Queryable, version: number): Promise<Record<string, number>> {
  const { rows } = await on.query<{ type: string; n: number }>(
    `select coalesce(type, 'none') as type, count(*)::int as n from documents_document
      where state in ('ready', 'in_review') and rulebook_version < $1 group by 1 order by 1`,
    [version],
  );
  return Object.fromEntries(rows.map(({ type, n }) => [type, n]));
}
