import type { Actor } from '../core/machine.ts';
import type { NewEvent } from '../core/outbox.ts';
import type { Tx } from '../storage/database.ts';
import { type Comment, loadComments } from './comment.ts';
import { publishedEvent, withdrawnEvent } from './events.ts';
import { returnReply, withdrawReply } from './reply-sight.ts';
import { isVisibleState } from './visible.ts';

/**
 * What follows from a comment's coming into sight or leaving it: its AI reply goes with it, and it is told. Call it when the
 * comment has moved, its row being held.
 * @param before as it was
 * @returns the events, to be recorded by the caller
 */
export async function changeSight(
  tx: Tx,
  before: Comment,
  now: { readonly state: string; readonly contentVersion: number },
  actor: Actor,
  origin: NewEvent['origin'],
): Promise<NewEvent[]> {
  const was = isVisibleState(before.state);
  const is = isVisibleState(now.state);
  const { id } = before;
  // An AI reply that was withdrawn with what it answers is out of sight whatever a person says of it.
  if (was === is || before.withdrawnAt !== null) return [];
  if (was) return [withdrawnEvent(before, origin), ...(await withdrawReply(tx, id, actor, origin))];
  const [comment] = await loadComments(tx, [id]);
  await tx.query('update comments_comment set published_at = coalesce(published_at, now_here()) where id = $1', [id]);
  const replies = now.state === 'AI_REPLIED' ? await returnReply(tx, id, now.contentVersion, actor, origin) : [];
  return [publishedEvent(comment!, origin), ...replies];
}
