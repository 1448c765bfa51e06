import type { PgBoss } from 'pg-boss';
import { decide, REVISION_STALE } from '../core/decide.ts';
import type { NewId } from '../core/ids.ts';
import type { Machine } from '../core/machine.ts';
import { recordEvents } from '../core/outbox.ts';
import { CodedError } from '../errors/coded-error.ts';
import { closeDeadLetters } from '../jobs/dead-letter.ts';
import { enqueue } from '../jobs/enqueue.ts';
import type { Database, Queryable, Tx } from '../storage/database.ts';
import { hasReplyModel } from './audit-stage.ts';
import { replaceContent } from './author-edit.ts';
import { beginReply, type ReplyMeans } from './begin-reply.ts';
import { changeSight } from './change-sight.ts';
import { holdForPerson } from './claim-comment.ts';
import { type Comment, loadComments, unknownComment } from './comment.ts';
import type { Configured } from './configure.ts';
import { commentMachine } from './machine.ts';
import { startAnew } from './outstanding.ts';
import { AUDIT_STAGE } from './post-comment.ts';
import { restingStateOf, restoreTarget } from './restore-target.ts';
import { isVisibleState } from './visible.ts';

export interface DecideDeps {
  readonly database: Database;
  readonly boss: PgBoss;
  readonly newId: NewId;
  readonly configured: Configured;
}

export type DecisionKind = 'approve' | 'reject' | 'restore' | 'reaudit';

export interface CommentDecision {
  readonly id: string;
  readonly decision: DecisionKind;
  /** Counts content versions and decisions of people: a person is not refused because a machine went on. */
  readonly expectedRevision: number;
  /** What the person typed; the author is told it where the comment is rejected. */
  readonly reason: string | null;
  readonly actorId: string;
  /** Given: a comment of another site is not there. */
  readonly site?: string | undefined;
}

export interface DecidedComment {
  readonly id: string;
  readonly state: string;
  readonly revision: number;
}

/**
 * Takes a person's decision: the move, the journal, what follows for its AI reply, the job of a new audit or of a reply, and
 * the events are one transaction. Whatever a machine is at work on is superseded. The same request again, its answer having
 * been lost, changes nothing.
 * @throws CodedError `comments.comment_unknown`, `comments.gone`, `comments.claimed`, `core.revision_stale` (detail: the
 * other person's decision and the text as it is), `core.edge_missing`; the last two are journalled
 */
export async function decideComment(deps: DecideDeps, decision: CommentDecision): Promise<DecidedComment> {
  const means = await meansOf(deps, decision.id);
  const outcome = await deps.database.transaction((tx) => take(tx, deps, decision, means));
  // A refused decision is journalled, so it is not thrown before its transaction has committed.
  if (outcome instanceof CodedError) throw outcome;
  return outcome;
}

/** What a reply would be made with; asked before the transaction is open. */
export async function meansOf({ database, configured }: DecideDeps, id: string): Promise<ReplyMeans> {
  const [comment] = await loadComments(database, [id]);
  const site = comment && (await configured.sites(database)).get(comment.site);
  return { site, hasModel: await hasReplyModel(configured, site) };
}

async function take(
  tx: Tx,
  deps: DecideDeps,
  wanted: CommentDecision,
  means: ReplyMeans,
): Promise<DecidedComment | CodedError> {
  const { id, decision, expectedRevision, actorId, reason } = wanted;
  const comment = await holdForPerson(tx, id, actorId);
  if (wanted.site !== undefined && comment.site !== wanted.site) throw unknownComment();
  if (comment.revision === expectedRevision + 1 && (await isRepeat(tx, comment, wanted))) {
    return { id, state: comment.state, revision: comment.revision };
  }
  const draft = decision === 'approve' && comment.state === 'REJECTED' ? await readDraft(tx, id) : null;
  const to = draft ? 'APPROVED' : await targetOf(tx, comment, decision);
  const decided = await decide(tx, commentMachine as unknown as Machine, {
    ...{ item: id, expectedRevision, to, actor: 'human', actorId, reason: `comments.${decision}` },
    ...{ remark: reason, newContent: draft !== null },
  });
  if (decided instanceof CodedError) {
    return decided.code === REVISION_STALE ? withWhatHappened(tx, decided, comment) : decided;
  }
  if (draft) await replaceContent(tx, comment, draft);
  await writeDecision(tx, comment, wanted, decided);
  await settleDecided(tx, comment, decided, decision === 'reaudit' ? null : decided.contentVersion);
  const events = await changeSight(tx, comment, decided, 'human', 'live');
  if (decision === 'reaudit') {
    // An audit of its own: the one before stays as it was.
    const data = { item: id, cv: decided.contentVersion, cause: deps.newId(), lane: 'people' as const };
    await enqueue(tx, deps.boss, [{ queue: AUDIT_STAGE, data }]);
  }
  if (to === null) await startAnew(tx, deps.boss, comment);
  await recordEvents(tx, events);
  const isShownNow = decided.state === 'APPROVED' && !isVisibleState(comment.state);
  if (isShownNow && means.site?.reply_after_human_approval) {
    await beginReply(tx, deps.boss, id, { ...means, cause: 'live', lane: 'people' });
  }
  const [now] = await loadComments(tx, [id]);
  return { id, state: now!.state, revision: decided.revision };
}

