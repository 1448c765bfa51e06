import type { PgBoss } from 'pg-boss';
import { CodedError } from '../errors/coded-error.ts';
import { retryQueue } from '../jobs/disposition.ts';
import type { Done, Stage, StageItem } from '../jobs/stage.ts';
import type { Queryable, Tx } from '../storage/database.ts';
import { quoteIdentifier } from '../storage/quote.ts';
import { type BatchOrder, findAction, type ReplayAction, type ReplayItem } from './action.ts';
import { batchMachine } from './machine.ts';
import { ORDER } from './orders.ts';

export const DISPATCH_STAGE = 'replay.dispatch';
/** Ids a page: their jobs are one insert. */
export const PAGE = 1_000;
export const WAITING = 'replay.waiting';

export interface Batch extends StageItem, BatchOrder {
  readonly service: string;
  readonly action: string;
  readonly upTo: string | null;
  readonly cursor: string | null;
}

/** Seconds between two looks while calls of models are outstanding; what only waits for the last ones looks sooner. */
const WAIT_FOR_ROOM = 10;
const WAIT_FOR_END = 2;

/** One page to be enqueued; null when everything has come to its end. */
type Page = readonly ReplayItem[] | null;

export interface DispatchDeps {
  readonly boss: PgBoss;
  /** The schema of the queue's tables. */
  readonly jobsSchema: string;
  readonly actions: readonly ReplayAction[];
  readonly pageSize?: number;
}

/**
 * Brings a batch to its end page by page: each claim enqueues one keyset page and the next claim in one transaction, or
 * waits while enough is outstanding, so that what is paused or cancelled stops soon and people and fresh input go first.
 * A page is a content version of the batch, so that a claim delivered twice is superseded and adds nothing.
 */
export function dispatchStage(deps: DispatchDeps): Stage<typeof batchMachine, Batch, Page, Queryable> {
  const pageSize = deps.pageSize ?? PAGE;
  return {
    name: DISPATCH_STAGE,
    machine: batchMachine,
    from: ['running'],
    actor: 'system',
    batch: 1,
    concurrency: 1,
    expireSeconds: 60,
    retry: { transient: () => 10, baseSeconds: 5, lost: 100 },
    givenUp: 'failed',
    load: loadBatches,
    prepare: async (on) => ({ context: on, rulebookVersion: null }),
    work: async (batch, { walk, context: on }) => {
      const action = actionOf(deps.actions, batch);
      const outstanding = await countOutstanding(on, deps.jobsSchema, action, batch.id);
      const page = batch.upTo === null ? [] : await action.page(on, batch.scope, batch.cursor, batch.upTo, pageSize);
      if (page.length ? outstanding >= mostOutstanding(action) : outstanding > 0) {
        throw new CodedError(WAITING, 'postponed', `${outstanding} jobs of this batch are outstanding`, {
          retryAfterSeconds: action.stage.batch > 1 ? 1 : page.length ? WAIT_FOR_ROOM : WAIT_FOR_END,
        });
      }
      if (page.length) return page;
      walk.take({ from: 'running', to: 'done' });
      return null;
    },
    save: async (tx, done) => {
      for (const one of done) await dispatchPage(tx, deps, one);
    },
    after: (batch, page) =>
      page === null
        ? {}
        : {
            next: [{ stage: DISPATCH_STAGE, item: batch.id, contentVersion: batch.contentVersion + 1, lane: 'batch' }],
          },
    inputRef: (batch) => `replay_batch:${batch.id}`,
  };
}

/** Twice what can be at work at once in one process. */
const mostOutstanding = ({ stage }: ReplayAction): number => 2 * stage.concurrency * stage.batch;

function actionOf(actions: readonly ReplayAction[], { service, action }: Batch): ReplayAction {
  const found = findAction(actions, service, action);
  if (!found) throw new CodedError('replay.action_unknown', 'permanent', `there is no action ${service} ${action}`);
  return found;
}

export async function loadBatches(on: Queryable, ids: readonly string[]): Promise<Batch[]> {
  const { rows } = await on.query<Batch>(
    `select id, state, version, content_version as "contentVersion", service, action, up_to as "upTo", cursor, ${ORDER}
       from replay_batch where id = any($1::uuid[])`,
    [ids],
  );
  return rows;
}

async function dispatchPage(tx: Tx, deps: DispatchDeps, { item, result }: Done<Batch, Page>): Promise<void> {
  if (result === null) return;
  await actionOf(deps.actions, item).enqueue(tx, deps.boss, result, item);
  await tx.query(
    `update replay_batch set cursor = $2, dispatched = dispatched + $3, content_version = content_version + 1
      where id = $1`,
    [item.id, result.at(-1)!.id, result.length],
  );
}

/**
 * The jobs of a batch that are not over, counted up to what may be outstanding. The states are written out as in the
 * library's index of live jobs: finished ones stay in the table for an hour and would be read each time.
 */
async function countOutstanding(
  on: Queryable,
  jobsSchema: string,
  action: ReplayAction,
  batch: string,
): Promise<number> {
  const { rows } = await on.query<{ n: number }>(
    `select count(*)::int as n from (
       select from ${quoteIdentifier(jobsSchema)}.job
        where name = any($1::text[]) and state in ('created', 'retry', 'active') and data ->> 'cause' = $2
        limit $3) outstanding`,
    [queuesOf(action), batch, mostOutstanding(action)],
  );
  return rows[0]!.n;
}

const queuesOf = ({ stage, besides = [] }: ReplayAction): string[] =>
  [stage, ...besides].flatMap(({ name }) => [name, retryQueue(name)]);
