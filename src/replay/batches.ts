import type { PgBoss } from 'pg-boss';
import type { NewId } from '../core/ids.ts';
import { recordBirths } from '../core/journal.ts';
import { type Machine, mayMove } from '../core/machine.ts';
import { move } from '../core/move.ts';
import { CodedError } from '../errors/coded-error.ts';
import { retryQueue } from '../jobs/disposition.ts';
import { enqueue } from '../jobs/enqueue.ts';
import type { Database, Queryable, Tx } from '../storage/database.ts';
import { quoteIdentifier } from '../storage/quote.ts';
import { findAction, type Order, type Preview, type ReplayAction, type ReplayItem } from './action.ts';
import { DISPATCH_STAGE } from './dispatch.ts';
import { batchMachine } from './machine.ts';
import type { Scope } from './scope.ts';

export const ALREADY_RUNNING = 'replay.already_running';
export const BATCH_UNKNOWN = 'replay.batch_unknown';
export const NOT_POSSIBLE = 'replay.not_possible';

export interface BatchDeps {
  readonly database: Database;
  readonly boss: PgBoss;
  readonly jobsSchema: string;
  readonly newId: NewId;
}

export interface NewBatch extends Order {
  readonly action: ReplayAction;
  /** Start although the same action runs over the same scope. */
  readonly force: boolean;
  readonly startedBy: string;
}

/**
 * Starts a batch: its row with what the person was shown, its journal and its first dispatcher are one transaction; the
 * request itself touches no item.
 * @throws CodedError `replay.already_running` (detail: batch) unless forced
 */
export async function startBatch(deps: BatchDeps, order: NewBatch): Promise<{ batch: string; preview: Preview }> {
  const { action, scope } = order;
  action.check(order);
  const preview = await action.preview(deps.database, order);
  const upTo = await action.lastId(deps.database, scope);
  const rulebookVersion = await action.rulebookVersion(deps.database);
  const batch = deps.newId();
  await deps.database.transaction(async (tx) => {
    if (!order.force) await refuseSecond(tx, action, scope);
    await tx.query(
      `insert into replay_batch (id, state, version, state_since, service, action, scope, include_human, up_to,
              rulebook_version, preview, started_by, mode, confirm_cascade, created_at)
       values ($1, 'running', 1, now_here(), $2, $3, $4::jsonb, $5, $6, $7, $8::jsonb, $9, $10, $11, now_here())`,
      [
        batch,
        action.service,
        action.name,
        JSON.stringify(scope),
        order.includeHuman,
        upTo,
        rulebookVersion,
        JSON.stringify(preview),
        order.startedBy,
        order.mode,
        order.confirmCascade,
      ],
    );
    await recordBirths(tx, machine, [{ item: batch, state: 'running', actor: 'human', actorId: order.startedBy }]);
    await enqueueDispatcher(tx, deps.boss, batch, 1);
  });
  return { batch, preview };
}

const machine = batchMachine as unknown as Machine;

