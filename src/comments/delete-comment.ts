import { decide } from '../core/decide.ts';
import type { Machine } from '../core/machine.ts';
import { recordEvents } from '../core/outbox.ts';
import { CodedError } from '../errors/coded-error.ts';
import { closeDeadLetters } from '../jobs/dead-letter.ts';
import type { Tx } from '../storage/database.ts';
import type { Comment } from './comment.ts';
import { withdrawnEvent } from './events.ts';
import { commentMachine } from './machine.ts';
import { withdrawReply } from './reply-sight.ts';
import { isVisibleState } from './visible.ts';

/**
 * Deletes a comment whose row is held: what it said and who said it is erased, its AI reply withdrawn; while visible replies
 * stand below it, its place stays as a tombstone.
 * @returns the refusal (`core.revision_stale`), journalled; null when it is done
 */
export async function deleteComment(
  tx: Tx,
  comment: Comment,
  by: { readonly actor: 'human' | 'author'; readonly actorId: string; readonly expectedRevision: number },
): Promise<CodedError | null> {
  const { id, state } = comment;
  const decided = await decide(tx, commentMachine as unknown as Machine, {
    ...{ item: id, to: 'DELETED', reason: 'comments.deleted', ...by },
  });
  if (decided instanceof CodedError) return decided;
  await tx.query(
    `update comments_comment
        set content = '', content_key = '', author_name = '', author_email = null, author_url = null, address_hash = null,
            claimed_by = null, claimed_until = null
      where id = $1`,
    [id],
  );
  for (const table of ['comments_content', 'comments_draft', 'comments_suggestion']) {
    await tx.query(`delete from ${table} where comment = $1`, [id]);
  }
  await tx.query(
    `update comments_verdict set reasons = (select coalesce(jsonb_agg(one - 'evidence'), '[]') from jsonb_array_elements(reasons) one)
      where comment = $1`,
    [id],
  );
  await tx.query('update comments_decision set reason = null where comment = $1', [id]);
  await closeDeadLetters(tx, [id], by.actorId);
  const replyEvents = await withdrawReply(tx, id, by.actor, 'live');
  const wasVisible = isVisibleState(state) && comment.withdrawnAt === null;
  await recordEvents(tx, [...(wasVisible ? [withdrawnEvent(comment, 'live')] : []), ...replyEvents]);
  return null;
}
