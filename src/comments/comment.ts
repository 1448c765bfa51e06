import { CodedError } from '../errors/coded-error.ts';
import type { StageItem } from '../jobs/stage.ts';
import type { Queryable, Tx } from '../storage/database.ts';

export type AuthorKind = 'visitor' | 'owner' | 'ai';

/** One comment as stored. */
export interface Comment extends StageItem {
  /** Counts content versions and decisions of people: 1 at first. */
  readonly revision: number;
  readonly site: string;
  readonly articleId: string;
  readonly parentId: string | null;
  readonly threadId: string;
  /** Its ancestors from the root down to its parent. */
  readonly path: readonly string[];
  readonly authorKind: AuthorKind;
  readonly authorName: string;
  readonly authorEmail: string | null;
  readonly authorUrl: string | null;
  readonly addressHash: string | null;
  readonly content: string;
  readonly contentKey: string;
  readonly createdAt: Date;
  readonly editedAt: Date | null;
  readonly pinned: boolean;
  readonly replyWanted: boolean;
  readonly publishedAt: Date | null;
  readonly takenFrom: string | null;
  readonly decidedCv: number | null;
  readonly decidedAt: Date | null;
  readonly claimedBy: string | null;
  readonly claimedUntil: Date | null;
  readonly answersCv: number | null;
  readonly withdrawnAt: Date | null;
}

/** The columns of comments_comment `c` as a Comment. */
export const COMMENT = `c.id, c.state, c.version, c.revision, c.content_version as "contentVersion", c.site,
  c.article_id as "articleId", c.parent_id as "parentId", c.thread_id as "threadId", c.path, c.author_kind as "authorKind",
  c.author_name as "authorName", c.author_email as "authorEmail", c.author_url as "authorUrl",
  c.address_hash as "addressHash", c.content, c.content_key as "contentKey", c.created_at as "createdAt",
  c.edited_at as "editedAt", c.pinned, c.reply_wanted as "replyWanted", c.published_at as "publishedAt",
  c.taken_from as "takenFrom", c.decided_cv as "decidedCv", c.decided_at as "decidedAt", c.claimed_by as "claimedBy",
  c.claimed_until as "claimedUntil", c.answers_cv as "answersCv", c.withdrawn_at as "withdrawnAt"`;

/** One index look-up an id, whatever the statistics say. Deleted ones are among them. */
export async function loadComments(on: Queryable, ids: readonly string[]): Promise<Comment[]> {
  const { rows } = await on.query<Comment>(
    `select ${COMMENT} from unnest($1::uuid[]) as i(id)
       cross join lateral (select * from comments_comment t where t.id = i.id offset 0) c`,
    [ids],
  );
  return rows;
}

/** The comment with its row held for this transaction; null for one that is not there. */
export async function holdComment(tx: Tx, id: string): Promise<Comment | null> {
  const { rows } = await tx.query<Comment>(
    `select ${COMMENT} from comments_comment c where id = $1 for no key update`,
    [id],
  );
  return rows[0] ?? null;
}

export const COMMENT_UNKNOWN = 'comments.comment_unknown';
export const COMMENT_GONE = 'comments.gone';

export const unknownComment = (): CodedError =>
  new CodedError(COMMENT_UNKNOWN, 'permanent', 'there is no such comment');
export const goneComment = (): CodedError => new CodedError(COMMENT_GONE, 'permanent', 'the comment was deleted');
