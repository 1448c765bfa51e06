import type { PgBoss } from 'pg-boss';
import { uuid5 } from '../core/ids.ts';
import { enqueue } from '../jobs/enqueue.ts';
import type { Tx } from '../storage/database.ts';
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
