import { decide } from '../core/decide.ts';
import type { Machine } from '../core/machine.ts';
import { recordEvents } from '../core/outbox.ts';
import { CodedError } from '../errors/coded-error.ts';
import type { Tx } from '../storage/database.ts';
import { changeSight } from './change-sight.ts';
import { holdForPerson } from './claim-comment.ts';
import type { Comment } from './comment.ts';
import { type DecideDeps, type DecidedComment, type DecisionKind, settleDecided } from './decide-comment.ts';
import { commentMachine } from './machine.ts';
import { startAnew } from './outstanding.ts';
import { restoreTarget } from './restore-target.ts';
import { isVisibleState } from './visible.ts';

export const NOT_UNDOABLE = 'comments.not_undoable';

/**
 * Takes the newest decision about a comment back: it is where it was before, or, where machines were at work on it, in the
 * queue of people. What was undone is no label any more.
 * @throws CodedError `comments.not_undoable` (nothing was decided since, or it was a wish for an audit), and what
 * `decideComment` throws
 */
export async function undoDecision(
  { database, boss }: DecideDeps,
  wanted: { readonly id: string; readonly expectedRevision: number; readonly actorId: string },
): Promise<DecidedComment> {
  const outcome = await database.transaction(async (tx): Promise<DecidedComment | CodedError> => {
    const { id, expectedRevision, actorId } = wanted;
    const comment = await holdForPerson(tx, id, actorId);
    const steps = comment.revision === expectedRevision ? await wayBack(tx, comment) : [null];
    let revision = expectedRevision;
    let state = comment.state;
    for (const to of steps) {
      const decided = await decide(tx, commentMachine as unknown as Machine, {
        ...{ item: id, expectedRevision: revision, to, actor: 'human', actorId, reason: 'comments.undo' },
      });
      if (decided instanceof CodedError) return decided;
      revision = decided.revision;
      state = decided.state;
    }
    await tx.query('update comments_decision set undone_at = now_here() where comment = $1 and revision = $2', [
      id,
      expectedRevision,
    ]);
    const { contentVersion } = comment;
    // What a person takes back counts as decided by them where they hide it or show it again.
    await settleDecided(tx, comment, { state }, state === 'AUDIT_FAILED' ? null : contentVersion);
    await recordEvents(tx, await changeSight(tx, comment, { state, contentVersion }, 'human', 'live'));
    if (state === comment.state) await startAnew(tx, boss, comment);
    return { id, state, revision };
  });
  if (outcome instanceof CodedError) throw outcome;
  return outcome;
}

/** The states to go through; null: it did not move it, and the undoing does not either. */
async function wayBack(tx: Tx, comment: Comment): Promise<(string | null)[]> {
  const { rows } = await tx.query<{ decision: DecisionKind; from: string; to: string }>(
    `select decision, from_state as "from", to_state as "to" from comments_decision
      where comment = $1 and revision = $2 and undone_at is null`,
    [comment.id, comment.revision],
  );
  const done = rows[0];
  if (!done || done.decision === 'reaudit') {
    throw new CodedError(NOT_UNDOABLE, 'permanent', 'there is no decision of a person to be taken back');
  }
  if (done.from === done.to) return [null];
  if (done.to === 'REJECTED') {
    const target = await restoreTarget(tx, comment);
    return comment.state === 'REJECTED' ? [target] : [null];
  }
  if (!isVisibleState(comment.state)) return ['REJECTED'];
  return done.from === 'REJECTED' ? ['REJECTED'] : ['REJECTED', 'AUDIT_FAILED'];
}
