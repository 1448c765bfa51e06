import { CodedError } from '../errors/coded-error.ts';
import type { Queryable } from '../storage/database.ts';
import type { Site } from './site.ts';
import { tokenHash } from './status-token.ts';
import { isVisible } from './visible.ts';

/** What a comment's author is told by the token that was given to them alone. */
export interface Status {
  readonly id: string;
  readonly state: string;
  /** Whether an AI reply may still come by itself. */
  readonly need_ai_reply: boolean;
  readonly ai_reply: { readonly id: string; readonly content: string } | null;
  readonly site: string;
  readonly article_id: string;
  readonly thread_id: string;
  readonly parent_id: string | null;
  readonly author: { readonly name: string; readonly url: string | null };
  readonly content: string;
  readonly created_at: Date;
  readonly reject_reason: string | null;
  /** An edit of theirs that waits for a person. */
  readonly draft: string | null;
  readonly editable_until: Date;
  /** Nothing more happens by itself. */
  readonly terminal: boolean;
  /** Counts everything that happened to it. */
  readonly version: number;
}

export const STATUS_UNKNOWN = 'comments.status_unknown';

/** States in which a job of the comment is outstanding. */
const WORKING = ['PENDING', 'AI_REPLYING'];

interface Row extends Omit<Status, 'need_ai_reply' | 'terminal' | 'editable_until'> {
  readonly reply_wanted: boolean;
}

/**
 * Reads a comment's status by its token, which says nothing about any other comment.
 * @param replies whether the comment's site wants AI replies and has a model for them
 * @throws CodedError `comments.status_unknown`
 */
export async function readStatus(
  on: Queryable,
  token: string,
  sites: ReadonlyMap<string, Site>,
  replies: (site: Site | undefined) => Promise<boolean>,
): Promise<Status> {
  const { rows } = await on.query<Row>(
    `select c.id, c.state, c.site, c.article_id, c.thread_id, c.parent_id, c.content, c.created_at, c.version, c.reply_wanted,
            jsonb_build_object('name', c.author_name, 'url', c.author_url) as author, d.content as draft,
            (select jsonb_build_object('id', r.id, 'content', r.content) from comments_comment r
              where r.parent_id = c.id and r.author_kind = 'ai' and ${isVisible('r')}) as ai_reply,
            case when c.state = 'REJECTED' then coalesce(
              case when c.decided_cv = c.content_version then
                (select coalesce(x.reason, 'moderator') from comments_decision x
                  where x.comment = c.id and x.decision = 'reject' and x.undone_at is null order by x.revision desc limit 1) end,
              (select v.reasons -> 0 ->> 'code' from comments_verdict v
                where v.comment = c.id and v.content_version = c.content_version and v.decision = 'reject'
                order by v.at desc limit 1)) end as reject_reason
       from comments_comment c left join comments_draft d on d.comment = c.id
      where c.status_token_hash = $1`,
    [tokenHash(token)],
  );
  const row = rows[0];
  if (!row) throw new CodedError(STATUS_UNKNOWN, 'permanent', 'there is no comment with this status token');
  const { reply_wanted, ...told } = row;
  const { state } = told;
  const site = sites.get(told.site);
  return {
    ...told,
    need_ai_reply: state === 'AI_REPLYING' || (state === 'PENDING' && reply_wanted && (await replies(site))),
    editable_until: new Date(told.created_at.getTime() + (site?.edit_window_s ?? 0) * 1000),
    terminal: !WORKING.includes(state),
  };
}
