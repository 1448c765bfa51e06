import { uuid5 } from '../core/ids.ts';
import { CodedError } from '../errors/coded-error.ts';
import { enqueue } from '../jobs/enqueue.ts';
import type { AnyStage } from '../jobs/stage.ts';
import type { Order, ReplayAction, ReplayItem, Scope } from '../replay/index.ts';
import type { Queryable } from '../storage/database.ts';
import type { Configured } from './configured.ts';
import type { FileDeps } from './extract-text-stage.ts';
import { type Price, previewReplay } from './preview-replay.ts';
import { giveUpAgain, putFailedBack } from './put-back.ts';
import { checkScope, IN_SCOPE, SCOPE_PARAMS, scopeParams } from './replay-scope.ts';
import { type Again, stageOf } from './replay-stage.ts';
import { measureTypes, tryTypes } from './try-types.ts';

export interface ActionDeps extends FileDeps {
  readonly configured: Configured & { price(on: Queryable): Promise<Price> };
  readonly stage: AnyStage;
  /** The stages of fresh documents: one that failed goes on there. */
  readonly besides: readonly AnyStage[];
}

/** What may become of the results. */
const MODES: Readonly<Record<Again, readonly string[]>> = {
  're-read': ['apply', 'propose'],
  're-classify': ['apply', 'propose'],
  're-extract': ['replace', 'fill_empty', 'propose'],
};

/** The working states whose work is done again. */
const STEPS: Readonly<Record<Again, readonly string[]>> = {
  're-read': ['uploaded', 'extracting_text'],
  're-classify': ['classifying'],
  're-extract': ['extracting_fields'],
};

/** One step of documents at rest, with all that is made of it, as an action of replay. */
export function documentAction(again: Again, deps: ActionDeps): ReplayAction {
  const { configured } = deps;
  const params = async (on: Queryable, scope: Scope) =>
    scopeParams(scope, STEPS[again], (await configured.types(on)).version);
  return {
    service: 'documents',
    name: again,
    stage: deps.stage,
    besides: deps.besides,
    modes: MODES[again],
    check: (order) => {
      checkScope(order.scope);
      if (again === 're-read') refuseUnconfirmed(order);
    },
    lastId: async (on, scope) => {
      const { rows } = await on.query<{ id: string }>(
        `select t.id from documents_document t where ${IN_SCOPE} order by t.id desc limit 1`,
        await params(on, scope),
      );
      return rows[0]?.id ?? null;
    },
    page: async (on, scope, after, upTo, limit) => {
      const [a, b, c] = [1, 2, 3].map((n) => `$${SCOPE_PARAMS + n}`);
      const { rows } = await on.query<ReplayItem>(
        `select t.id, t.content_version as "contentVersion" from documents_document t
          where ${IN_SCOPE} and (${a}::uuid is null or t.id > ${a}) and t.id <= ${b}::uuid order by t.id limit ${c}`,
        [...(await params(on, scope)), after, upTo, limit],
      );
      return rows;
    },
    preview: async (on, order) =>
      previewReplay(on, order, await params(on, order.scope), {
        again,
        version: (await configured.types(on)).version,
        hand: await configured.hand(on),
        price: await configured.price(on),
      }),
    rulebookVersion: async (on) => (await configured.types(on)).version,
    enqueue: async (tx, boss, page, order) => {
      const failed = await failedAmong(tx, page);
      await putFailedBack(tx, boss, [...failed], order);
      const resting = page.filter(({ id }) => !failed.has(id));
      await enqueue(
        tx,
        boss,
        resting.map(({ id, contentVersion }) => ({
          queue: stageOf(again),
          id: uuid5(order.batch, id, stageOf(again)),
          data: { item: id, cv: contentVersion, cause: order.batch, lane: 'batch' as const },
        })),
      );
    },
    takeBack: giveUpAgain,
    idsOf: async (_on, items) => [...items].sort(),
    trial: async (on, scope, n, draft) => {
      const { rows } = await on.query<{ id: string }>(
        `select t.id from documents_document t where ${IN_SCOPE} and t.state <> 'failed' order by t.id desc limit $${SCOPE_PARAMS + 1}`,
        [...(await params(on, scope)), n],
      );
      return tryTypes(
        on,
        again,
        deps,
        rows.map(({ id }) => id),
        draft,
      );
    },
    measure: (on, draft) => measureTypes(on, deps, draft),
  };
}

async function failedAmong(on: Queryable, page: readonly ReplayItem[]): Promise<ReadonlySet<string>> {
  const { rows } = await on.query<{ id: string }>(
    `select id from documents_document where id = any($1::uuid[]) and state = 'failed'`,
    [page.map(({ id }) => id)],
  );
  return new Set(rows.map(({ id }) => id));
}

export const CASCADE_UNCONFIRMED = 'replay.cascade_unconfirmed';

/** Reading again is the furthest upstream: more than one document at a time, or those that failed, is to be said aloud. */
function refuseUnconfirmed({ scope, confirmCascade }: Order): void {
  if (confirmCascade || 'failed' in scope || ('ids' in scope && scope.ids.length === 1)) return;
  const detail = { field: 'confirm_cascade', cascades_into: ['type', 'fields'] };
  const message = 'reading text again replaces type and fields as well: confirm_cascade says that this is meant';
  throw new CodedError(CASCADE_UNCONFIRMED, 'permanent', message, { detail });
}
