import { beforeAll, expect, test } from 'vitest';
import { type Ground, onBothDatabases } from '../../test/harness/databases.ts';
import { findBreaches } from '../../test/harness/invariants.ts';
import { PARCEL_TABLES, parcelMachine, parcelStage, passParcel, postParcels } from '../../test/harness/parcel.ts';
import { drain } from '../../test/harness/worker.ts';
import { uuid5, uuid7 } from '../core/ids.ts';
import type { Machine } from '../core/machine.ts';
import { CodedError } from '../errors/coded-error.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { createQueues } from '../jobs/worker.ts';
import type { ReplayAction } from './action.ts';
import { type BatchDeps, readBatch, startBatch, steerBatch } from './batches.ts';
import { DISPATCH_STAGE, dispatchStage } from './dispatch.ts';
import { batchMachine } from './machine.ts';
import { retryFailed } from './retry-failed.ts';

const ITEMS = 35;
const PAGE = 10;

/** Parcels looked at again; each visit is noted by the batch that caused it. */
const visits: { item: string; cause: string }[] = [];
const broken = new Set<string>();
const stage = parcelStage(
  (item, claim) => {
    if (item.state !== 'passed') return passParcel(item, claim);
    if (broken.has(item.content)) throw new CodedError('test.broken', 'permanent', 'it cannot be looked at');
    visits.push({ item: item.id, cause: claim.cause });
    return 'again';
  },
  { replayFrom: ['passed'], save: async () => {} },
);

const nothing = {
  human_decided: 0,
  human_edited: 0,
  stale: 0,
  moves: {},
  stages: [],
  model_calls: 0,
  tokens: 0,
  cost: { low: 0, high: 0 },
};
const action: ReplayAction = {
  service: 'test',
  name: 'look',
  stage,
  modes: ['look', 'stare'],
  check: () => {},
  lastId: async (on) =>
    (await on.query<{ id: string }>('select id from parcel order by id desc limit 1')).rows[0]?.id ?? null,
  page: async (on, scope, after, upTo, limit) =>
    (
      await on.query<{ id: string; contentVersion: number }>(
        `select id, content_version as "contentVersion" from parcel
          where state = 'passed' and ($1::uuid is null or id > $1) and id <= $2::uuid
            and ($4::uuid[] is null or id = any($4)) order by id limit $3`,
        [after, upTo, limit, 'ids' in scope ? scope.ids : null],
      )
    ).rows,
  preview: async (on) => ({
    ...nothing,
    items: (await on.query<{ n: number }>(`select count(*)::int as n from parcel where state = 'passed'`)).rows[0]!.n,
    warnings: [],
  }),
  rulebookVersion: async () => 1,
  enqueue: (tx, boss, page, { batch }) =>
    enqueue(
      tx,
      boss,
      page.map(({ id, contentVersion }) => ({
        queue: stage.name,
        id: uuid5(batch, id, stage.name),
        data: { item: id, cv: contentVersion, cause: batch, lane: 'batch' as const },
      })),
    ),
  idsOf: async (_, items) => [...items],
  trial: async () => ({ tried: 0, changed_items: 0, moves: {}, by_field: {}, changes: [] }),
  measure: async () => ({ fields: {}, changes: [] }),
};

const order = { scope: { all: true as const }, mode: 'look', includeHuman: false, confirmCascade: false };

