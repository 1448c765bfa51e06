import { CodedError } from '../errors/coded-error.ts';
import type { Database, Tx } from '../storage/database.ts';
import { type Comment, goneComment, holdComment, unknownComment } from './comment.ts';

export const CLAIMED = 'comments.claimed';
const CLAIM_SECONDS = 300;

/**
 * The comment with its row held for a person's decision.
 * @throws CodedError `comments.comment_unknown`, `comments.gone`, `comments.claimed` (detail: by, until)
 */
export async function holdForPerson(tx: Tx, id: string, actorId: string): Promise<Comment> {
  const comment = await holdComment(tx, id);
  if (!comment) throw unknownComment();
  if (comment.state === 'DELETED') throw goneComment();
  const { rows } = await tx.query<{ by: string; until: Date }>(
    `select claimed_by as by, claimed_until as until from comments_comment
      where id = $1 and claimed_until > now_here() and claimed_by <> $2`,
    [id, actorId],
  );
  if (rows[0]) throw new CodedError(CLAIMED, 'permanent', 'somebody else is at work on it', { detail: { ...rows[0] } });
  return comment;
}

/** Keeps others from deciding for five minutes, or until it is decided or released. Throws what `holdForPerson` throws. */
export async function claimComment(database: Database, id: string, actorId: string): Promise<{ until: Date }> {
  return database.transaction(async (tx) => {
    await holdForPerson(tx, id, actorId);
    const { rows } = await tx.query<{ until: Date }>(
      `update comments_comment set claimed_by = $2, claimed_until = now_here() + $3 * interval '1 second'
        where id = $1 returning claimed_until as until`,
      [id, actorId, CLAIM_SECONDS],
    );
    return rows[0]!;
  });
}

/** Gives one's own claim back; another's stays. */
export async function releaseComment(database: Database, id: string, actorId: string): Promise<void> {
  await database.query(
    'update comments_comment set claimed_by = null, claimed_until = null where id = $1 and claimed_by = $2',
    [id, actorId],
  );
}
