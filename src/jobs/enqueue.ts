import type { PgBoss } from 'pg-boss';
import type { Tx } from '../storage/database.ts';
import { inTransaction } from './queue.ts';

/** People first, fresh input second, batches last. */
export type Lane = 'people' | 'live' | 'batch';

const PRIORITY: Readonly<Record<Lane, number>> = { people: 20, live: 10, batch: 0 };

/** What a job carries: references and counters, never content. */
export interface JobData {
  readonly item: string;
  /** The content version that the work is for. */
  readonly cv: number;
  /** `live`, `edit`, or the id of a batch. */
  readonly cause: string;
  /** Transient failures so far. */
  readonly tries?: number;
  /** Claims lost so far. */
  readonly lost?: number;
  /** First postponed at (epoch milliseconds of the database's clock). */
  readonly postponedSince?: number;
  readonly lane?: Lane;
}

/** Whether work was asked for anew, in a batch, and not because something came in or was edited. */
export const isBatch = (cause: string): boolean => cause !== 'live' && cause !== 'edit';

export interface NewJob {
  readonly queue: string;
  readonly data: JobData;
  /** Given where enqueueing twice must make one job (batches); otherwise the database makes one. */
  readonly id?: string;
  readonly startAfterSeconds?: number;
}

/**
 * The only way to start work: the jobs exist if and only if the caller's transaction commits.
 * (On the embedded database a call outside the transaction would wait for it for ever.)
 */
export async function enqueue(tx: Tx, boss: PgBoss, jobs: readonly NewJob[]): Promise<void> {
  for (const [queue, group] of Map.groupBy(jobs, (job) => job.queue)) {
    await boss.insert(
      queue,
      group.map((job) => ({
        ...(job.id === undefined ? {} : { id: job.id }),
        data: job.data,
        priority: PRIORITY[job.data.lane ?? 'live'],
        ...(job.startAfterSeconds === undefined ? {} : { startAfter: job.startAfterSeconds }),
      })),
      { db: inTransaction(tx) },
    );
  }
}
