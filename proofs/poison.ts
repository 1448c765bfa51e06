import type { ChildProcess } from 'node:child_process';
import { checkInvariants, tally } from './answers/accounts-of-samples.ts';
import { openPost } from './answers/open-post.ts';
import { sampleTask } from './answers/sample-tasks.ts';
import { type Proof, terminate, until } from './proof.ts';

const ITEMS = 100;

export const proof: Proof = {
  claim: 'one item of 100 kills its process: 99 are done, and there is one dead letter after three lost claims',
  run: async (stage) => {
    const { url } = await stage.postgres();
    const { house, api } = await openPost(url);
    const { database } = house;
    let deaths = 0;
    let worker: ChildProcess | undefined;
    let over = false;
    try {
      await api(
        'POST',
        '/answers/clean-tasks',
        Array.from({ length: ITEMS }, (_, n) => sampleTask(n)),
      );
      const unlucky = `task-${Math.floor(stage.random() * ITEMS)}`;
      const { rows } = await database.query<{ id: string }>('select id from answers_sample where clean_task_id = $1', [
        unlucky,
      ]);
      const start = () => {
        worker = stage.start('proofs/workers/poisoned-worker.ts', [], { DATABASE_URL: url, POISON: rows[0]!.id });
        worker.once('exit', (_code, signal) => {
          if (signal === 'SIGKILL' && !over) {
            deaths += 1;
            start();
          }
        });
      };
      start();
      await until('99 samples completed and one failed', 240, async () => {
        const { completed, failed } = await tally(database);
        return completed === ITEMS - 1 && failed === 1;
      });
      over = true;
      const counts = await tally(database);
      const { items } = await api<{
        items: {
          item: string;
          code: string;
          input_ref: string;
          attempts: { attempt: number; outcome: string; code: string }[];
        }[];
      }>('GET', '/dead-letters');
      stage.table(
        'The dead letter',
        ['input', 'error', 'attempt', 'outcome', 'with'],
        items.flatMap((letter) =>
          letter.attempts.map((a) => [letter.input_ref, letter.code, a.attempt, a.outcome, a.code]),
        ),
      );
      stage.table(
        'Items',
        ['items', 'completed', 'failed', 'worker deaths', 'lost claims', 'dead letters'],
        [[ITEMS, counts.completed, counts.failed, deaths, counts.lost, items.length]],
      );
      stage.equal(items.length, 1, 'dead letters');
      stage.equal(items[0]?.item, rows[0]!.id, 'the dead letter is of the poisonous item');
      stage.equal(
        items[0]?.attempts.map((a) => a.outcome),
        ['lost', 'lost', 'lost', 'failed'],
        'attempts of the letter',
      );
      stage.equal(deaths, 3, 'workers that died');
      const { rows: beside } = await database.query<{ n: number }>(
        `select coalesce(max(n), 0)::int as n from (
           select count(*) as n from run where outcome = 'lost' and item <> $1 group by item) lost`,
        [rows[0]!.id],
      );
      stage.equal(beside[0]!.n, 1, 'claims that a neighbour lost at most');
      await checkInvariants(stage, database);
      stage.equal(await terminate(worker!), 0, 'the last worker ends with status');
    } finally {
      over = true;
      await house.stop();
    }
  },
};
