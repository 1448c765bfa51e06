import { isBatch } from '../jobs/enqueue.ts';
import type { Queryable } from '../storage/database.ts';
import type { BatchOrder } from './action.ts';

/** The columns of a batch that are its order. */
export const ORDER = `id as batch, scope, mode, include_human as "includeHuman", confirm_cascade as "confirmCascade",
  started_by as "startedBy", created_at as "startedAt", rulebook_version as "rulebookVersion", state = 'cancelled' as cancelled`;

/** Why nothing is done about an item of a batch that was ended; what was at work when it was comes back to this when it fails. */
export const CANCELLED = 'replay.cancelled';

/**
 * How the batches among these causes were ordered. A claim asks when it begins, so that every item of a batch is done by
 * the same rules, however the rulebook changes meanwhile.
 */
export async function readOrders(on: Queryable, causes: readonly string[]): Promise<ReadonlyMap<string, BatchOrder>> {
  const batches = [...new Set(causes.filter(isBatch))];
  if (!batches.length) return new Map();
  const { rows } = await on.query<BatchOrder>(`select ${ORDER} from replay_batch where id = any($1::uuid[])`, [
    batches,
  ]);
  return new Map(rows.map((row) => [row.batch, row]));
}
