import type { Queryable } from '../storage/database.ts';
import type { Comment } from './comment.ts';
import { isVisibleState } from './visible.ts';

/** What a rejection remembers: the resting state to return to. */
export function restingStateOf(state: string): string {
  if (state === 'AI_REPLYING') return 'APPROVED';
  return isVisibleState(state) ? state : 'AUDIT_FAILED';
}

/**
 * Where a rejected comment returns to: the resting state that it was taken from; what a machine rejected and nobody ever saw
 * is shown by whoever restores it. Without the reply that it had, it is only approved.
 */
export async function restoreTarget(on: Queryable, comment: Comment): Promise<string> {
  const { id, takenFrom, contentVersion } = comment;
  if (takenFrom !== 'AI_REPLIED') return takenFrom ?? 'APPROVED';
  const { rows } = await on.query(
    `select from comments_comment
      where parent_id = $1 and author_kind = 'ai' and answers_cv = $2 and withdrawn_at is not null and state <> 'DELETED' limit 1`,
    [id, contentVersion],
  );
  return rows.length ? 'AI_REPLIED' : 'APPROVED';
}
