import { checkInvariants, tally } from './answers/accounts-of-samples.ts';
import { openPost } from './answers/open-post.ts';
import { sampleTask } from './answers/sample-tasks.ts';
import { type Proof, sleep, terminate, until } from './proof.ts';

const OUTAGE_SECONDS = 20;

export const proof: Proof = {
  claim: 'the database stops at once in the middle of work and refuses for 20 s: no dead letters, all completed after',
  run: async (stage) => {
    const total = stage.quick ? 500 : 3_000;
    const server = await stage.postgres();
    const post = await openPost(server.url);
    const workers = [0, 1].map(() => stage.start('src/main.ts', ['worker'], { DATABASE_URL: server.url }));
    const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => sampleTask(from + n));
    await post.api('POST', '/answers/clean-tasks', range(0, 1));
    await until('the workers to come up', 60, async () => (await tally(post.house.database)).completed === 1);
    await post.api('POST', '/answers/clean-tasks', range(1, total));
    await until(
      'the work to be under way',
      60,
      async () => (await tally(post.house.database)).completed > total / 20,
      5,
    );
    const atCrash = await tally(post.house.database);
    await server.crash();
    await post.house.stop().catch(() => {});
    await sleep(OUTAGE_SECONDS * 1000);
    await server.restart();
    const { house } = await openPost(server.url);
    try {
      await until('all samples to be completed', 180, async () => (await tally(house.database)).completed === total);
      const after = await tally(house.database);
      stage.table(
        'Samples',
        ['when', 'tasks', 'completed', 'accepted runs', 'lost claims', 'dead letters'],
        [
          [
            `when it stopped, for ${OUTAGE_SECONDS} s`,
            total,
            atCrash.completed,
            atCrash.accepted,
            atCrash.lost,
            atCrash.deadLetters,
          ],
          ['after', total, after.completed, after.accepted, after.lost, after.deadLetters],
        ],
      );
      stage.check(atCrash.completed < total, 'all was done before the database stopped');
      stage.equal(
        [after.completed, after.results, after.accepted, after.deadLetters],
        [total, total, total, 0],
        'completed, results, accepted runs, dead letters',
      );
      await checkInvariants(stage, house.database);
      for (const worker of workers)
        stage.equal(await terminate(worker), 0, 'a worker that lived through it ends with status');
    } finally {
      await house.stop();
    }
  },
};