onBothDatabases('a replay', (ground) => {
  let deps: BatchDeps & { readonly actions: readonly ReplayAction[] };
  const dispatcher = () =>
    dispatchStage({ boss: deps.boss, jobsSchema: deps.jobsSchema, actions: [action], pageSize: PAGE });
  const start = (force = true) => startBatch(deps, { ...order, action, force, startedBy: 'somebody' });
  const state = async (batch: string) => (await readBatch(ground().database, batch)).state;

  beforeAll(async () => {
    const { database, queue } = ground();
    await database.script(PARCEL_TABLES);
    const jobsSchema = `${database.schema}_jobs`;
    deps = { database, boss: queue.boss, jobsSchema, newId: () => uuid7(), actions: [action] };
    for (const one of [stage, dispatcher()]) await createQueues(queue, one);
    await postParcels(
      database,
      queue.boss,
      Array.from({ length: ITEMS }, (_, n) => `no. ${n}`),
    );
    const passed = async () =>
      (await database.query(`select from parcel where state = 'passed'`)).rows.length === ITEMS;
    await drain(ground(), [stage], passed);
  });

  test('visits every item once, page by page, though its dispatcher is delivered twice', async () => {
    const { batch, preview } = await start();
    expect(preview.items).toBe(ITEMS);
    await repeatDispatcher(ground(), batch, 1);
    await drain(ground(), [stage, dispatcher()], async () => (await state(batch)) === 'done');
    const mine = visits.filter(({ cause }) => cause === batch).map(({ item }) => item);
    expect([mine.length, new Set(mine).size]).toEqual([ITEMS, ITEMS]);
    const end = await readBatch(ground().database, batch);
    expect(end).toMatchObject({ dispatched: ITEMS, progress: { accepted: ITEMS } });
    // Four pages and the end.
    const { rows } = await ground().database.query(
      `select from run where item = $1 and stage = $2 and outcome = 'accepted'`,
      [batch, DISPATCH_STAGE],
    );
    expect(rows).toHaveLength(5);
    const { database } = ground();
    expect(await findBreaches(database, parcelMachine as unknown as Machine, [stage.name])).toEqual([]);
    expect(await findBreaches(database, batchMachine as unknown as Machine, [DISPATCH_STAGE])).toEqual([]);
  });

  test('held, it adds nothing; let go, it goes on where it was', async () => {
    const { batch } = await start();
    await steerBatch(deps, batch, 'pause', 'somebody');
    const { batch: other } = await start();
    await drain(ground(), [stage, dispatcher()], async () => (await state(other)) === 'done');
    expect(await readBatch(ground().database, batch)).toMatchObject({ state: 'paused', dispatched: 0 });
    await steerBatch(deps, batch, 'resume', 'somebody');
    await drain(ground(), [stage, dispatcher()], async () => (await state(batch)) === 'done');
    expect(visits.filter(({ cause }) => cause === batch)).toHaveLength(ITEMS);
  });

  test('tries again what failed, and nothing else', async () => {
    for (const content of ['no. 3', 'no. 7']) broken.add(content);
    const { batch } = await start();
    await drain(ground(), [stage, dispatcher()], async () => (await state(batch)) === 'done');
    expect((await readBatch(ground().database, batch)).progress).toEqual({ accepted: ITEMS - 2, failed: 2 });
    broken.clear();
    const again = await retryFailed(deps, () => action, batch, 'somebody');
    await drain(ground(), [stage, dispatcher()], async () => (await state(again.batch)) === 'done');
    const { progress, scope } = await readBatch(ground().database, again.batch);
    expect([progress, (scope as { ids: string[] }).ids.length]).toEqual([{ accepted: 2 }, 2]);
    await expect(retryFailed(deps, () => action, again.batch, 'somebody')).rejects.toMatchObject({
      code: 'replay.nothing_failed',
    });
  });

  test('ended, it takes back what nobody has claimed', async () => {
    const { batch } = await start();
    const before = visits.length;
    await drain(ground(), [dispatcher()], async () => (await readBatch(ground().database, batch)).dispatched > 0);
    await steerBatch(deps, batch, 'cancel', 'somebody');
    const { batch: last } = await start();
    await drain(ground(), [stage, dispatcher()], async () => (await state(last)) === 'done');
    expect(visits.slice(before).every(({ cause }) => cause === last)).toBe(true);
    expect(await state(batch)).toBe('cancelled');
  });

  test('of nothing is done at once', async () => {
    const none = { ...action, name: 'none', lastId: async () => null };
    const { batch } = await startBatch(deps, {
      ...order,
      action: none,
      force: false,
      startedBy: 'x',
    });
    const both = dispatchStage({ boss: deps.boss, jobsSchema: deps.jobsSchema, actions: [action, none] });
    await drain(ground(), [both], async () => (await state(batch)) === 'done');
    expect(await readBatch(ground().database, batch)).toMatchObject({ dispatched: 0 });
  });
});

async function repeatDispatcher({ database, queue }: Ground, batch: string, cv: number): Promise<void> {
  await database.transaction((tx) =>
    enqueue(tx, queue.boss, [{ queue: DISPATCH_STAGE, data: { item: batch, cv, cause: 'live' } }]),
  );
}
