import { EXTRACT_FIELDS } from '../../src/documents/classify-stage.ts';
import { stageOf } from '../../src/documents/replay-stage.ts';
import type { AnyDatabase } from '../../src/jobs/queue.ts';
import { quoteIdentifier } from '../../src/storage/quote.ts';
import { until } from '../proof.ts';
import { outcomesOf, runsOf } from './accounts-of-documents.ts';
import type { Office } from './open-office.ts';

/** Where a batch of re-classification stands. */
export interface Account {
  readonly state: string;
  /** Documents whose jobs were enqueued. */
  readonly dispatched: number;
  /** Documents that were done to their end, and those of them that were more than once. */
  readonly done: number;
  readonly twice: number;
  /** Documents that somebody was or is at work on for it; with a time, those of them first since then. */
  readonly begun: number;
  /** Documents at rest as they came, which the batch was never at work on. */
  readonly asTheyWere: number;
  /** Jobs of documents that nobody has claimed, and that somebody has. */
  readonly waiting: number;
  readonly active: number;
  readonly outcomes: Readonly<Record<string, number>>;
}

const LAST_STEPS = [stageOf('re-classify'), EXTRACT_FIELDS];

export async function accountOf(
  database: AnyDatabase,
  batch: string,
  ids: readonly string[],
  since = new Date(0),
): Promise<Account> {
  const jobs = `${quoteIdentifier(`${database.schema}_jobs`)}.job`;
  const { rows } = await database.query<{
    state: string;
    dispatched: number;
    waiting: number;
    active: string[];
    untouched: string[];
  }>(
    `select state, dispatched,
            (select count(*) from ${jobs} where data ->> 'cause' = $1 and state in ('created', 'retry')) as waiting,
            array(select data ->> 'item' from ${jobs} where data ->> 'cause' = $1 and state = 'active') as active,
            array(select d.id::text from documents_document d
                   where d.id = any($2::uuid[]) and (d.state = 'ready' and d.type = 'invoice' or d.state = 'failed' and exists (
                     select from dead_letter l where l.item = d.id and l.redriven_at is null))) as untouched
       from replay_batch where id = $1::uuid`,
    [batch, ids],
  );
  const { active, untouched, ...found } = rows[0]!;
  const runs = await runsOf(database, batch);
  // What is claimed and skipped was not worked on.
  const worked = Map.groupBy(
    runs.filter(({ outcome }) => outcome !== 'skipped'),
    ({ item }) => item,
  );
  const ends = Map.groupBy(
    runs.filter(({ outcome, stage }) => outcome === 'accepted' && LAST_STEPS.includes(stage)),
    ({ item }) => item,
  );
  const begun = new Set(
    [...worked].filter(([, of]) => of.every(({ startedAt }) => startedAt > since)).map(([id]) => id),
  );
  for (const id of active) begun.add(id);
  return {
    ...found,
    done: ends.size,
    twice: [...ends.values()].filter(({ length }) => length > 1).length,
    begun: begun.size,
    asTheyWere: untouched.filter((id) => !worked.has(id)).length,
    active: active.length,
    outcomes: outcomesOf(runs),
  };
}

/** Waits until no document has a job of the batch, and the batch itself none either where it may go on. */
export const untilQuiet = ({ house }: Office, batch: string, what: string): Promise<void> =>
  until(`${what}: no job of the batch to be left`, 60, async () => {
    const { rows } = await house.database.query<{ n: number }>(
      `select count(*) as n from ${quoteIdentifier(`${house.database.schema}_jobs`)}.job j
        where j.state < 'completed' and (data ->> 'cause' = $1 or data ->> 'item' = $1 and exists (
          select from replay_batch b where b.id = $1::uuid and b.state in ('running', 'paused')))`,
      [batch],
    );
    return rows[0]!.n === 0;
  });
