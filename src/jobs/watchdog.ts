import type { Machine } from '../core/machine.ts';
import { recordEvents } from '../core/outbox.ts';
import type { Database, Queryable } from '../storage/database.ts';
import { quoteIdentifier, quoteWord } from '../storage/quote.ts';

export interface StuckItem {
  readonly machine: string;
  readonly item: string;
  readonly state: string;
  readonly seconds: number;
}

/** What is not as it should be, at one moment. */
export interface Health {
  readonly stuck: readonly StuckItem[];
  readonly queues: readonly QueueHealth[];
  readonly oldestDeadLetterSeconds: number | null;
  readonly deadLetters: number;
  readonly oldestTransactionSeconds: number;
}

export interface QueueHealth {
  readonly name: string;
  readonly waiting: number;
  readonly delayed: number;
  readonly active: number;
  /** How long the oldest job that may start has waited, in seconds. */
  readonly oldestSeconds: number;
  /** Claims without a sign of life for longer than their heartbeat allows. */
  readonly silent: number;
}

/** At most this many stuck items are named a machine; more are counted by the board. */
const NAMED = 100;

/** The event that tells of a stuck item; one a stay. */
const STUCK = 'core.item.stuck';

/** Asked item by item: as `not exists` it is joined, and an outbox without statistics is read whole for it. */
const UNTOLD = `coalesce((select max(o.at) from outbox o where o.item = t.id and o.type = '${STUCK}'), '-infinity') < t.state_since`;

export async function findStuck(on: Queryable, machines: readonly Machine[]): Promise<StuckItem[]> {
  const found: StuckItem[] = [];
  for (const machine of machines) found.push(...(await stuckOf(on, machine, 'true')));
  return found;
}

/**
 * One branch a state, with its name in the text: an index on the states that are not final (all but a few rows of a
 * table are in a final one) is out of reach for a state that comes as a parameter.
 */
async function stuckOf(on: Queryable, machine: Machine, which: string): Promise<StuckItem[]> {
  const limits = Object.entries(machine.stuckAfterSeconds) as [string, number][];
  if (!limits.length) return [];
  const branches = limits.map(
    ([state], n) => `(select id, state, state_since from ${quoteIdentifier(machine.table)} t
        where t.state = ${quoteWord(state)} and t.state_since < now_here() - $${n + 2}::float8 * interval '1 second' and ${which}
        order by t.state_since limit ${NAMED})`,
  );
  const { rows } = await on.query<StuckItem>(
    `select $1::text as machine, i.id as item, i.state, extract(epoch from now_here() - i.state_since)::float8 as seconds
       from (${branches.join(' union all ')}) i order by i.state_since limit ${NAMED}`,
    [machine.name, ...limits.map(([, seconds]) => seconds)],
  );
  return rows;
}

export async function readQueues(on: Queryable, schema: string): Promise<QueueHealth[]> {
  const jobs = quoteIdentifier(`${schema}_jobs`);
  const { rows } = await on.query<QueueHealth>(
    `select name,
            count(*) filter (where state < 'active' and start_after <= now_here())::int as waiting,
            count(*) filter (where state < 'active' and start_after > now_here())::int as delayed,
            count(*) filter (where state = 'active')::int as active,
            coalesce(extract(epoch from now_here() - min(start_after) filter (where state < 'active' and start_after <= now_here())), 0)::float8 as "oldestSeconds",
            count(*) filter (where state = 'active' and heartbeat_on < now_here() - heartbeat_seconds * interval '1 second')::int as silent
       from ${jobs}.job where state < 'completed' group by name order by name`,
  );
  return rows;
}

export async function readHealth(database: Database, machines: readonly Machine[]): Promise<Health> {
  const { rows } = await database.query<{ letters: number; oldest: number | null; transaction: number | null }>(
    `select (select count(*)::int from dead_letter where redriven_at is null) as letters,
            (select extract(epoch from now_here() - min(created_at))::float8 from dead_letter where redriven_at is null) as oldest,
            (select extract(epoch from clock_timestamp() - min(xact_start))::float8 from pg_stat_activity
              where state <> 'idle' and pid <> pg_backend_pid() and backend_type = 'client backend') as transaction`,
  );
  const { letters, oldest, transaction } = rows[0]!;
  return {
    stuck: await findStuck(database, machines),
    queues: await readQueues(database, database.schema),
    oldestDeadLetterSeconds: oldest,
    deadLetters: letters,
    oldestTransactionSeconds: transaction ?? 0,
  };
}

/**
 * Tells of items that sit in a state longer than it allows: one `core.item.stuck` event a stay, however often the
 * watchdog looks. Those that were told of do not hide others: what is left over is for the next look.
 * @returns the items told of now
 */
export async function reportStuck(database: Database, machines: readonly Machine[]): Promise<StuckItem[]> {
  const told: StuckItem[] = [];
  for (const machine of machines) {
    const stuck = await stuckOf(database, machine, UNTOLD);
    if (!stuck.length) continue;
    await database.transaction(async (tx) => {
      const { rows } = await tx.query<{ id: string; state: string }>(
        `select t.id, t.state from ${quoteIdentifier(machine.table)} t
          where t.id = any($1::uuid[]) and ${UNTOLD}
          order by t.id for no key update skip locked`,
        [stuck.map(({ item }) => item)],
      );
      const now = new Map(rows.map((row) => [row.id, row.state]));
      const news = stuck.filter(({ item, state }) => now.get(item) === state);
      await recordEvents(
        tx,
        news.map(({ item, machine: name, state, seconds }) => ({
          type: STUCK,
          item,
          origin: 'live' as const,
          data: { machine: name, state, seconds: Math.round(seconds) },
        })),
      );
      told.push(...news);
    });
  }
  return told;
}
