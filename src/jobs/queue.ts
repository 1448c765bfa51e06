import { type Db, fromPglite, PgBoss } from 'pg-boss';
import type { Tx } from '../storage/database.ts';
import type { EmbeddedDatabase } from '../storage/embedded.ts';
import type { PostgresDatabase } from '../storage/postgres.ts';

export type AnyDatabase = EmbeddedDatabase | PostgresDatabase;

export interface QueueOptions {
  /** False in a process that only enqueues: it neither looks for lost claims nor runs schedules. */
  readonly workers: boolean;
  /** How often lost claims are looked for, in seconds. */
  readonly superviseSeconds?: number;
  /** The queue's own connections on PostgreSQL, beside one for LISTEN. */
  readonly poolSize?: number;
  readonly onError?: (error: Error) => void;
}

export interface Queue {
  readonly boss: PgBoss;
  stop(options?: { graceful?: boolean; timeoutMs?: number }): Promise<void>;
}

/** Ten years: the library deletes waiting jobs after 14 days by default, dead-letter queues too. */
export const RETENTION_SECONDS = 10 * 365 * 24 * 3600;

/** Opens pg-boss on the same database, in the schema beside ours. Creates or migrates its tables. */
export async function openQueue(database: AnyDatabase, options: QueueOptions): Promise<Queue> {
  const { workers } = options;
  const seconds = options.superviseSeconds ?? 5;
  const boss = new PgBoss({
    ...(database.kind === 'pglite'
      ? { db: fromPglite(database.pglite), backend: 'pglite' as const }
      : {
          connectionString: database.url,
          max: options.poolSize ?? 4,
          application_name: 'signalbox-queue',
          // Before its table was first analysed, a fetch reads all waiting jobs by bitmap and sorts them: 12.6 ms a
          // batch of a hundred instead of 7.6.
          options: '-c jit=off -c enable_bitmapscan=off',
        }),
    schema: `${database.schema}_jobs`,
    supervise: workers,
    schedule: workers,
    superviseIntervalSeconds: seconds,
    monitorIntervalSeconds: seconds,
    useListenNotify: workers,
  });
  boss.on('error', (error) => options.onError?.(error as Error));
  await boss.start();
  return {
    boss,
    stop: ({ graceful = true, timeoutMs = 30_000 } = {}) => boss.stop({ graceful, timeout: timeoutMs, close: true }),
  };
}

/** The queue's view of one of our transactions. */
export function inTransaction(tx: Tx): Db {
  return { executeSql: (text, values) => tx.query(text, values ?? []) };
}
