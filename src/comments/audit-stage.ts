import type { PgBoss } from 'pg-boss';
import type { Stage } from '../jobs/stage.ts';
import type { AskModel } from '../models/index.ts';
import type { Queryable } from '../storage/database.ts';
import type { Case, Verdict } from './audit.ts';
import { auditInBudget, failedVerdict } from './audit-failure.ts';
import { beginReply, type ReplyMeans } from './begin-reply.ts';
import { type Comment, loadComments } from './comment.ts';
import type { Configured } from './configure.ts';
import { countedAsk } from './counted-ask.ts';
import { publishedEvent } from './events.ts';
import { commentMachine } from './machine.ts';
import { findPolicy, type Policy } from './policy.ts';
import { AUDIT_STAGE } from './post-comment.ts';
import { readCase } from './read-case.ts';
import { saveVerdicts } from './save-verdicts.ts';

/** What one audit goes by. Its stage takes one job a claim, so it is about one comment. */
export interface AuditContext {
  readonly of: Case;
  readonly policy: Policy;
  readonly ask: AskModel | null;
  readonly means: ReplyMeans;
}

interface Audited {
  readonly verdict: Verdict;
  readonly means: ReplyMeans;
}

const TARGET = { approve: 'APPROVED', reject: 'REJECTED', unsure: 'AUDIT_FAILED' } as const;

/**
 * The audit of what came in or was edited. Whatever fails ends in AUDIT_FAILED, in the queue of people: no comment is ever
 * shown because something failed.
 */
export function auditStage(deps: {
  readonly boss: PgBoss;
  readonly configured: Configured;
}): Stage<typeof commentMachine, Comment, Audited, AuditContext> {
  const { boss, configured } = deps;
  return {
    name: AUDIT_STAGE,
    machine: commentMachine,
    from: ['PENDING'],
    actor: 'ai',
    batch: 1,
    concurrency: 4,
    expireSeconds: 600,
    retry: { transient: () => 2, baseSeconds: 30, lost: 3 },
    givenUp: 'AUDIT_FAILED',
    load: loadComments,
    prepare: (on, items) => prepareAudit(on, configured, items[0]!),
    work: async (comment, { walk, context, cause, signal, spend }) => {
      const { of, policy, ask, means } = context;
      const counted = ask && countedAsk(ask, { signal, requestKey: `${comment.id}:${cause}` }, spend);
      const verdict = await auditInBudget(of, policy, counted);
      walk.take({ from: 'PENDING', to: TARGET[verdict.decision] });
      return { verdict, means };
    },
    save: async (tx, done) => {
      for (const { item, run, result, cause, rulebookVersion } of done) {
        const { id: comment, contentVersion } = item;
        await saveVerdicts(tx, [{ ...result.verdict, comment, run, contentVersion, rulebookVersion, cause }]);
        if (result.verdict.decision !== 'approve') continue;
        await tx.query('update comments_comment set published_at = coalesce(published_at, now_here()) where id = $1', [
          comment,
        ]);
        await beginReply(tx, boss, comment, { ...result.means, cause });
      }
    },
    after: (comment, { verdict }) => ({
      events: verdict.decision === 'approve' ? [publishedEvent(comment, 'live')] : [],
    }),
    saveGivenUp: (tx, items) =>
      saveVerdicts(
        tx,
        items.map(({ item, run, code }) => ({
          ...{ comment: item.id, run, contentVersion: item.contentVersion, rulebookVersion: null, cause: 'live' },
          ...failedVerdict(code),
        })),
      ),
    inputRef: ({ id, contentVersion }) => `comments_comment:${id}/${contentVersion}`,
  };
}

async function prepareAudit(
  on: Queryable,
  configured: Configured,
  comment: Comment,
): Promise<{ context: AuditContext; rulebookVersion: number }> {
  const { version, policies } = await configured.policies(on);
  const site = (await configured.sites(on)).get(comment.site);
  const policy = findPolicy(policies, site?.policy ?? 'default');
  const hand = await configured.hand(policy.model);
  return {
    context: {
      of: await readCase(on, comment, policy, site),
      policy,
      ask: hand?.ask ?? null,
      means: { site, hasModel: await hasReplyModel(configured, site) },
    },
    rulebookVersion: version,
  };
}

/** A model that is configured nowhere answers nobody; that is no failure of the audit. */
export const hasReplyModel = async (configured: Configured, site: ReplyMeans['site']): Promise<boolean> =>
  site?.auto_reply === true && (await configured.hand(site.reply_model).catch(() => null)) !== null;
