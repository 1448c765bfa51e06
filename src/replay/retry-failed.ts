import { CodedError } from '../errors/coded-error.ts';
import type { Queryable } from '../storage/database.ts';
import type { Preview, ReplayAction } from './action.ts';
import { type BatchDeps, batchUnknown, startBatch } from './batches.ts';
import { readOrders } from './orders.ts';

export const NOTHING_FAILED = 'replay.nothing_failed';
/** Items that one retry takes up; the rest is for the next. */
const MOST = 10_000;

/**
 * Starts a batch over those items of another whose last run failed, with the same action and mode, by the rules as they
 * are now.
 * @throws CodedError `replay.batch_unknown`, `replay.nothing_failed`
 */
export async function retryFailed(
  deps: BatchDeps,
  actionOf: (which: { service: string; action: string }) => ReplayAction,
  batch: string,
  startedBy: string,
): Promise<{ batch: string; preview: Preview }> {
  const { database } = deps;
  const { rows } = await database.query<{ service: string; action: string }>(
    'select service, action from replay_batch where id = $1',
    [batch],
  );
  const order = (await readOrders(database, [batch])).get(batch);
  if (!rows[0] || !order) throw batchUnknown(batch);
  const action = actionOf(rows[0]);
  const failed = await failedItems(database, batch);
  if (!failed.length) throw new CodedError(NOTHING_FAILED, 'permanent', 'no item of this batch failed');
  const scope = { ids: await action.idsOf(database, failed) };
  return startBatch(deps, { ...order, scope, action, force: false, startedBy });
}

async function failedItems(on: Queryable, batch: string): Promise<string[]> {
  const { rows } = await on.query<{ item: string }>(
    `select item from (
       select distinct on (item) item, outcome from run
        where cause = $1 and cause not in ('live', 'edit') order by item, ended_at desc, attempt desc) last
      where outcome = 'failed' order by item limit $2`,
    [batch, MOST],
  );
  return rows.map(({ item }) => item);
}
