import type { PgBoss } from 'pg-boss';
import type { Machine } from '../core/machine.ts';
import { move } from '../core/move.ts';
import { enqueue, type Lane } from '../jobs/enqueue.ts';
import type { Tx } from '../storage/database.ts';
import { type Comment, loadComments } from './comment.ts';
import { commentMachine } from './machine.ts';
import type { Site } from './site.ts';

export const REPLY_STAGE = 'comments.reply';

/** Why AI does not answer a comment that was approved; null: it does. */
export type NoReply = 'author' | 'switch' | 'no_model' | 'spoken_for' | 'thread_cap' | 'day_cap';

/** What a site has to answer with. */
export interface ReplyMeans {
  readonly site: Site | undefined;
  readonly hasModel: boolean;
}

export interface Wish extends ReplyMeans {
  readonly cause: string;
  readonly lane?: Lane;
}

/**
 * Lets AI answer a comment that is approved, if its site wants that and its caps allow it: the move, the journal and the job
 * of the reply are part of the caller's transaction, which holds the comment's row. Comments that are being answered count,
 * and who asks at once takes turns, so that no cap is overrun together.
 */
export async function beginReply(tx: Tx, boss: PgBoss, id: string, wish: Wish): Promise<NoReply | null> {
  const [comment] = await loadComments(tx, [id]);
  if (comment?.state !== 'APPROVED') return 'spoken_for';
  const refusal = plainRefusal(comment, wish) ?? (await capReached(tx, comment, wish.site!));
  if (refusal !== null) return refusal;
  const { version, contentVersion } = comment;
  const steps = [{ from: 'APPROVED', to: 'AI_REPLYING' }];
  await move(tx, commentMachine as unknown as Machine, [{ item: id, version, steps, actor: 'system' }]);
  const data = { item: id, cv: contentVersion, cause: wish.cause, ...(wish.lane ? { lane: wish.lane } : {}) };
  await enqueue(tx, boss, [{ queue: REPLY_STAGE, data }]);
  return null;
}

function plainRefusal({ authorKind, replyWanted }: Comment, { site, hasModel }: Wish): NoReply | null {
  if (authorKind !== 'visitor') return 'author';
  if (!site?.auto_reply) return 'switch';
  if (!replyWanted) return 'spoken_for';
  return hasModel ? null : 'no_model';
}

/** AI replies of the last 24 hours and those to come, on the site and in the thread. */
async function capReached(tx: Tx, { site: siteId, threadId, id }: Comment, site: Site): Promise<NoReply | null> {
  const { per_thread, per_day } = site.reply_limits;
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('comments.reply:' || $1, 0))`, [siteId]);
  const { rows } = await tx.query<{ thread: number; day: number }>(
    `select (select count(*)::int from comments_comment c
              where c.thread_id = $2 and c.id <> $3 and (c.author_kind = 'ai' or c.state = 'AI_REPLYING')) as thread,
            (select count(*)::int from comments_comment c
              where c.site = $1 and c.author_kind = 'ai' and c.created_at > now_here() - interval '24 hours')
            + (select count(*)::int from comments_comment c
                where c.site = $1 and c.state = 'AI_REPLYING' and c.id <> $3) as day`,
    [siteId, threadId, id],
  );
  const { thread, day } = rows[0]!;
  if (thread >= per_thread) return 'thread_cap';
  return day >= per_day ? 'day_cap' : null;
}
