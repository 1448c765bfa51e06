import { uuid5 } from '../core/ids.ts';
import { enqueue } from '../jobs/enqueue.ts';
import type { AnyStage } from '../jobs/stage.ts';
import type { Order, Preview, ReplayAction, ReplayItem, Scope } from '../replay/index.ts';
import type { Queryable } from '../storage/database.ts';
import type { Configured } from './configure.ts';
import { RE_AUDIT_STAGE } from './re-audit-stage.ts';
import { checkScope, IN_SCOPE, NEWEST_VERDICT, SCOPE_PARAMS, scopeParams } from './replay-scope.ts';
import { measurePolicies, tryPolicies } from './try-policies.ts';

/** The audit of comments at rest, as an action of replay. What it would move, it proposes unless it is told to do it. */
export function reAuditAction({
  configured,
  stage,
}: {
  readonly configured: Configured;
  readonly stage: AnyStage;
}): ReplayAction {
  const params = async (on: Queryable, scope: Scope) => scopeParams(scope, (await configured.policies(on)).version);
  const ids = async (on: Queryable, scope: Scope, limit: number): Promise<string[]> => {
    const { rows } = await on.query<{ id: string }>(
      `select t.id from comments_comment t where ${IN_SCOPE} order by t.id desc limit $${SCOPE_PARAMS + 1}`,
      [...(await params(on, scope)), limit],
    );
    return rows.map(({ id }) => id);
  };
  return {
    service: 'comments',
    name: 're-audit',
    stage,
    modes: ['propose', 'apply'],
    check: ({ scope }) => checkScope(scope),
    lastId: async (on, scope) => (await ids(on, scope, 1))[0] ?? null,
    page: async (on, scope, after, upTo, limit) => {
      const [a, b, c] = [1, 2, 3].map((n) => `$${SCOPE_PARAMS + n}`);
      const { rows } = await on.query<ReplayItem>(
        `select t.id, t.content_version as "contentVersion" from comments_comment t
          where ${IN_SCOPE} and (${a}::uuid is null or t.id > ${a}) and t.id <= ${b}::uuid order by t.id limit ${c}`,
        [...(await params(on, scope)), after, upTo, limit],
      );
      return rows;
    },
    preview: async (on, order) => previewOf(on, configured, order, await params(on, order.scope)),
    rulebookVersion: async (on) => (await configured.policies(on)).version,
    enqueue: (tx, boss, page, { batch }) =>
      enqueue(
        tx,
        boss,
        page.map(({ id, contentVersion }) => ({
          queue: RE_AUDIT_STAGE,
          id: uuid5(batch, id, RE_AUDIT_STAGE),
          data: { item: id, cv: contentVersion, cause: batch, lane: 'batch' as const },
        })),
      ),
    idsOf: async (_on, items) => [...items].sort(),
    trial: async (on, scope, n, draft) => tryPolicies(on, configured, await ids(on, scope, n), draft),
    measure: (on, draft) => measurePolicies(on, configured, draft),
  };
}

/** What a model reads and writes for one comment, roughly; used to say what a replay may cost, never to bill. */
const PROMPT_TOKENS = 600;
const ANSWER_TOKENS = 80;

interface Counts {
  readonly items: number;
  readonly decided: number;
  readonly stale: number;
  readonly characters: number;
}

async function previewOf(
  on: Queryable,
  configured: Configured,
  { includeHuman, mode }: Order,
  params: readonly unknown[],
): Promise<Preview> {
  const { version, policies } = await configured.policies(on);
  const { rows } = await on.query<Counts>(
    `select count(*)::int as items, (count(*) filter (where t.decided_cv = t.content_version))::int as decided,
            (count(*) filter (where coalesce(n.rulebook_version, -1) < $${SCOPE_PARAMS + 1}::int))::int as stale,
            coalesce(sum(length(t.content)), 0)::int as characters
       from comments_comment t left join lateral ${NEWEST_VERDICT} n on true where ${IN_SCOPE}`,
    [...params, version],
  );
  const { items, decided, stale, characters } = rows[0]!;
  const skipped = includeHuman ? 0 : decided;
  const hand = await configured.hand(policies.get('default')?.model);
  const model_calls = hand === null ? 0 : items - skipped;
  const read = model_calls === 0 ? 0 : model_calls * PROMPT_TOKENS + characters;
  const written = model_calls * ANSWER_TOKENS;
  const high = hand === null ? 0 : Math.ceil((read * hand.model.price_in + written * hand.model.price_out) / 1_000_000);
  const warnings: string[] = [];
  if (items === 0) warnings.push('nothing is in scope');
  else if (stale === 0) warnings.push('every verdict in scope was made by the policies as they are');
  if (mode === 'apply' && items > 0) warnings.push('what is rejected leaves sight at once, with its AI reply');
  if (includeHuman && decided > 0) warnings.push(`what people decided about ${decided} comments is set aside`);
  return {
    items,
    human_decided: decided,
    human_edited: 0,
    stale,
    moves: {},
    stages: [RE_AUDIT_STAGE],
    model_calls,
    tokens: read + written,
    // At the least all is in the cache of answers.
    cost: { low: 0, high },
    warnings,
  };
}
