import { PgBoss } from 'pg-boss';
import { addTimes, contend, timed } from '../measure/contender.ts';
import type { QueueRun, QueueSettings } from '../measure/runs.ts';

const QUEUE = 'bench';
const BATCH = 100;
/** Inserters, then fetchers, at once. Of 2, 4 and 8, four were the fastest on two cores. */
const AT_ONCE = 4;

/**
 * One empty job an item: inserted, then fetched and completed a hundred at a time. The loops are our own, without
 * the library's worker around them: that is its fastest way, and nothing of it runs beside.
 */
contend(async ({ url, postmaster, schema, items, warmUp }: QueueSettings): Promise<QueueRun> => {
  const boss = new PgBoss({ connectionString: url, schema, supervise: false, schedule: false });
  boss.on('error', (error) => {
    throw error;
  });
  await boss.start();
  await boss.createQueue(QUEUE);
  await insert(boss, warmUp);
  await take(boss, warmUp);
  const post = await timed(postmaster, () => insert(boss, items));
  const rest = await timed(postmaster, () => take(boss, items));
  const { rows } = await boss
    .getDb()
    .executeSql(`select count(*)::int as done from ${schema}.job where state = 'completed'`, []);
  await boss.stop({ graceful: false });
  return {
    ...addTimes(post, rest),
    postMs: post.ms,
    rows: { done: rows[0].done - warmUp },
  };
});

async function insert(boss: PgBoss, count: number): Promise<void> {
  let left = count;
  await atOnce(async () => {
    while (left > 0) {
      const size = Math.min(left, BATCH);
      left -= size;
      await boss.insert(
        QUEUE,
        Array.from({ length: size }, (_, n) => ({ data: { item: left + n } })),
      );
    }
  });
}

async function take(boss: PgBoss, count: number): Promise<void> {
  let left = count;
  await atOnce(async () => {
    while (left > 0) {
      const jobs = await boss.fetch(QUEUE, { batchSize: BATCH });
      if (!jobs.length) return;
      await boss.complete(QUEUE, jobs);
      left -= jobs.length;
    }
  });
}

async function atOnce(work: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}
