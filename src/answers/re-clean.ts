import type { PgBoss } from 'pg-boss';
import { uuid5 } from '../core/ids.ts';
import { enqueue } from '../jobs/enqueue.ts';
import type { Queryable, Tx } from '../storage/database.ts';
import { yieldFindings } from './findings.ts';
import { CLEAN_STAGE } from './pipeline.ts';

/** Samples to clean again, as one page of a batch. */
export interface ReCleaning {
  /** Completed samples with their content version; others end `skipped`. */
  readonly samples: readonly { readonly id: string; readonly contentVersion: number }[];
  readonly batch: string;
  /** Whether what people decided up to now may be set aside. What they decide later stands in any case. */
  readonly includeDecided: boolean;
}

/**
 * Enqueues samples to be cleaned again by the brands as they are when their turn comes. The same page of the same batch
 * again adds nothing. Neutral: nothing changes before the new result is there, nor if none comes.
 */
export async function reClean(tx: Tx, boss: PgBoss, { samples, batch, includeDecided }: ReCleaning): Promise<void> {
  if (includeDecided) {
    await yieldFindings(
      tx,
      samples.map(({ id }) => id),
      batch,
    );
  }
  await enqueue(
    tx,
    boss,
    samples.map(({ id, contentVersion }) => ({
      queue: CLEAN_STAGE,
      id: uuid5(batch, id, CLEAN_STAGE),
      data: { item: id, cv: contentVersion, cause: batch, lane: 'batch' },
    })),
  );
}

/** Which of these tasks can be cleaned again: those that are completed, valid or not. */
export async function findReCleanable(on: Queryable, cleanTaskIds: readonly string[]) {
  const tasks = [...new Set(cleanTaskIds)];
  const { rows } = await on.query<{ task: string; id: string; contentVersion: number; state: string }>(
    `select i.task, s.id, s.content_version as "contentVersion", s.state from unnest($1::text[]) as i(task)
      cross join lateral (
        select t.id, t.content_version, t.state from answers_sample t where t.clean_task_id = i.task offset 0) s`,
    [tasks],
  );
  const found = new Map(rows.map((row) => [row.task, row]));
  const refused = tasks.flatMap((task) => {
    const state = found.get(task)?.state;
    if (state === 'completed') return [];
    const code = state === undefined ? 'answers.sample_unknown' : 'answers.not_completed';
    return [{ clean_task_id: task, code }];
  });
  return { samples: rows.filter(({ state }) => state === 'completed'), refused };
}
