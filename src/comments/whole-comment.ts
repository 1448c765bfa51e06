import { readHistory } from '../core/journal.ts';
import { readRuns } from '../core/run.ts';
import type { Queryable } from '../storage/database.ts';
import { goneComment, unknownComment } from './comment.ts';
import { REVIEW_FROM, REVIEW_ITEM, type ReviewItem } from './review-queue.ts';

/**
 * A comment with everything that ever happened to it, for moderators.
 * @throws CodedError `comments.comment_unknown`, `comments.gone`
 */
export async function wholeComment(on: Queryable, id: string): Promise<Record<string, unknown>> {
  const { rows } = await on.query<ReviewItem>(`select ${REVIEW_ITEM} from ${REVIEW_FROM} where c.id = $1`, [id]);
  const [item] = rows;
  if (!item) throw unknownComment();
  if (item.state === 'DELETED') throw goneComment();
  const all = async (sql: string) => (await on.query(sql, [id])).rows;
  const history = (await readHistory(on, [id])).get(id) ?? [];
  const runs = (await readRuns(on, [id])).get(id) ?? [];
  return {
    ...item,
    history: history.map(({ at, kind, version, from, to, actor, actorId, reason, run, remark }) => ({
      ...{ at, kind, version, from, to, actor, actor_id: actorId, reason, run, remark },
    })),
    runs: runs.map((run) => ({
      ...{ id: run.id, stage: run.stage, content_version: run.contentVersion, cause: run.cause, attempt: run.attempt },
      ...{ outcome: run.outcome, started_at: run.startedAt, ended_at: run.endedAt, error_code: run.errorCode },
      ...{ error_message: run.errorMessage, rulebook_version: run.rulebookVersion, calls: run.calls },
      ...{ cached_calls: run.cachedCalls, tokens: run.tokensIn + run.tokensOut, cost_micros: run.costMicros },
    })),
    verdicts: await all(
      `select run, content_version, decision, reasons, made_by as by, model, rulebook_version, cause, at
         from comments_verdict where comment = $1 order by at, run`,
    ),
    decisions: await all(
      `select revision, content_version, decision, from_state, to_state, reason, decided_by, decided_at, undone_at
         from comments_decision where comment = $1 order by revision`,
    ),
    earlier_contents: await all(
      `select content_version, content, author_name, author_url, replaced_at from comments_content
        where comment = $1 order by content_version`,
    ),
    replies: await all(
      `select id, state, author_kind, content, created_at, withdrawn_at, answers_cv, model from comments_comment
        where parent_id = $1 and author_kind = 'ai' order by created_at, id`,
    ),
  };
}