/** The state that a decision leads to; null: where it is; its own state where the decision means nothing, which is refused. */
async function targetOf(on: Queryable, comment: Comment, decision: DecisionKind): Promise<string | null> {
  const { state } = comment;
  if (decision === 'reject') return state === 'REJECTED' ? null : 'REJECTED';
  if (decision === 'reaudit') return state === 'AUDIT_FAILED' ? 'PENDING' : state;
  if (state === 'REJECTED') {
    const target = await restoreTarget(on, comment);
    return decision === 'approve' && !isVisibleState(target) ? 'APPROVED' : target;
  }
  if (decision === 'restore') return state;
  return isVisibleState(state) ? null : 'APPROVED';
}

async function isRepeat(tx: Tx, { id, revision }: Comment, { decision, actorId, reason }: CommentDecision) {
  const { rows } = await tx.query(
    `select from comments_decision
      where comment = $1 and revision = $2 and decision = $3 and decided_by = $4 and reason is not distinct from $5
        and undone_at is null`,
    [id, revision, decision, actorId, reason],
  );
  return rows.length > 0;
}

async function readDraft(on: Queryable, id: string) {
  const { rows } = await on.query<{ content: string; name: string; url: string | null }>(
    'select content, author_name as name, author_url as url from comments_draft where comment = $1',
    [id],
  );
  return rows[0] ?? null;
}

async function writeDecision(
  tx: Tx,
  { id, state }: Comment,
  { decision, reason, actorId }: CommentDecision,
  decided: { readonly state: string; readonly revision: number; readonly contentVersion: number },
): Promise<void> {
  await tx.query(
    `insert into comments_decision (comment, revision, content_version, decision, from_state, to_state, reason, decided_by, decided_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, now_here())`,
    [id, decided.revision, decided.contentVersion, decision, state, decided.state, reason, actorId],
  );
}

/** What holds of a comment since a person decided about it: nothing machines proposed or gave up is open any more. */
export async function settleDecided(
  tx: Tx,
  before: Comment,
  decided: { readonly state: string },
  decidedCv: number | null,
): Promise<void> {
  const { id, state } = before;
  const takenFrom =
    decided.state !== 'REJECTED' ? null : state === 'REJECTED' ? before.takenFrom : restingStateOf(state);
  await tx.query(
    `update comments_comment
        set taken_from = $2, decided_cv = $3, decided_at = now_here(), claimed_by = null, claimed_until = null
      where id = $1`,
    [id, takenFrom, decidedCv],
  );
  await tx.query('delete from comments_draft where comment = $1', [id]);
  await tx.query('delete from comments_suggestion where comment = $1', [id]);
  await closeDeadLetters(tx, [id], 'decision');
}

/** Who comes too late is told what happened: the other's decision, and the text as it is. */
async function withWhatHappened(on: Queryable, stale: CodedError, { id, content }: Comment): Promise<CodedError> {
  const { rows } = await on.query(
    `select decision, reason, decided_by, decided_at, revision from comments_decision
      where comment = $1 and undone_at is null order by revision desc limit 1`,
    [id],
  );
  const detail = { ...stale.detail, content, decided: rows[0] ?? null };
  return new CodedError(stale.code, stale.errorClass, stale.message, { detail });
}
