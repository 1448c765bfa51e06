import type { Queryable, Tx } from '../storage/database.ts';

/** Something that happened to an item and that others may want to know. */
export interface NewEvent {
  readonly type: string;
  readonly item: string;
  readonly origin: 'live' | 'replay';
  readonly data: Readonly<Record<string, unknown>>;
}

export interface OutboxEvent extends NewEvent {
  /** The n-th event of its item, from 1. */
  readonly itemSeq: number;
  readonly at: Date;
  readonly xid: string;
  readonly seq: number;
}

/**
 * Writes events in the transaction that makes them true. The caller holds the lock on each item's row, so an
 * item's numbers have no gap and follow the order of commits.
 */
export async function recordEvents(tx: Tx, events: readonly NewEvent[]): Promise<void> {
  if (!events.length) return;
  await tx.query(
    `insert into outbox (at, type, item, item_seq, origin, data)
     select now_here(), e.type, e.item,
            coalesce((select max(o.item_seq) from outbox o where o.item = e.item), 0)
              + row_number() over (partition by e.item order by e.place),
            e.origin, e.data::jsonb
       from unnest($1::text[], $2::uuid[], $3::text[], $4::text[]) with ordinality as e(type, item, origin, data, place)
      order by e.place`,
    [
      events.map((event) => event.type),
      events.map((event) => event.item),
      events.map((event) => event.origin),
      events.map((event) => JSON.stringify(event.data)),
    ],
  );
}

/** How far a reader has come. */
export interface Position {
  readonly xid: string;
  readonly seq: number;
}

export const BEGINNING: Position = { xid: '0', seq: 0 };

/**
 * The next events after a position, in an order in which nothing can appear behind the reader: by transaction,
 * and only transactions older than every one still open. (By `seq` alone an event of a slow transaction would
 * be passed over.)
 */
export async function readEvents(on: Queryable, after: Position, limit: number): Promise<OutboxEvent[]> {
  const { rows } = await on.query<OutboxEvent>(
    `select type, item, item_seq as "itemSeq", origin, data, at, xid::text, seq
       from outbox
      where (xid, seq) > ($1::text::xid8, $2::bigint) and xid < pg_snapshot_xmin(pg_current_snapshot())
      order by outbox.xid, outbox.seq limit $3`,
    [after.xid, after.seq, limit],
  );
  return rows;
}

/** Reads a named reader's position and holds it for this transaction; others skip (null) or begin at the start. */
export async function holdReader(tx: Tx, name: string): Promise<Position | null> {
  await tx.query(
    `insert into reader (name, xid, seq, updated_at) values ($1, '0'::xid8, 0, now_here()) on conflict do nothing`,
    [name],
  );
  const { rows } = await tx.query<Position>(
    `select xid::text, seq from reader where name = $1 for update skip locked`,
    [name],
  );
  return rows[0] ?? null;
}

export async function advanceReader(tx: Tx, name: string, { xid, seq }: Position): Promise<void> {
  await tx.query(`update reader set xid = $2::text::xid8, seq = $3, updated_at = now_here() where name = $1`, [
    name,
    xid,
    seq,
  ]);
}
