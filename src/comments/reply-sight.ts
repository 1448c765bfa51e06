import type { Actor, Machine } from '../core/machine.ts';
import { recordNotes } from '../core/note.ts';
import type { NewEvent } from '../core/outbox.ts';
import type { Tx } from '../storage/database.ts';
import { COMMENT, type Comment } from './comment.ts';
import { publishedEvent, withdrawnEvent } from './events.ts';
import { commentMachine } from './machine.ts';
import { isVisibleState } from './visible.ts';

const machine = commentMachine as unknown as Machine;

/**
 * Withdraws the current AI reply of a comment that left sight or says something else now. The parent's row is held.
 * @returns what is to be told of it
 */
export async function withdrawReply(
  tx: Tx,
  parentId: string,
  actor: Actor,
  origin: NewEvent['origin'],
): Promise<NewEvent[]> {
  const { rows } = await tx.query<Comment>(
    `update comments_comment c set withdrawn_at = now_here()
      where parent_id = $1 and author_kind = 'ai' and withdrawn_at is null and state <> 'DELETED' returning ${COMMENT}`,
    [parentId],
  );
  await recordNotes(
    tx,
    machine,
    rows.map(({ id }) => ({ item: id, actor, reason: 'comments.withdrawn' })),
  );
  return rows.filter(({ state }) => isVisibleState(state)).map((reply) => withdrawnEvent(reply, origin));
}

/**
 * Returns the AI reply that was withdrawn with a comment, if it answers what the comment says now. The parent's row is held.
 * @returns what is to be told of it
 */
export async function returnReply(
  tx: Tx,
  parentId: string,
  contentVersion: number,
  actor: Actor,
  origin: NewEvent['origin'],
): Promise<NewEvent[]> {
  const { rows } = await tx.query<Comment>(
    `update comments_comment c set withdrawn_at = null
      where id = (select id from comments_comment r
                   where r.parent_id = $1 and r.author_kind = 'ai' and r.withdrawn_at is not null and r.state <> 'DELETED'
                     and r.answers_cv = $2
                   order by r.withdrawn_at desc, r.id desc limit 1)
      returning ${COMMENT}`,
    [parentId, contentVersion],
  );
  await recordNotes(
    tx,
    machine,
    rows.map(({ id }) => ({ item: id, actor, reason: 'comments.returned' })),
  );
  return rows.filter(({ state }) => isVisibleState(state)).map((reply) => publishedEvent(reply, origin));
}
