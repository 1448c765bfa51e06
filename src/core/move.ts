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
  /** Items no longer at the expected version and state: somebody else acted meanwhile. Nothing was changed. */
  readonly refused: readonly string[];
}

/**
 * One statement: locks the rows in id order, keeps those that are still at the expected version and in the state
 * that the walk begins in, updates them and appends one journal row for each edge.
 *
 * Every item table has the columns id, state, version, revision, content_version, reached, state_since.
 *
 * A batch has few different ways (path, actor, reason) and many items, so the ways travel once and an item only names
 * its own: written out for each item and edge, the arrays took a sixth of a worker's processor time.
 *
 * The lateral sub-query forces one index look-up an item: joined plainly, a table that was bulk-loaded and never
 * analysed is read whole for each batch (500 tasks/s instead of 9,000). It locks in the order of `input`.
 */
const moveSql = (table: string) => `
with input as materialized (
  select i.id, i.version, i.run, i.way, i.first_age, w.begins, w.ends, w.steps, w.reached, w.actor, w.actor_id, w.reason
    from unnest($1::uuid[], $2::int[], $3::uuid[], $4::int[], $5::int[]) as i(id, version, run, way, first_age)
    join unnest($6::text[], $7::text[], $8::int[], $9::text[], $10::text[], $11::text[], $12::text[]) with ordinality
      as w(begins, ends, steps, reached, actor, actor_id, reason, way) on w.way = i.way
   order by i.id
), locked as materialized (
  select i.* from input i cross join lateral (
    select t.id, t.state from ${table} t where t.id = i.id and t.version = i.version for no key update
  ) held where held.state = coalesce(i.begins, held.state)
), moved as (
  update ${table} t
     set state = coalesce(l.ends, t.state), version = t.version + l.steps,
         state_since = case when l.steps > 0 then now_here() else t.state_since end,
         reached = coalesce(l.reached, t.reached)
    from locked l where t.id = l.id
  returning l.*
), written as (
  insert into journal (at, machine, item, kind, version, from_state, to_state, actor, actor_id, reason, run)
  select now_here() - ($14::float8[])[m.first_age + s.n] * interval '1 millisecond', $13, m.id, 'move', m.version + s.n,
         s.from_state, s.to_state, m.actor, m.actor_id, m.reason, m.run
    from moved m join unnest($15::int[], $16::int[], $17::text[], $18::text[]) as s(way, n, from_state, to_state)
      on s.way = m.way
   order by m.id, s.n
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
 * Throws a plain Error when a walk is not a path of the machine or an item stands in the batch twice: those are
 * mistakes of the programmer.
 */
export async function move(tx: Tx, machine: Machine, moves: readonly Move[]): Promise<MoveResult> {
  if (!moves.length) return { moved: new Map(), refused: [] };
  refuseRepeats(moves);
  const { ways, wayOf } = distinctWays(machine, moves);
  const edges = ways.flatMap(({ steps }, way) => steps.map((step, n) => ({ way: way + 1, n: n + 1, step })));
  const ages: number[] = [];
  const firstAges = moves.map(({ steps }) => {
    const first = ages.length;
    for (const { ageMs } of steps) ages.push(ageMs ?? 0);
    return first;
  });
  const { rows } = await tx.query<{ id: string; version: number }>(statementFor(machine), [
    moves.map((one) => one.item),
    moves.map((one) => one.version),
    moves.map((one) => one.run ?? null),
    wayOf,
    firstAges,
    ways.map(({ steps }) => steps[0]?.from ?? null),
    ways.map(({ steps }) => steps.at(-1)?.to ?? null),
    ways.map(({ steps }) => steps.length),
    ways.map((one) => reachedBy(machine, one)),
    ways.map(({ actor }) => actor),
    ways.map(({ actorId }) => actorId ?? null),
    ways.map(({ reason }) => reason ?? null),
    machine.name,
    ages,
    edges.map(({ way }) => way),
    edges.map(({ n }) => n),
    edges.map(({ step }) => step.from),
    edges.map(({ step }) => step.to),
  ]);
  const steps = new Map(moves.map((one) => [one.item, one.steps.length]));
  const moved = new Map(rows.map((row) => [row.id, row.version + (steps.get(row.id) ?? 0)]));
  return { moved, refused: moves.filter((one) => !moved.has(one.item)).map((one) => one.item) };
}

/** A move without its item. */
type Way = Pick<Move, 'steps' | 'actor' | 'actorId' | 'reason'>;

/** The different ways of a batch, each checked against the machine once, and the number (from 1) of each move's. */
function distinctWays(machine: Machine, moves: readonly Move[]): { ways: Way[]; wayOf: number[] } {
  const ways: Way[] = [];
  const numbers = new Map<string, number>();
  const wayOf = moves.map((one) => {
    const key = JSON.stringify([
      one.actor,
      one.actorId,
      one.reason,
      ...one.steps.flatMap(({ from, to }) => [from, to]),
    ]);
    let number = numbers.get(key);
    if (number === undefined) {
      refuseForeignEdges(machine, one);
      number = ways.push(one);
      numbers.set(key, number);
    }
    return number;
  });
  return { ways, wayOf };
}

/** The state that a walk into a failed state came from; a redrive returns there. */
function reachedBy(machine: Machine, { steps }: Way): string | null {
  const last = steps.at(-1);
  return last && machine.failed.includes(last.to) ? last.from : null;
}

/** Both walks of a repeated item would be journalled, though one of them was taken at most. */
function refuseRepeats(moves: readonly Move[]): void {
  const seen = new Set<string>();
  for (const { item } of moves) {
    if (seen.has(item)) throw new Error(`${item} stands twice in one batch of moves`);
    seen.add(item);
  }
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
