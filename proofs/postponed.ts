import type { Machine } from '../src/core/machine.ts';
import { earlyRequests, startMockModel } from '../src/models/mock/index.ts';
import { findBreaches } from '../test/harness/invariants.ts';
import { parcelMachine, postParcels } from '../test/harness/parcel.ts';
import { type Proof, terminate, until } from './proof.ts';
import { openAskingHouse } from './workers/asking-house.ts';

const RETRY_AFTER = 2;

export const proof: Proof = {
  claim: `a provider that answers 429 with Retry-After ${RETRY_AFTER} half of the time: no request before its time, no attempt used up, all done`,
  run: async (stage) => {
    const items = stage.quick ? 24 : 60;
    const script = {
      seed: stage.seed,
      latency_ms: 50,
      faults: [{ kind: 'rate_limited' as const, rate: 0.5, retry_after: RETRY_AFTER }],
    };
    const mock = await startMockModel({ script });
    const house = await openAskingHouse(stage, mock.url, { cap: 4, processes: 2, claimers: 4 });
    const { database } = house;
    try {
      await postParcels(
        database,
        house.queue.boss,
        Array.from({ length: items }, (_, n) => `no. ${n}`),
      );
      const done = async () =>
        (await database.query<{ n: number }>(`select count(*) as n from parcel where state = 'passed'`)).rows[0]!.n;
      await until('all items to be done', 400, async () => (await done()) === items);
      const log = mock.log.entries();
      const limited = log.filter((entry) => entry.status === 429).length;
      const early = earlyRequests(log);
      const { rows } = await database.query<{ postponed: number; failed: number; accepted: number; tries: number }>(
        `select count(*) filter (where outcome = 'postponed') as postponed, count(*) filter (where outcome in ('failed', 'lost')) as failed,
                count(*) filter (where outcome = 'accepted') as accepted,
                (select count(*) from signalbox_jobs.job where (data->>'tries')::int > 0) as tries from run`,
      );
      const counts = rows[0]!;
      const duringPause = requestsDuringPause(log);
      stage.table(
        'Requests',
        [
          'items',
          'done',
          'requests',
          '429',
          'early for their item',
          'sent while all were asked to wait',
          'postponed runs',
          'failed runs',
          'tries used up',
        ],
        [
          [
            items,
            await done(),
            log.length,
            limited,
            early.length,
            duringPause,
            counts.postponed,
            counts.failed,
            counts.tries,
          ],
        ],
      );
      stage.check(limited > items / 4, `only ${limited} requests were limited`);
      stage.equal(early.length, 0, 'requests before their time');
      stage.equal(
        [counts.accepted, counts.postponed, counts.failed, counts.tries],
        [items, limited, 0, 0],
        'accepted, postponed, failed, tries',
      );
      for (const breach of await findBreaches(database, parcelMachine as unknown as Machine, ['test.check']))
        stage.check(false, breach);
      for (const worker of house.workers) stage.equal(await terminate(worker), 0, 'a worker ends with status');
    } finally {
      await house.close();
      await mock.stop();
    }
  },
};

/**
 * Requests that left after another one was told to wait: those on their way when the answer came. Shown, not
 * judged: nobody can call a sent request back.
 */
function requestsDuringPause(log: ReturnType<Awaited<ReturnType<typeof startMockModel>>['log']['entries']>): number {
  const promises = log.flatMap((entry) => entry.retry_promise ?? []);
  return log.filter((entry) =>
    promises.some(
      (p) => entry.received_monotonic_ms > p.made_monotonic_ms && entry.received_monotonic_ms < p.due_monotonic_ms,
    ),
  ).length;
}
