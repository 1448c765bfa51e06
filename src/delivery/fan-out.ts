import type { PgBoss } from 'pg-boss';
import type { NewId } from '../core/ids.ts';
import { recordBirths } from '../core/journal.ts';
import { advanceReader, holdReader, type OutboxEvent, readEvents } from '../core/outbox.ts';
import { enqueue } from '../jobs/enqueue.ts';
import type { Database } from '../storage/database.ts';
import { messageMachine } from './machine.ts';
import { SEND_STAGE } from './send.ts';
import { type Target, wants } from './targets.ts';

const READER = 'delivery';
const PAGE = 500;

/** The body of Standard Webhooks: what happened, when, to what; `seq` orders the events of one item. */
export function bodyOf(event: OutboxEvent): string {
  const data = { id: event.item, seq: event.itemSeq, origin: event.origin, ...event.data };
  return JSON.stringify({ type: event.type, timestamp: event.at.toISOString(), data });
}

/**
 * Reads one page of the outbox and makes a message for each target that wants an event: messages, their jobs and
 * the reader's position commit together. An event meets a target at most once (unique by target, item, seq).
 * @returns how many events were read; fewer than the page means that the reader is at the end
 */
export async function fanOut(
  database: Database,
  boss: PgBoss,
  targets: readonly Target[],
  newId: NewId,
): Promise<{ events: number; messages: number; more: boolean }> {
  return database.transaction(async (tx) => {
    const position = await holdReader(tx, READER);
    if (!position) return { events: 0, messages: 0, more: false };
    const events = await readEvents(tx, position, PAGE);
    const last = events.at(-1);
    if (!last) return { events: 0, messages: 0, more: false };
    const made = events.flatMap((event) =>
      targets
        .filter((target) => wants(target, event.type, event.data))
        .map((target) => ({ id: newId(), target: target.id, event })),
    );
    if (made.length) {
      const { rows } = await tx.query<{ id: string }>(
        `insert into delivery_message (id, state, version, state_since, created_at, target, type, item, item_seq, body)
         select m.id, 'pending', 1, now_here(), now_here(), m.target, m.type, m.item, m.seq, m.body
           from unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[], $5::int[], $6::text[])
             as m(id, target, type, item, seq, body)
         on conflict (target, item, item_seq) do nothing returning id`,
        [
          made.map(({ id }) => id),
          made.map(({ target }) => target),
          made.map(({ event }) => event.type),
          made.map(({ event }) => event.item),
          made.map(({ event }) => event.itemSeq),
          made.map(({ event }) => bodyOf(event)),
        ],
      );
      await recordBirths(
        tx,
        messageMachine,
        rows.map(({ id }) => ({ item: id, state: 'pending', actor: 'system' as const })),
      );
      await enqueue(
        tx,
        boss,
        rows.map(({ id }) => ({ queue: SEND_STAGE, data: { item: id, cv: 1, cause: 'live' } })),
      );
    }
    await advanceReader(tx, READER, last);
    return { events: events.length, messages: made.length, more: events.length === PAGE };
  });
}
