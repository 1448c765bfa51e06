import type { Tx } from '../storage/database.ts';
import { quoteIdentifier } from '../storage/quote.ts';
import { type Actor, type Machine, mayMove } from './machine.ts';

/** One edge of a walk, with the time that has passed since it was taken (milliseconds, measured by the worker). */
export interface Step {
  readonly from: string;
  readonly to: string;
  readonly ageMs?: number;
}

/** What is to happen to one item: the version it was read at and the edges to take, in order. */
export interface Move {
  readonly item: string;
  readonly version: number;
  readonly steps: readonly Step[];
  readonly actor: Actor;
  readonly actorId?: string | null;
  readonly reason?: string | null;
  readonly run?: string | null;
}

export interface MoveResult {
  /** Item → its new version. */
  readonly moved: ReadonlyMap<string, number>;
  /** Items whose version was no longer the expected one: somebody else acted meanwhile. Nothing was changed. */
  readonly refused: readonly string[];
}

/**
 * One statement: locks the rows in id order, keeps those whose version is still the expected one, updates them
 * and appends one journal row for each edge.
 *
 * Every item table has the columns id, state, version, revision, content_version, reached, state_since.
 *
 * The lateral sub-query forces one index look-up an item: joined plainly, a table that was bulk-loaded and never
 * analysed is read whole for each batch (500 tasks/s instead of 9,000). It locks in the order of `input`.
 */
const moveSql = (table: string) => `
with input as materialized (
  select * from unnest($1::uuid[], $2::int[], $3::text[], $4::int[], $5::text[])
    as i(id, version, state, steps, reached) order by id
), locked as materialized (
  select i.* from input i cross join lateral (
    select t.id from ${table} t where t.id = i.id and t.version = i.version for no key update
  ) held
), moved as (
  update ${table} t
     set state = coalesce(l.state, t.state), version = t.version + l.steps, state_since = now_here(),
         reached = coalesce(l.reached, t.reached)
    from locked l where t.id = l.id
  returning t.id, l.version
), written as (
  insert into journal (at, machine, item, kind, version, from_state, to_state, actor, actor_id, reason, run)
  select now_here() - s.age * interval '1 millisecond', $6, m.id, 'move', m.version + s.n, s.from_state, s.to_state,
         s.actor, s.actor_id, s.reason, s.run
    from unnest($7::uuid[], $8::int[], $9::text[], $10::text[], $11::float8[], $12::text[], $13::text[], $14::text[], $15::uuid[])
      with ordinality as s(item, n, from_state, to_state, age, actor, actor_id, reason, run, place)
    join moved m on m.id = s.item
   order by s.place
)
select id, version from moved`;

const statements = new Map<string, string>();

function statementFor(machine: Machine): string {
  let text = statements.get(machine.table);
  if (!text) {
    text = moveSql(quoteIdentifier(machine.table));
    statements.set(machine.table, text);
  }
  return text;
}

/**
 * Moves a batch of items of one machine. A walk of several edges is one update with one journal row an edge.
 * An empty walk moves nothing but still says whether the item is at the expected version, and locks it.
 * Throws a plain Error when a walk is not a path of the machine: that is a mistake of the programmer.
 */
export async function move(tx: Tx, machine: Machine, moves: readonly Move[]): Promise<MoveResult> {
  if (!moves.length) return { moved: new Map(), refused: [] };
  for (const one of moves) refuseForeignEdges(machine, one);
  const walked = moves.flatMap((one) => one.steps.map((step, n) => ({ one, step, n: n + 1 })));
  const { rows } = await tx.query<{ id: string; version: number }>(statementFor(machine), [
    moves.map((one) => one.item),
    moves.map((one) => one.version),
    moves.map((one) => one.steps.at(-1)?.to ?? null),
    moves.map((one) => one.steps.length),
    moves.map((one) => reachedBy(machine, one)),
    machine.name,
    walked.map(({ one }) => one.item),
    walked.map(({ n }) => n),
    walked.map(({ step }) => step.from),
    walked.map(({ step }) => step.to),
    walked.map(({ step }) => step.ageMs ?? 0),
    walked.map(({ one }) => one.actor),
    walked.map(({ one }) => one.actorId ?? null),
    walked.map(({ one }) => one.reason ?? null),
    walked.map(({ one }) => one.run ?? null),
  ]);
  const steps = new Map(moves.map((one) => [one.item, one.steps.length]));
  const moved = new Map(rows.map((row) => [row.id, row.version + (steps.get(row.id) ?? 0)]));
  return { moved, refused: moves.filter((one) => !moved.has(one.item)).map((one) => one.item) };
}

/** The state that a walk into a failed state came from; a redrive returns there. */
function reachedBy(machine: Machine, { steps }: Move): string | null {
  const last = steps.at(-1);
  return last && machine.failed.includes(last.to) ? last.from : null;
}

function refuseForeignEdges(machine: Machine, { steps, actor, item }: Move): void {
  let at = steps[0]?.from;
  for (const { from, to } of steps) {
    if (from !== at || !mayMove(machine, from, to, actor)) {
      throw new Error(`machine ${machine.name}: ${actor} may not take ${item} from '${from}' to '${to}'`);
    }
    at = to;
  }
}
