import type { JournalEntry } from '../../src/core/journal.ts';
import { findPathFault, type Machine } from '../../src/core/machine.ts';
import type { Database } from '../../src/storage/database.ts';
import { quoteIdentifier } from '../../src/storage/quote.ts';

/**
 * Checks the core's invariants over all items of a machine and names every breach:
 * histories are paths without a gap and end at the item's state and version; runs are numbered without a gap;
 * at most one accepted run an item, stage, content version and cause; working items have a job or a dead letter.
 */
export async function findBreaches(
  database: Database,
  machine: Machine,
  stages: readonly string[],
  only: readonly string[] | null = null,
): Promise<string[]> {
  const breaches: string[] = [];
  const table = quoteIdentifier(machine.table);
  const { rows: items } = await database.query<{ id: string; state: string; version: number }>(
    `select id, state, version from ${table} where $1::uuid[] is null or id = any($1)`,
    [only],
  );
  const { rows: journal } = await database.query<JournalEntry>(
    `select item, kind, version, from_state as "from", to_state as "to", actor from journal
      where machine = $1 and kind <> 'refused' and ($2::uuid[] is null or item = any($2)) order by item, version, seq`,
    [machine.name, only],
  );
  const histories = Map.groupBy(journal, (entry) => entry.item);
  for (const { id, state, version } of items) {
    const history = histories.get(id) ?? [];
    const gap = history.findIndex((entry, n) => entry.version !== n + 1);
    if (gap >= 0) breaches.push(`${id}: journal has version ${history[gap]?.version} in place ${gap + 1}`);
    const moves = history.filter((entry) => entry.kind === 'move');
    const fault = findPathFault(machine, moves);
    if (fault) breaches.push(`${id}: not a path at ${fault.at}: ${fault.from} → ${fault.to}`);
    if (moves.at(-1)?.to !== state) breaches.push(`${id}: is ${state}, journal says ${moves.at(-1)?.to}`);
    if (history.at(-1)?.version !== version)
      breaches.push(`${id}: is at version ${version}, journal at ${history.at(-1)?.version}`);
  }
  const { rows: runs } = await database.query<{ item: string; n: number; top: number; accepted: number }>(
    `select item, count(*)::int as n, max(attempt) as top, (count(*) filter (where outcome = 'accepted'))::int as accepted
       from run where machine = $1 and ($2::uuid[] is null or item = any($2)) group by item, stage, content_version, cause`,
    [machine.name, only],
  );
  for (const { item, n, top, accepted } of runs) {
    if (n !== top) breaches.push(`${item}: ${n} runs, but the newest is attempt ${top}`);
    if (accepted > 1) breaches.push(`${item}: ${accepted} accepted runs`);
  }
  const names = stages.flatMap((stage) => [stage, `${stage}.retry`]);
  const { rows: forgotten } = await database.query<{ id: string; state: string }>(
    `select i.id, i.state from ${table} i
      where not (i.state = any($1::text[])) and ($3::uuid[] is null or i.id = any($3))
        and not exists (select from ${quoteIdentifier(`${database.schema}_jobs`)}.job j
                         where j.name = any($2::text[]) and j.state < 'completed' and j.data->>'item' = i.id::text)`,
    [machine.resting, names, only],
  );
  for (const { id, state } of forgotten) breaches.push(`${id}: is ${state} and has no outstanding job`);
  return breaches;
}
