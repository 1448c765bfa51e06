import type { Database, Tx } from '../../src/storage/database.ts';

/** The server's process behind an open transaction. */
export async function backendOf(tx: Tx): Promise<number> {
  const { rows } = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]!.pid;
}

/** Resolves once that process waits for a lock which another holds: looks again and again, and never sleeps. */
export async function untilBlocked(database: Database, pid: number): Promise<void> {
  for (;;) {
    const { rows } = await database.query<{ blocked: boolean }>(
      'select cardinality(pg_blocking_pids($1)) > 0 as blocked',
      [pid],
    );
    if (rows[0]?.blocked) return;
  }
}
