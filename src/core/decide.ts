import { CodedError } from '../errors/coded-error.ts';
import type { Tx } from '../storage/database.ts';
import { quoteIdentifier } from '../storage/quote.ts';
import { type Actor, type Machine, mayMove } from './machine.ts';

/** What a person (or the author of an item) wants done, and what they had seen when they wanted it. */
export interface Decision {
  readonly item: string;
  /** Counts content versions and human decisions only: a person is not refused because a machine went on. */
  readonly expectedRevision: number;
  /** The state to go to; null decides about the item without moving it. */
  readonly to: string | null;
  readonly actor: Extract<Actor, 'human' | 'author'>;
  readonly actorId: string;
  /** A code; what a person typed goes into `remark`. */
  readonly reason: string | null;
  readonly remark?: string | null;
  /** True when the author changed the content: begins a new content version. */
  readonly newContent?: boolean;
}

export interface Decided {
  readonly from: string;
  readonly state: string;
  readonly version: number;
  readonly revision: number;
  readonly contentVersion: number;
}

export const ITEM_UNKNOWN = 'core.item_unknown';
export const REVISION_STALE = 'core.revision_stale';
export const EDGE_MISSING = 'core.edge_missing';

/**
 * Takes a human decision: locks the item, compares the revision, moves it along an edge that the actor may take
 * (or notes the decision), and bumps version and revision, so that every machine result computed before it is
 * superseded. A refused decision is
 * journalled as such, in the same transaction, and answered with its code:
 * `core.item_unknown`, `core.revision_stale` (detail: revision, state), `core.edge_missing` (detail: state).
 */
export async function decide(tx: Tx, machine: Machine, decision: Decision): Promise<Decided | CodedError> {
  const table = quoteIdentifier(machine.table);
  const { rows } = await tx.query<{ state: string; version: number; revision: number; content_version: number }>(
    `select state, version, revision, content_version from ${table} where id = $1 for no key update`,
    [decision.item],
  );
  const item = rows[0];
  if (!item) return new CodedError(ITEM_UNKNOWN, 'permanent', `there is no ${machine.name} ${decision.item}`);
  const refuse = async (code: string, message: string) => {
    await journal(tx, machine, decision, 'refused', item.version, item.state, decision.to, code);
    return new CodedError(code, 'permanent', message, { detail: { state: item.state, revision: item.revision } });
  };
  if (item.revision !== decision.expectedRevision) {
    return refuse(REVISION_STALE, `revision ${decision.expectedRevision} is stale: the item is at ${item.revision}`);
  }
  const { to } = decision;
  if (to !== null && !mayMove(machine, item.state, to, decision.actor)) {
    return refuse(EDGE_MISSING, `a ${decision.actor} may not take it from '${item.state}' to '${to}'`);
  }
  const state = to ?? item.state;
  const contentVersion = item.content_version + (decision.newContent ? 1 : 0);
  await tx.query(
    `update ${table} set state = $2, version = version + 1, revision = revision + 1, content_version = $3,
            state_since = case when $4 then now_here() else state_since end,
            reached = case when $5 then state else reached end
      where id = $1`,
    [decision.item, state, contentVersion, to !== null, to !== null && machine.failed.includes(to)],
  );
  const version = item.version + 1;
  await journal(tx, machine, decision, to === null ? 'note' : 'move', version, item.state, to, decision.reason);
  return { from: item.state, state, version, revision: item.revision + 1, contentVersion };
}

async function journal(
  tx: Tx,
  machine: Machine,
  { item, actor, actorId, remark }: Decision,
  kind: 'move' | 'refused' | 'note',
  version: number,
  from: string,
  to: string | null,
  reason: string | null,
): Promise<void> {
  await tx.query(
    `insert into journal (at, machine, item, kind, version, from_state, to_state, actor, actor_id, reason, remark)
     values (now_here(), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [machine.name, item, kind, version, from, to, actor, actorId, reason, remark ?? null],
  );
}
