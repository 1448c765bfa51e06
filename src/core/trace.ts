import type { Queryable } from '../storage/database.ts';
import { type JournalEntry, readHistory } from './journal.ts';
import { type Run, readRuns } from './run.ts';

/** One item's whole story, as far as the core knows it; services and delivery add their own. */
export interface Trace {
  readonly item: string;
  readonly machine: string;
  readonly state: string | null;
  readonly journal: readonly JournalEntry[];
  readonly runs: readonly Run[];
  readonly events: readonly { type: string; itemSeq: number; at: Date; origin: string }[];
  readonly deadLetters: readonly {
    id: string;
    code: string;
    message: string;
    createdAt: Date;
    redrivenAt: Date | null;
  }[];
  readonly spent: { readonly calls: number; readonly tokens: number; readonly costMicros: number };
}

/** @returns null when nothing was ever written about the item. */
export async function trace(on: Queryable, item: string): Promise<Trace | null> {
  const journal = (await readHistory(on, [item])).get(item) ?? [];
  const runs = (await readRuns(on, [item])).get(item) ?? [];
  if (!journal.length && !runs.length) return null;
  const events = await on.query<Trace['events'][number]>(
    `select type, item_seq as "itemSeq", at, origin from outbox where item = $1 order by item_seq`,
    [item],
  );
  const deadLetters = await on.query<Trace['deadLetters'][number]>(
    `select id, error_code as code, error_message as message, created_at as "createdAt", redriven_at as "redrivenAt"
       from dead_letter where item = $1 order by created_at`,
    [item],
  );
  return {
    item,
    machine: journal[0]?.machine ?? '',
    state: journal.findLast((entry) => entry.kind === 'move')?.to ?? null,
    journal,
    runs,
    events: events.rows,
    deadLetters: deadLetters.rows,
    spent: {
      calls: runs.reduce((sum, run) => sum + run.calls, 0),
      tokens: runs.reduce((sum, run) => sum + run.tokensIn + run.tokensOut, 0),
      costMicros: runs.reduce((sum, run) => sum + run.costMicros, 0),
    },
  };
}
