import type { Change, Draft, Measurement, Trial } from '../replay/index.ts';
import type { Queryable } from '../storage/database.ts';
import { audit, type Verdict } from './audit.ts';
import { type Comment, loadComments } from './comment.ts';
import type { Configured } from './configure.ts';
import { findPolicy, type Policy, parsePolicies } from './policy.ts';
import { isDecided, targetOf } from './re-audit-stage.ts';
import { readCase } from './read-case.ts';
import { restoreTarget } from './restore-target.ts';

type Policies = ReadonlyMap<string, Policy>;

/** The policies as somebody drafts them (`{items: […]}`, or one policy alone), or as they are. */
async function policiesOf(on: Queryable, configured: Configured, draft: Draft): Promise<Policies> {
  if (draft === undefined) return (await configured.policies(on)).policies;
  return parsePolicies('items' in draft ? draft : { items: [draft] });
}

async function verdictOf(
  on: Queryable,
  configured: Configured,
  comment: Comment,
  policies: Policies,
): Promise<Verdict> {
  const site = (await configured.sites(on)).get(comment.site);
  const policy = findPolicy(policies, site?.policy ?? 'default');
  const hand = await configured.hand(policy.model);
  return audit(await readCase(on, comment, policy, site), policy, hand?.ask ?? null);
}

/** What the machine said of it last. */
async function lastDecision(on: Queryable, { id, contentVersion }: Comment): Promise<string | null> {
  const { rows } = await on.query<{ decision: string }>(
    `select decision from comments_verdict where comment = $1 and content_version = $2 order by at desc, run desc limit 1`,
    [id, contentVersion],
  );
  return rows[0]?.decision ?? null;
}

/** Audits comments by the policies as drafted and says what would differ. Nothing is written. */
export async function tryPolicies(
  on: Queryable,
  configured: Configured,
  ids: readonly string[],
  draft: Draft,
): Promise<Trial> {
  const policies = await policiesOf(on, configured, draft);
  const moves: Record<string, number> = {};
  const by_field: Record<string, number> = {};
  const changes: Change[] = [];
  const note = (id: string, field: string, before: unknown, after: unknown) => {
    if (before === after) return;
    changes.push({ id, of: null, field, before, after });
    by_field[field] = (by_field[field] ?? 0) + 1;
  };
  let tried = 0;
  for (const comment of await loadComments(on, ids)) {
    if (isDecided(comment)) continue;
    tried += 1;
    const { id, state } = comment;
    const { decision } = await verdictOf(on, configured, comment, policies);
    const to = targetOf(state, decision, await restoreTarget(on, comment));
    if (to !== state) moves[`${state} → ${to}`] = (moves[`${state} → ${to}`] ?? 0) + 1;
    note(id, 'decision', await lastDecision(on, comment), decision);
    note(id, 'state', state, to);
  }
  return { tried, changed_items: new Set(changes.map(({ id }) => id)).size, moves, by_field, changes };
}

/** Comments that one measurement looks at: those that people decided about last. */
const MEASURED = 500;

/**
 * Holds the policies as drafted, and those in force, against what people decided: how often each says the same. Keys:
 * `decision`, and `decision:approve` and `decision:reject` by what people said. Unsure is neither.
 */
export async function measurePolicies(on: Queryable, configured: Configured, draft: Draft): Promise<Measurement> {
  const now = await policiesOf(on, configured, undefined);
  const then = await policiesOf(on, configured, draft);
  const labels = await readLabels(on);
  const fields: Record<string, { labels: number; before: number; after: number }> = {};
  const changes: (Change & { label: unknown })[] = [];
  for (const comment of await loadComments(on, [...labels.keys()])) {
    const label = labels.get(comment.id)!;
    const before = (await verdictOf(on, configured, comment, now)).decision;
    const after = draft === undefined ? before : (await verdictOf(on, configured, comment, then)).decision;
    for (const key of ['decision', `decision:${label}`]) {
      fields[key] ??= { labels: 0, before: 0, after: 0 };
      fields[key].labels += 1;
      fields[key].before += before === label ? 1 : 0;
      fields[key].after += after === label ? 1 : 0;
    }
    if ((before === label) !== (after === label)) {
      changes.push({ id: comment.id, of: null, field: 'decision', before, after, label });
    }
  }
  return { fields, changes };
}

/** Comment → what a person decided about what it says now. */
async function readLabels(on: Queryable): Promise<Map<string, 'approve' | 'reject'>> {
  const { rows } = await on.query<{ id: string; said: 'approve' | 'reject' }>(
    `select id, said from (
       select distinct on (x.comment) x.comment as id, case when x.decision = 'reject' then 'reject' else 'approve' end as said,
              x.decided_at
         from comments_decision x join comments_comment c on c.id = x.comment and c.content_version = x.content_version
        where x.undone_at is null and x.decision <> 'reaudit' and c.state <> 'DELETED' and c.author_kind = 'visitor'
        order by x.comment, x.revision desc) newest
      order by decided_at desc limit ${MEASURED}`,
  );
  return new Map(rows.map(({ id, said }) => [id, said]));
}
