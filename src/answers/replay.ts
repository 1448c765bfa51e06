import { readRulebook } from '../core/rulebook.ts';
import type { AnyStage } from '../jobs/stage.ts';
import type { Draft, Preview, ReplayAction, ReplayItem, Scope } from '../replay/index.ts';
import type { Queryable } from '../storage/database.ts';
import { type BrandTable, parseBrands } from './brands.ts';
import { BRANDS_SECTION, CLEAN_STAGE, type CleanDeps } from './pipeline.ts';
import { reClean } from './re-clean.ts';
import { checkScope, IN_SCOPE, SCOPE_PARAMS, scopeParams } from './replay-scope.ts';
import { measureBrands, tryBrands } from './try-brands.ts';

/**
 * Re-cleaning as an action of replay: stored answers read again by the brands as they are (or, for a trial and a
 * measurement, as somebody drafts them: `{brands: […]}`, as in brands.yaml). No model, no platform is asked.
 */
export function reCleanAction(deps: Pick<CleanDeps, 'readRaw'> & { readonly stage: AnyStage }): ReplayAction {
  const params = async (on: Queryable, scope: Scope) => scopeParams(scope, await versionOfBrands(on));
  return {
    service: 'answers',
    name: 're-clean',
    stage: deps.stage,
    modes: ['apply'],
    check: ({ scope }) => checkScope(scope),
    lastId: async (on, scope) => {
      const { rows } = await on.query<{ id: string }>(
        `select t.id from answers_sample t where ${IN_SCOPE} order by t.id desc limit 1`,
        await params(on, scope),
      );
      return rows[0]?.id ?? null;
    },
    page: async (on, scope, after, upTo, limit) => {
      const [a, b, c] = [1, 2, 3].map((n) => `$${SCOPE_PARAMS + n}`);
      const { rows } = await on.query<ReplayItem>(
        `select t.id, t.content_version as "contentVersion" from answers_sample t
          where ${IN_SCOPE} and (${a}::uuid is null or t.id > ${a}) and t.id <= ${b}::uuid order by t.id limit ${c}`,
        [...(await params(on, scope)), after, upTo, limit],
      );
      return rows;
    },
    preview: async (on, { scope }) => previewOf(on, await params(on, scope)),
    rulebookVersion: versionOfBrands,
    enqueue: (tx, boss, samples, { batch, includeHuman }) =>
      reClean(tx, boss, { samples, batch, includeDecided: includeHuman }),
    idsOf: async (on, items) => {
      const { rows } = await on.query<{ id: string }>(
        'select clean_task_id as id from answers_sample where id = any($1::uuid[]) order by id',
        [items],
      );
      return rows.map(({ id }) => id);
    },
    trial: async (on, scope, n, draft) => {
      const { rows } = await on.query<{ id: string }>(
        `select t.id from answers_sample t where ${IN_SCOPE} order by t.id desc limit $${SCOPE_PARAMS + 1}`,
        [...(await params(on, scope)), n],
      );
      const ids = rows.map(({ id }) => id);
      return tryBrands(on, deps.readRaw, ids, await brandsOf(on, draft));
    },
    measure: async (on, draft) => measureBrands(on, deps.readRaw, await brandsOf(on, draft)),
  };
}

const NONE = { brands: [] };

const versionOfBrands = async (on: Queryable): Promise<number> =>
  (await readRulebook(on, BRANDS_SECTION, NONE)).version;

async function brandsOf(on: Queryable, draft: Draft): Promise<BrandTable> {
  return parseBrands(draft ?? (await readRulebook(on, BRANDS_SECTION, NONE)).content);
}

async function previewOf(on: Queryable, params: unknown[]): Promise<Preview> {
  const version = `$${SCOPE_PARAMS + 1}`;
  const { rows } = await on.query<{ items: number; decided: number; stale: number }>(
    `select count(*)::int as items,
            (count(*) filter (where t.revision > 1 and exists (
               select from answers_finding f where f.sample = t.id and not f.withdrawn and f.set_aside_by is null)))::int as decided,
            (count(*) filter (where exists (
               select from clean_result r where r.clean_task_id = t.clean_task_id
                  and r.rulebook_version < ${version}::int)))::int as stale
       from answers_sample t where ${IN_SCOPE}`,
    [...params, await versionOfBrands(on)],
  );
  const { items, decided, stale } = rows[0]!;
  return {
    items,
    human_decided: decided,
    human_edited: 0,
    stale,
    moves: {},
    stages: [CLEAN_STAGE],
    model_calls: 0,
    tokens: 0,
    cost: { low: 0, high: 0 },
    warnings: items > 0 && stale === 0 ? ['every result in scope was made by the brands as they are'] : [],
  };
}
