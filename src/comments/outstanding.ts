import type { PgBoss } from 'pg-boss';
import { enqueue } from '../jobs/enqueue.ts';
import type { Tx } from '../storage/database.ts';
import { REPLY_STAGE } from './begin-reply.ts';
import type { Comment } from './comment.ts';
import { AUDIT_STAGE } from './post-comment.ts';

const STAGE_OF: Readonly<Record<string, string>> = { PENDING: AUDIT_STAGE, AI_REPLYING: REPLY_STAGE };

/**
 * Starts the work of a comment's state anew, where a person did something that supersedes what is at work without moving it.
 * A job that was not claimed yet is then one too many, and finds its work done.
 */
export async function startAnew(tx: Tx, boss: PgBoss, { id, state, contentVersion }: Comment): Promise<void> {
  const queue = STAGE_OF[state];
  if (queue === undefined) return;
  await enqueue(tx, boss, [{ queue, data: { item: id, cv: contentVersion, cause: 'live', lane: 'people' } }]);
}
