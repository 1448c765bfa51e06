import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openGround } from '../../test/harness/databases.ts';
import { PARCEL_TABLES, parcelStage, passParcel, postParcels } from '../../test/harness/parcel.ts';
import { drain } from '../../test/harness/worker.ts';
import { createQueues } from './worker.ts';

/** Notes a value at every turn of the event loop until it is stopped. */
function watchTurns<T>(value: () => T): () => T[] {
  const seen: T[] = [];
  let next = setImmediate(look);
  function look() {
    seen.push(value());
    next = setImmediate(look);
  }
  return () => {
    clearImmediate(next);
    return seen;
  };
}

// The embedded database answers without a turn of the event loop, and cleaning is computing: requests and signals
// would wait until a backlog is gone.
describe('a backlog on the embedded database', () => {
  let ground: Awaited<ReturnType<typeof openGround>>;
  beforeAll(async () => {
    ground = await openGround('pglite');
    await ground.database.script(PARCEL_TABLES);
  });
  afterAll(() => ground.close());
  const passed = async () => {
    const { rows } = await ground.database.query<{ n: number }>(
      `select count(*)::int as n from parcel where state = 'passed'`,
    );
    return rows[0]!.n;
  };

  test('leaves the event loop a turn after each batch', async () => {
    const stage = parcelStage(passParcel, { batch: 20, concurrency: 1 });
    await createQueues(ground.queue, stage);
    await postParcels(
      ground.database,
      ground.queue.boss,
      Array.from({ length: 100 }, (_, n) => `no. ${n}`),
    );
    let settled = 0;
    const stop = watchTurns(() => settled);
    await drain(ground, [stage], async () => {
      settled = await passed();
      return settled === 100;
    });
    expect([...new Set(stop())]).toEqual(expect.arrayContaining([20, 40, 60, 80]));
  });

  test('leaves it turns inside a batch that computes for long', async () => {
    let worked = 0;
    const stage = parcelStage(
      (item, claim) => {
        const until = performance.now() + 25;
        while (performance.now() < until);
        worked += 1;
        return passParcel(item, claim);
      },
      { batch: 10, concurrency: 1 },
    );
    await createQueues(ground.queue, stage);
    await postParcels(
      ground.database,
      ground.queue.boss,
      Array.from({ length: 10 }, (_, n) => `long ${n}`),
    );
    const stop = watchTurns(() => worked);
    await drain(ground, [stage], async () => worked === 10);
    expect([...new Set(stop())]).toEqual(expect.arrayContaining([1, 5, 9]));
  });
});
