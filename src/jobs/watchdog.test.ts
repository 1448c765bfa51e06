import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { moveClock } from '../../test/harness/clock.ts';
import { onBothDatabases } from '../../test/harness/databases.ts';
import { failedParcels } from '../../test/harness/failed-parcels.ts';
import { insertParcels, PARCEL_TABLES, parcelMachine, parcelStage, passParcel } from '../../test/harness/parcel.ts';
import { uuid7 } from '../core/ids.ts';
import { defineMachine, type Machine } from '../core/machine.ts';
import { move } from '../core/move.ts';
import type { Database } from '../storage/database.ts';
import { enqueue } from './enqueue.ts';
import { findStuck, readHealth, readQueues, reportStuck } from './watchdog.ts';
import { createQueues } from './worker.ts';

const machine = parcelMachine as unknown as Machine;
const LIMIT = 300;

onBothDatabases('the watchdog', (ground, kind) => {
  const jobTable = () => `"${ground().database.schema}_jobs".job`;
  beforeAll(async () => {
    await ground().database.script(PARCEL_TABLES);
    await createQueues(ground().queue, parcelStage(passParcel));
  });
  beforeEach(async () => {
    const { database } = ground();
    await database.script(`truncate parcel, run, dead_letter, journal, outbox; delete from ${jobTable()}`);
    await moveClock(database, 0);
  });

  const at = (seconds: number) => moveClock(ground().database, seconds);
  const take = (items: readonly string[], version: number, from: string, to: string, actor: 'system' | 'author') =>
    ground().database.transaction((tx) =>
      move(
        tx,
        machine,
        items.map((item) => ({ item, version, steps: [{ from, to }], actor })),
      ),
    );

  /** Parcels that began to be checked now. */
  async function checking(count: number): Promise<string[]> {
    const ids = Array.from({ length: count }, () => uuid7());
    await ground().database.transaction((tx) =>
      insertParcels(
        tx,
        ids,
        ids.map(() => 'x'),
      ),
    );
    await take(ids, 1, 'new', 'checking', 'system');
    return ids;
  }

  const events = async () =>
    (
      await ground().database.query<{ item: string; n: number; data: Record<string, unknown> }>(
        `select item, item_seq as n, data from outbox where type = 'core.item.stuck' order by item, item_seq`,
      )
    ).rows;
  const found = async () => (await findStuck(ground().database, [machine])).map(({ item }) => item);
  const report = async (database: Database = ground().database) =>
    (await reportStuck(database, [machine])).map(({ item }) => item);

  describe('finds', () => {
    test('items that sit longer than their state allows, the oldest first', async () => {
      const [first] = (await checking(1)) as [string];
      await at(100);
      const [second] = (await checking(1)) as [string];
      await at(LIMIT - 5);
      expect(await found()).toEqual([]);
      await at(LIMIT + 5);
      expect(await findStuck(ground().database, [machine])).toEqual([
        { machine: 'test.parcel', item: first, state: 'checking', seconds: expect.closeTo(LIMIT + 5, -1) },
      ]);
      await at(LIMIT + 105);
      expect(await found()).toEqual([first, second]);
      await take([first], 2, 'checking', 'passed', 'system');
      expect(await found()).toEqual([second]);
    });

    test('no item in a state that has no limit, and none of a machine without limits', async () => {
      const ids = [uuid7()];
      await ground().database.transaction((tx) => insertParcels(tx, ids, ['x']));
      await at(1_000_000);
      expect(await found()).toEqual([]);
      const patient = { ...machine, stuckAfterSeconds: {} } as Machine;
      expect(await findStuck(ground().database, [patient])).toEqual([]);
      const strict = { ...machine, stuckAfterSeconds: { new: 10, checking: 10 } } as Machine;
      expect(await findStuck(ground().database, [patient, strict])).toMatchObject([{ item: ids[0], state: 'new' }]);
    });

    test('states of any name', async () => {
      const odd = defineMachine({
        name: 'test.odd',
        table: 'parcel',
        states: ["o'clock"],
        initial: ["o'clock"],
        resting: [],
        failed: [],
        edges: { "o'clock": { "o'clock": ['system'] } },
        stuckAfterSeconds: { "o'clock": 5 },
      }) as unknown as Machine;
      await checking(1);
      await ground().database.query(`update parcel set state = 'o''clock'`);
      await at(6);
      expect(await findStuck(ground().database, [odd])).toMatchObject([{ state: "o'clock" }]);
    });
  });

  describe('tells', () => {
    test('of each stay once, however often it looks', async () => {
      const [item] = (await checking(1)) as [string];
      await at(LIMIT + 5);
      expect(await report()).toEqual([item]);
      await at(LIMIT + 50);
      expect(await report()).toEqual([]);
      const data = { machine: 'test.parcel', state: 'checking', seconds: expect.closeTo(LIMIT + 5, -1) };
      expect(await events()).toEqual([{ item, n: 1, data }]);

      // It goes on, comes back, and sits again.
      await take([item], 2, 'checking', 'new', 'author');
      await take([item], 3, 'new', 'checking', 'system');
      await at(LIMIT + 200);
      expect(await report()).toEqual([]);
      await at(2 * LIMIT + 60);
      expect(await report()).toEqual([item]);
      expect((await events()).map(({ n }) => n)).toEqual([1, 2]);
    });

    test('of all, though it names a hundred at a time and those stay where they are', async () => {
      const ids = await checking(130);
      await at(LIMIT + 5);
      const first = await report();
      expect(first).toHaveLength(100);
      expect(await found()).toHaveLength(100);
      const second = await report();
      expect([...first, ...second].toSorted()).toEqual(ids.toSorted());
      expect(await report()).toEqual([]);
      expect(await events()).toHaveLength(130);
    });

    test('once, when two watchdogs look at once', async () => {
      const [item] = (await checking(1)) as [string];
      await at(LIMIT + 5);
      const { database } = ground();
      const second: Database = {
        ...database,
        transaction: async (work) => {
          expect(await report()).toEqual([item]);
          return database.transaction(work);
        },
      };
      expect(await report(second)).toEqual([]);
      expect(await events()).toHaveLength(1);
    });

    test('not of an item that went on meanwhile', async () => {
      const [gone, stays] = (await checking(2)) as [string, string];
      await at(LIMIT + 5);
      const { database } = ground();
      const late: Database = {
        ...database,
        transaction: async (work) => {
          await take([gone], 2, 'checking', 'passed', 'system');
          return database.transaction(work);
        },
      };
      expect(await report(late)).toEqual([stays]);
      expect((await events()).map(({ item }) => item)).toEqual([stays]);
    });

    test.runIf(kind === 'postgres')(
      'of an item that somebody works on when that is over, and waits for nobody',
      async () => {
        const [busy, idle] = (await checking(2)) as [string, string];
        await at(LIMIT + 5);
        const held = Promise.withResolvers<void>();
        const end = Promise.withResolvers<void>();
        const working = ground().database.transaction(async (tx) => {
          await tx.query('select from parcel where id = $1 for update', [busy]);
          held.resolve();
          await end.promise;
        });
        await held.promise;
        expect(await report()).toEqual([idle]);
        end.resolve();
        await working;
        expect(await report()).toEqual([busy]);
      },
    );
  });

  describe('counts', () => {
    const post = (count: number, startAfterSeconds?: number) =>
      ground().database.transaction((tx) =>
        enqueue(
          tx,
          ground().queue.boss,
          Array.from({ length: count }, () => ({
            queue: 'test.check',
            data: { item: uuid7(), cv: 1, cause: 'live' },
            ...(startAfterSeconds === undefined ? {} : { startAfterSeconds }),
          })),
        ),
      );
    const queueNow = async () =>
      (await readQueues(ground().database, ground().database.schema)).find(({ name }) => name === 'test.check');

    test('jobs that wait, that may not start yet, that are worked on, and claims without a sign of life', async () => {
      expect(await queueNow()).toBeUndefined();
      await post(3);
      await post(2, 60);
      await ground().queue.boss.fetch('test.check');
      expect(await queueNow()).toEqual({
        name: 'test.check',
        waiting: 2,
        delayed: 2,
        active: 1,
        oldestSeconds: expect.any(Number),
        silent: 0,
      });
      await at(30);
      const after = (await queueNow())!;
      expect(after).toMatchObject({ waiting: 2, delayed: 2, active: 1, silent: 1 });
      expect(after.oldestSeconds).toBeGreaterThanOrEqual(30);
      expect(after.oldestSeconds).toBeLessThan(60);
      await at(90);
      const later = (await queueNow())!;
      expect(later).toMatchObject({ waiting: 4, delayed: 0 });
      expect(later.oldestSeconds).toBeGreaterThanOrEqual(90);
    });

    test('dead letters and how long the oldest lies', async () => {
      const { database } = ground();
      expect(await readHealth(database, [machine])).toMatchObject({ deadLetters: 0, oldestDeadLetterSeconds: null });
      await failedParcels(database, 1);
      await at(50);
      await failedParcels(database, 2);
      await at(80);
      const health = await readHealth(database, [machine]);
      expect(health.deadLetters).toBe(3);
      expect(health.oldestDeadLetterSeconds).toBeGreaterThanOrEqual(80);
      expect(health.oldestDeadLetterSeconds).toBeLessThan(110);
      await database.query('update dead_letter set redriven_at = now_here()');
      expect(await readHealth(database, [machine])).toMatchObject({ deadLetters: 0, oldestDeadLetterSeconds: null });
    });

    test('all of it at one look', async () => {
      const { database } = ground();
      const [item] = (await checking(1)) as [string];
      await post(1);
      await at(LIMIT + 5);
      const health = await readHealth(database, [machine]);
      expect(health.stuck).toMatchObject([{ item }]);
      expect(health.queues).toMatchObject([{ name: 'test.check', waiting: 1 }]);
      expect(health.oldestTransactionSeconds).toBeGreaterThanOrEqual(0);
    });

    test.runIf(kind === 'postgres')('how long the oldest transaction is open', async () => {
      const { database } = ground();
      const opened = Promise.withResolvers<void>();
      const end = Promise.withResolvers<void>();
      const open = database.transaction(async (tx) => {
        await tx.query('select 1');
        opened.resolve();
        await end.promise;
      });
      await opened.promise;
      // It grows while nobody does anything.
      let seconds = 0;
      while (seconds < 0.05) seconds = (await readHealth(database, [machine])).oldestTransactionSeconds;
      end.resolve();
      await open;
    });
  });
});
