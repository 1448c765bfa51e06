import type { Tx } from '../storage/database.ts';
import { quoteIdentifier } from '../storage/quote.ts';
import type { Actor, Machine } from './machine.ts';

/** Something that was done about an item without moving it. */
export interface Note {
  readonly item: string;
  readonly actor: Actor;
  /** A code. */
  readonly reason: string;
  readonly run?: string | null;
}

/**
 * Counts a version of each item and writes it into the journal: a run that read the item before is superseded, so that an
 * older result never comes last. The items' rows are held by the caller's transaction; each stands in the list once.
 */
export async function recordNotes(tx: Tx, machine: Machine, notes: readonly Note[]): Promise<void> {
  if (!notes.length) return;
  await tx.query(
    `with input as materialized (
       select i.id, i.actor, i.reason, i.run
         from unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[]) as i(id, actor, reason, run) order by i.id
     ), noted as (
       update ${quoteIdentifier(machine.table)} t set version = t.version + 1 from input i where t.id = i.id
       returning t.id, t.version, t.state, i.actor, i.reason, i.run
     )
     insert into journal (at, machine, item, kind, version, from_state, actor, reason, run)
     select now_here(), $5, id, 'note', version, state, actor, reason, run from noted`,
    [
      notes.map(({ item }) => item),
      notes.map(({ actor }) => actor),
      notes.map(({ reason }) => reason),
      notes.map(({ run }) => run ?? null),
      machine.name,
    ],
  );
}
