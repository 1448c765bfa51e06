import type { EdgeOf, Machine } from '../core/machine.ts';
import { recordNotes } from '../core/note.ts';
import { recordEvents } from '../core/outbox.ts';
import { closeDeadLetters } from '../jobs/dead-letter.ts';
import type { Done, Stage } from '../jobs/stage.ts';
import type { AskModel } from '../models/index.ts';
import { type BatchOrder, readOrders } from '../replay/index.ts';
import type { Queryable, Tx } from '../storage/database.ts';
import { storableJson } from '../text/storable.ts';
import { type AuditDecision, audit, type Case, type Verdict } from './audit.ts';
import { changeSight } from './change-sight.ts';
import { type Comment, loadComments } from './comment.ts';
import type { Configured } from './configure.ts';
import { countedAsk } from './counted-ask.ts';
import { commentMachine } from './machine.ts';
import { findPolicy, type Policy } from './policy.ts';
import { readCase } from './read-case.ts';
import { isInScope, REAUDITED } from './replay-scope.ts';
import { restingStateOf, restoreTarget } from './restore-target.ts';
import { saveVerdicts } from './save-verdicts.ts';
import { isVisibleState } from './visible.ts';

export const RE_AUDIT_STAGE = 'comments.re-audit';

interface ReAuditContext {
  readonly of: Case;
  readonly policy: Policy;
  readonly ask: AskModel | null;
  /** Of a batch that is known; null: there is none. */
  readonly order: BatchOrder | null;
  readonly inScope: boolean;
  /** Where the comment would return to, were it approved. */
  readonly backTo: string;
}

interface ReAudited {
  readonly verdict: Verdict;
  /** The resting state that the verdict leads to. */
  readonly to: string;
  /** It is told, not done. */
  readonly proposed: boolean;
}

/**
 * An audit of a comment at rest, done again in the name of a batch. An unsure answer moves nothing; what a person decided is
 * left alone unless the batch was asked to include it. Nobody's comment is answered because of it.
 */
export function reAuditStage({
  configured,
}: {
  readonly configured: Configured;
}): Stage<typeof commentMachine, Comment, ReAudited, ReAuditContext> {
  return {
    name: RE_AUDIT_STAGE,
    machine: commentMachine,
    from: [],
    replayFrom: REAUDITED,
    actor: 'ai',
    batch: 1,
    concurrency: 4,
    expireSeconds: 600,
    retry: { transient: () => 2, baseSeconds: 30, lost: 3 },
    givenUp: 'AUDIT_FAILED',
    load: loadComments,
    prepare: (on, items, causes) => prepareReAudit(on, configured, items[0]!, causes[0]!),
    skip: (comment, { context: { order, inScope } }) => {
      if (order === null) return 'replay.batch_unknown';
      if (!inScope) return 'replay.left_scope';
      return isDecided(comment) && !yields(comment, order) ? 'comments.human_decided' : null;
    },
    work: async (comment, { walk, context, cause, signal, spend }) => {
      const { of, policy, ask, order, backTo } = context;
      const options = { signal, requestKey: `${comment.id}:${cause}`, priority: 'batch' } as const;
      const verdict = await audit(of, policy, ask && countedAsk(ask, options, spend));
      const to = targetOf(comment.state, verdict.decision, backTo);
      const proposed = order!.mode === 'propose';
      if (!proposed && to !== comment.state) {
        walk.take({ from: comment.state, to } as EdgeOf<typeof commentMachine>);
      }
      return { verdict, to, proposed };
    },
    save: async (tx, done) => {
      for (const one of done) await saveReAudited(tx, one);
    },
    inputRef: ({ id, contentVersion }) => `comments_comment:${id}/${contentVersion}`,
  };
}

/** Whether a person decided about what the comment says now. */
export const isDecided = ({ decidedCv, contentVersion }: Comment): boolean => decidedCv === contentVersion;

/** What was decided later than the batch was ordered stands in any case. */
const yields = ({ decidedAt }: Comment, { includeHuman, startedAt }: BatchOrder): boolean =>
  includeHuman && (decidedAt === null || decidedAt <= startedAt);

/** @param backTo where a rejected comment returns to */
export function targetOf(state: string, decision: AuditDecision, backTo: string): string {
  if (decision === 'unsure') return state;
  if (decision === 'reject') return 'REJECTED';
  if (isVisibleState(state)) return state;
  return state === 'REJECTED' && isVisibleState(backTo) ? backTo : 'APPROVED';
}

async function prepareReAudit(
  on: Queryable,
  configured: Configured,
  comment: Comment,
  cause: string,
): Promise<{ context: ReAuditContext; rulebookVersion: number }> {
  const order = (await readOrders(on, [cause])).get(cause) ?? null;
  // A batch goes by the policies as they were when it was started, however they change meanwhile.
  const { version, policies } = await configured.policies(on, order?.rulebookVersion);
  const site = (await configured.sites(on)).get(comment.site);
  const policy = findPolicy(policies, site?.policy ?? 'default');
  return {
    context: {
      ...{ of: await readCase(on, comment, policy, site), policy, order },
      ask: (await configured.hand(policy.model))?.ask ?? null,
      inScope: order !== null && (await isInScope(on, comment.id, order, version)),
      backTo: await restoreTarget(on, comment),
    },
    rulebookVersion: version,
  };
}

async function saveReAudited(tx: Tx, one: Done<Comment, ReAudited>): Promise<void> {
  const { item, run, result, cause, rulebookVersion } = one;
  const { verdict, to, proposed } = result;
  const { id, state, contentVersion } = item;
  await saveVerdicts(tx, [{ ...verdict, comment: id, run, contentVersion, rulebookVersion, cause }]);
  if (proposed || to === state) {
    const reason = proposed ? 'comments.proposed' : 'comments.re_audited';
    await recordNotes(tx, commentMachine as unknown as Machine, [{ item: id, actor: 'ai', reason, run }]);
    await tx.query('delete from comments_suggestion where comment = $1', [id]);
    if (to !== state) await saveSuggestion(tx, one);
    return;
  }
  await tx.query(
    `update comments_comment
        set taken_from = $2, decided_cv = null
      where id = $1`,
    [id, to === 'REJECTED' ? restingStateOf(state) : null],
  );
  await tx.query('delete from comments_suggestion where comment = $1', [id]);
  if (state === 'AUDIT_FAILED') await closeDeadLetters(tx, [id], cause);
  await recordEvents(tx, await changeSight(tx, item, { state: to, contentVersion }, 'ai', 'replay'));
}

/** The newest suggestion takes the place of an older one. */
async function saveSuggestion(tx: Tx, { item, run, result, cause, rulebookVersion }: Done<Comment, ReAudited>) {
  const { decision, reasons, by, model } = result.verdict;
  await tx.query(
    `insert into comments_suggestion (comment, content_version, run, cause, decision, to_state, reasons, made_by, model, rulebook_version, at)
     values ($1, $2, $3, $4, $5, $6, $7::jsonb, $8, $9, $10, now_here())`,
    [
      ...[item.id, item.contentVersion, run, cause, decision, result.to, storableJson(reasons), by, model],
      rulebookVersion,
    ],
  );
}
