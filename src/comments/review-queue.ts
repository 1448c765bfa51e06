import type { Queryable } from '../storage/database.ts';
import { isVisible } from './visible.ts';

/** One comment as moderators see it, with all that is said about it and what it stands in. */
export interface ReviewItem {
  readonly id: string;
  readonly state: string;
  readonly state_since: Date;
  readonly revision: number;
  readonly content_version: number;
  readonly site: string;
  readonly article_id: string;
  readonly parent_id: string | null;
  readonly thread_id: string;
  readonly author: {
    readonly name: string;
    readonly url: string | null;
    readonly email: string | null;
    readonly kind: string;
    /** Comments by the same e-mail address on the site that people or machines decided about. */
    readonly approved: number;
    readonly rejected: number;
  };
  readonly content: string;
  readonly created_at: Date;
  readonly edited_at: Date | null;
  readonly pinned: boolean;
  /** Why a person is asked: `audit_failed`, `draft`, `suggestion`; empty for one that nobody waits with. */
  readonly waits_for: readonly string[];
  /** What the machine said of it last. */
  readonly verdict: Readonly<Record<string, unknown>> | null;
  readonly draft: Readonly<Record<string, unknown>> | null;
  readonly suggestion: Readonly<Record<string, unknown>> | null;
  readonly context: { readonly article_title: string | null; readonly parent_content: string | null };
  readonly claim: { readonly by: string; readonly until: string } | null;
}

const VISIBLE_COUNT = (condition: string): string =>
  `(select count(*)::int from comments_comment o
     where o.site = c.site and o.author_email = c.author_email and o.id <> c.id and ${condition})`;

/** A comment `c` as a ReviewItem. */
export const REVIEW_ITEM = `c.id, c.state, c.state_since, c.revision, c.content_version, c.site, c.article_id, c.parent_id,
  c.thread_id, c.content, c.created_at, c.edited_at, c.pinned,
  jsonb_build_object('name', c.author_name, 'url', c.author_url, 'email', c.author_email, 'kind', c.author_kind,
    'approved', ${VISIBLE_COUNT(isVisible('o'))}, 'rejected', ${VISIBLE_COUNT(`o.state = 'REJECTED'`)}) as author,
  array_remove(array[case when c.state = 'AUDIT_FAILED' then 'audit_failed' end,
    case when d.comment is not null then 'draft' end, case when s.comment is not null then 'suggestion' end], null) as waits_for,
  (select jsonb_build_object('decision', v.decision, 'reasons', v.reasons, 'by', v.made_by, 'model', v.model,
          'rulebook_version', v.rulebook_version, 'at', v.at)
     from comments_verdict v where v.comment = c.id and v.content_version = c.content_version
    order by v.at desc, v.run desc limit 1) as verdict,
  case when d.comment is not null then
    jsonb_build_object('content', d.content, 'author_name', d.author_name, 'author_url', d.author_url, 'at', d.at) end as draft,
  case when s.comment is not null then
    jsonb_build_object('decision', s.decision, 'to_state', s.to_state, 'reasons', s.reasons, 'by', s.made_by, 'model', s.model,
      'batch', s.cause, 'at', s.at) end as suggestion,
  jsonb_build_object('article_title', a.title, 'parent_content', p.content) as context,
  case when c.claimed_until > now_here() then jsonb_build_object('by', c.claimed_by, 'until', c.claimed_until) end as claim`;

export const REVIEW_FROM = `comments_comment c
  left join comments_draft d on d.comment = c.id
  left join comments_suggestion s on s.comment = c.id
  left join comments_article a on a.site = c.site and a.article_id = c.article_id
  left join comments_comment p on p.id = c.parent_id`;

export interface ReviewFilter {
  readonly site?: string | undefined;
  readonly articleId?: string | undefined;
  /** A state; without it, what waits for a person. */
  readonly state?: string | undefined;
  /** A code among the newest verdict's reasons. */
  readonly reason?: string | undefined;
}

/** What waits for a person (or is in a state), oldest first, behind the comment with the id `after`. */
export async function listForReview(
  on: Queryable,
  filter: ReviewFilter,
  limit: number,
  after: string | null,
): Promise<ReviewItem[]> {
  const { rows } = await on.query<ReviewItem>(
    `select ${REVIEW_ITEM} from ${REVIEW_FROM}
      where ($1::text is null or c.site = $1) and ($2::text is null or c.article_id = $2)
        and case when $3::text is null
              then c.id in (select id from comments_comment where state = 'AUDIT_FAILED'
                            union all select comment from comments_draft union all select comment from comments_suggestion)
              else c.state = $3 end
        and ($4::text is null or exists (
          select from (select v.reasons from comments_verdict v
                        where v.comment = c.id and v.content_version = c.content_version
                        order by v.at desc, v.run desc limit 1) newest,
                 jsonb_array_elements(newest.reasons) reason where reason ->> 'code' = $4))
        and ($5::uuid is null or (c.created_at, c.id) > (select created_at, id from comments_comment where id = $5))
      order by c.created_at, c.id limit $6`,
    [
      ...[filter.site ?? null, filter.articleId ?? null, filter.state ?? null, filter.reason ?? null],
      ...[after, limit],
    ],
  );
  return rows;
}
