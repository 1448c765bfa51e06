import type { Queryable, Tx } from '../storage/database.ts';
import type { Actor, Machine } from './machine.ts';

/** One line of the train register. It holds references, codes and numbers; never content, names or addresses. */
export interface JournalEntry {
  readonly seq: number;
  readonly at: Date;
  readonly machine: string;
  readonly item: string;
  readonly kind: 'move' | 'refused' | 'note';
  /** Counts moves and notes of the item, from 1, without a gap. A refused row repeats the version it met. */
  readonly version: number;
  readonly from: string | null;
  readonly to: string | null;
  readonly actor: Actor;
  readonly actorId: string | null;
  readonly reason: string | null;
  readonly run: string | null;
  readonly remark: string | null;
}

export interface Birth {
  readonly item: string;
  readonly state: string;
  readonly actor: Actor;
  readonly actorId?: string | null;
  readonly reason?: string | null;
}

/** Writes the first line of new items (version 1, from nothing), in the transaction that inserts them. */
export async function recordBirths(tx: Tx, machine: Machine, births: readonly Birth[]): Promise<void> {
  if (!births.length) return;
  await tx.query(
    `insert into journal (at, machine, item, kind, version, to_state, actor, actor_id, reason)
     select now_here(), $1, b.item, 'move', 1, b.state, b.actor, b.actor_id, b.reason
       from unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[]) as b(item, state, actor, actor_id, reason)`,
    [
      machine.name,
      births.map((birth) => birth.item),
      births.map((birth) => birth.state),
      births.map((birth) => birth.actor),
      births.map((birth) => birth.actorId ?? null),
      births.map((birth) => birth.reason ?? null),
    ],
  );
}

/** The history of items, oldest first. */
export async function readHistory(on: Queryable, items: readonly string[]): Promise<Map<string, JournalEntry[]>> {
  const { rows } = await on.query<JournalEntry>(
    `select seq, at, machine, item, kind, version, from_state as "from", to_state as "to", actor,
            actor_id as "actorId", reason, run, remark
       from journal where item = any($1::uuid[]) order by item, version, seq`,
    [items],
  );
  return Map.groupBy(rows, (row) => row.item);
}

/** `state_history` of the specification: the moves after the birth, each with its own time. */
export function stateHistory(history: readonly JournalEntry[]): { from: string; to: string; at: string }[] {
  return history
    .filter((entry) => entry.kind === 'move' && entry.from !== null)
    .map(({ from, to, at }) => ({ from: from!, to: to!, at: at.toISOString() }));
}
