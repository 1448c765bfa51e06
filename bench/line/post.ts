import { uuid7 } from '../../src/core/ids.ts';
import { recordBirths } from '../../src/core/journal.ts';
import { enqueue } from '../../src/jobs/enqueue.ts';
import type { Queue } from '../../src/jobs/queue.ts';
import type { Database } from '../../src/storage/database.ts';
import { lineMachine } from './machine.ts';

const BATCH = 100;
const POSTERS = 4;

/** Items, their first journal row and their job, a hundred a transaction, as a service takes tasks in. */
export async function postItems(database: Database, queue: Queue, stage: string, count: number): Promise<void> {
  let left = count;
  const poster = async () => {
    while (left > 0) {
      const size = Math.min(left, BATCH);
      left -= size;
      await postBatch(database, queue, stage, size);
    }
  };
  await Promise.all(Array.from({ length: POSTERS }, poster));
}

async function postBatch(database: Database, queue: Queue, stage: string, size: number): Promise<void> {
  const ids = Array.from({ length: size }, () => uuid7());
  await database.transaction(async (tx) => {
    await tx.query(
      `insert into line_item (id, state, version, state_since)
       select id, 'new', 1, now_here() from unnest($1::uuid[]) as i(id)`,
      [ids],
    );
    await recordBirths(
      tx,
      lineMachine,
      ids.map((item) => ({ item, state: 'new', actor: 'system' })),
    );
    await enqueue(
      tx,
      queue.boss,
      ids.map((item) => ({ queue: stage, data: { item, cv: 1, cause: 'live' } })),
    );
  });
}