async function refuseSecond(tx: Tx, { service, name }: ReplayAction, scope: Scope): Promise<void> {
  // Two starts at once take turns.
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('replay:' || $1, 0))`, [`${service}.${name}`]);
  const { rows } = await tx.query<{ id: string }>(
    `select id from replay_batch where service = $1 and action = $2 and scope = $3::jsonb and state in ('running', 'paused')
      order by id limit 1`,
    [service, name, JSON.stringify(scope)],
  );
  if (!rows[0]) return;
  const detail = { batch: rows[0].id };
  throw new CodedError(ALREADY_RUNNING, 'permanent', 'the same action runs over the same scope', { detail });
}

const enqueueDispatcher = (tx: Tx, boss: PgBoss, item: string, cv: number) =>
  enqueue(tx, boss, [{ queue: DISPATCH_STAGE, data: { item, cv, cause: 'live', lane: 'batch' } }]);

export type Steering = 'pause' | 'resume' | 'cancel';
const TARGET = { pause: 'paused', resume: 'running', cancel: 'cancelled' } as const;

/**
 * Holds a batch, lets it go on, or ends it. Items that are at work end; those that wait are taken back when it is
 * cancelled, and wait on while it is paused no longer than what was outstanding. The same order twice changes nothing.
 * @throws CodedError `replay.batch_unknown`, `replay.not_possible` (detail: state)
 */
export async function steerBatch(
  deps: BatchDeps & { readonly actions: readonly ReplayAction[] },
  batch: string,
  steering: Steering,
  actorId: string,
): Promise<{ batch: string; state: string }> {
  return deps.database.transaction(async (tx) => {
    const { rows } = await tx.query<{ state: string; version: number; page: number; service: string; action: string }>(
      `select state, version, content_version as page, service, action from replay_batch
        where id = $1 for no key update`,
      [batch],
    );
    const found = rows[0];
    if (!found) throw batchUnknown(batch);
    const to = TARGET[steering];
    if (found.state === to) return { batch, state: to };
    if (!mayMove(machine, found.state, to, 'human')) {
      const detail = { state: found.state };
      throw new CodedError(NOT_POSSIBLE, 'permanent', `a batch that is ${found.state} cannot be ${to}`, { detail });
    }
    const steps = [{ from: found.state, to }];
    await move(tx, machine, [{ item: batch, version: found.version, steps, actor: 'human', actorId }]);
    if (steering === 'resume') await enqueueDispatcher(tx, deps.boss, batch, found.page);
    if (steering === 'cancel') await takeBack(tx, deps, batch, findAction(deps.actions, found.service, found.action));
    return { batch, state: to };
  });
}

export const batchUnknown = (batch: string): CodedError =>
  new CodedError(BATCH_UNKNOWN, 'permanent', `there is no batch '${batch}'`);

/**
 * Removes the batch's jobs that nobody has claimed. Each is a request and no more where its item is at rest; where the
 * batch has put it back to a step, the action gives it up again.
 */
async function takeBack(
  tx: Tx,
  { jobsSchema }: BatchDeps,
  batch: string,
  action: ReplayAction | undefined,
): Promise<void> {
  const { rows } = await tx.query<ReplayItem & { readonly queue: string }>(
    `delete from ${quoteIdentifier(jobsSchema)}.job where state in ('created', 'retry') and data ->> 'cause' = $1
     returning name as queue, data ->> 'item' as id, (data ->> 'cv')::int as "contentVersion"`,
    [batch],
  );
  const besides = new Set(action?.besides?.flatMap(({ name }) => [name, retryQueue(name)]));
  await action?.takeBack?.(
    tx,
    rows.filter(({ queue }) => besides.has(queue)),
  );
}

export interface BatchState {
  readonly batch: string;
  readonly service: string;
  readonly action: string;
  readonly scope: Scope;
  readonly state: string;
  readonly state_since: Date;
  readonly mode: string;
  readonly include_human: boolean;
  readonly rulebook_version: number | null;
  readonly started_by: string;
  readonly created_at: Date;
  readonly preview: Preview;
  /** Items whose jobs were enqueued so far. */
  readonly dispatched: number;
  /** Outcome of the last run → items. */
  readonly progress: Readonly<Record<string, number>>;
}

/** Where a batch is: its progress is counted from the runs that it caused. Throws `replay.batch_unknown`. */
export async function readBatch(on: Queryable, batch: string): Promise<BatchState> {
  const { rows } = await on.query<BatchState>(
    `select b.id as batch, service, action, scope, state, state_since, mode, include_human, rulebook_version, started_by, created_at,
            preview, dispatched, coalesce(p.progress, '{}') as progress
       from replay_batch b left join lateral (
         select jsonb_object_agg(outcome, n) as progress from (
           select outcome, count(*) as n from (
             select distinct on (item) item, outcome from run
              where cause = b.id::text and cause not in ('live', 'edit') order by item, ended_at desc, attempt desc) last
            group by outcome) counted) p on true
      where b.id = $1`,
    [batch],
  );
  if (!rows[0]) throw batchUnknown(batch);
  return rows[0];
}
