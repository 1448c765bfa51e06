import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { onBothDatabases } from '../../test/harness/databases.ts';
import { failedParcels, failedRun, giveUp, letterFor } from '../../test/harness/failed-parcels.ts';
import { PARCEL_TABLES, parcelMachine, parcelStage, passParcel } from '../../test/harness/parcel.ts';
import { decide } from '../core/decide.ts';
import { uuid7 } from '../core/ids.ts';
import { readHistory } from '../core/journal.ts';
import type { Machine } from '../core/machine.ts';
import { recordRuns } from '../core/run.ts';
import type { Database, Tx } from '../storage/database.ts';
import { openPostgres } from '../storage/postgres.ts';
import { type DeadLetter, listDeadLetters, previewRedrive, recordDeadLetters } from './dead-letter.ts';
import type { JobData } from './enqueue.ts';
import { redrive, STAGE_UNKNOWN } from './redrive.ts';
import { createQueues } from './worker.ts';

const machine = parcelMachine as unknown as Machine;
const stage = parcelStage(passParcel);

onBothDatabases('dead letters', (ground, kind) => {
  const jobTable = () => `"${ground().database.schema}_jobs".job`;
  beforeAll(async () => {
    const { database, queue } = ground();
    await database.script(PARCEL_TABLES);
    await createQueues(queue, stage);
  });
  beforeEach(() => ground().database.script(`truncate parcel, run, dead_letter, journal; delete from ${jobTable()}`));

  const list = (...rest: [filter?: object, limit?: number, after?: string]) => {
    const [filter = {}, limit = 1_000, after] = rest;
    return listDeadLetters(ground().database, filter, limit, after);
  };

  const jobs = async () =>
    (
      await ground().database.query<{ queue: string; priority: number; data: JobData }>(
        `select name as queue, priority, data from ${jobTable()} where state = 'created'`,
      )
    ).rows;

  async function look(item: string) {
    const { rows } = await ground().database.query<{ state: string; version: number; revision: number }>(
      'select state, version, revision from parcel where id = $1',
      [item],
    );
    return rows[0];
  }

  const person = (item: string, to: string | null, changes: object = {}, on: Database = ground().database) =>
    on.transaction((tx) =>
      decide(tx, machine, {
        item,
        expectedRevision: 1,
        to,
        actor: 'human',
        actorId: 'someone',
        reason: null,
        ...changes,
      }),
    );

  const drive = (filter = {}, on: Database = ground().database) =>
    redrive(on, ground().queue.boss, [stage], filter, 'operator');

  describe('hold', () => {
    test("the input's reference and every attempt of this work, in order", async () => {
      const item = uuid7();
      const message = 'm'.repeat(600);
      const error = { code: 'test.slow', errorClass: 'transient', message: 'too slow' } as const;
      await ground().database.transaction(async (tx) => {
        await recordRuns(tx, [
          failedRun(item, { error, beganAgoMs: 5_000, endedAgoMs: 4_000 }),
          failedRun(item, { outcome: 'lost', error: { code: 'core.claim_lost', errorClass: 'lost', message: 'gone' } }),
          failedRun(item, { stage: 'test.other' }),
          failedRun(item, { contentVersion: 2 }),
          failedRun(item, { cause: 'batch-1' }),
          failedRun(item),
        ]);
        await recordDeadLetters(tx, [letterFor(item, { message })]);
      });
      const [letter, ...more] = await list();
      expect(more).toEqual([]);
      const { id: _, ...given } = letterFor(item, { message: 'm'.repeat(500) });
      expect(letter).toMatchObject({ ...given, createdAt: expect.any(Date) });
      const times = { started_at: expect.any(String), ended_at: expect.any(String) };
      expect(letter!.attempts).toEqual([
        { attempt: 1, outcome: 'failed', code: 'test.slow', class: 'transient', message: 'too slow', ...times },
        { attempt: 2, outcome: 'lost', code: 'core.claim_lost', class: 'lost', message: 'gone', ...times },
        { attempt: 3, outcome: 'failed', code: 'test.broken', class: 'permanent', message: 'it is broken', ...times },
      ]);
      const [first] = letter!.attempts;
      expect(Date.parse(first!.ended_at) - Date.parse(first!.started_at)).toBe(1_000);
    });

    test('no attempt when none was written', async () => {
      await ground().database.transaction(async (tx) => {
        await recordDeadLetters(tx, [letterFor(uuid7())]);
        await recordDeadLetters(tx, []);
      });
      expect(await list()).toMatchObject([{ attempts: [] }]);
    });

    test('the newest failure, when a person put the item back to work past its letter', async () => {
      const { database } = ground();
      const [item] = (await failedParcels(database, 1)) as [string];
      await person(item, 'new', { newContent: true });
      const again = { contentVersion: 2, code: 'test.worse', message: 'worse' };
      const { version } = (await look(item))!;
      await database.transaction((tx) => giveUp(tx, [{ id: item, version }], again));
      const letters = await list();
      expect(letters).toMatchObject([{ item, ...again }]);
      expect(letters[0]!.attempts).toHaveLength(1);
    });
  });

  describe('are found', () => {
    let broken: string[];
    let slow: string[];
    beforeEach(async () => {
      broken = await failedParcels(ground().database, 3);
      slow = await failedParcels(ground().database, 2, { code: 'test.slow', reached: 'new' });
      await failedParcels(ground().database, 1, { stage: 'test.other' });
    });
    const itemsOf = (letters: readonly DeadLetter[]) => letters.map(({ item }) => item).toSorted();

    test('by stage, by code, by id, and by all of them', async () => {
      const all = await list();
      expect(all).toHaveLength(6);
      expect(itemsOf(await list({ code: 'test.slow' }))).toEqual(slow.toSorted());
      expect(itemsOf(await list({ stage: 'test.check' }))).toEqual([...broken, ...slow].toSorted());
      const ids = all.filter(({ item }) => item === slow[0] || item === broken[0]).map(({ id }) => id);
      expect(itemsOf(await list({ ids }))).toEqual([slow[0], broken[0]].toSorted());
      expect(itemsOf(await list({ ids, code: 'test.slow', stage: 'test.check' }))).toEqual([slow[0]]);
      expect(await list({ ids: [] })).toEqual([]);
    });

    test('page by page, oldest first', async () => {
      const all = (await list()).map(({ id }) => id);
      expect(all).toEqual(all.toSorted());
      const pages: string[] = [];
      for (let after: string | undefined; ; after = pages.at(-1)) {
        const page = await list({}, 4, after);
        if (!page.length) break;
        pages.push(...page.map(({ id }) => id));
      }
      expect(pages).toEqual(all);
    });

    test('in a preview that counts what a redrive would touch', async () => {
      expect(await previewRedrive(ground().database, {})).toEqual([
        { stage: 'test.check', code: 'test.broken', reached: 'checking', count: 3 },
        { stage: 'test.check', code: 'test.slow', reached: 'new', count: 2 },
        { stage: 'test.other', code: 'test.broken', reached: 'checking', count: 1 },
      ]);
      expect(await previewRedrive(ground().database, { code: 'test.slow' })).toMatchObject([{ count: 2 }]);
      await drive({ stage: 'test.check', code: 'test.broken' });
      expect(await previewRedrive(ground().database, { stage: 'test.check' })).toMatchObject([{ code: 'test.slow' }]);
    });
  });

  describe('redriven', () => {
    test('bring their items back to the state they reached, with a job for people, once', async () => {
      const { database } = ground();
      const [item] = (await failedParcels(database, 1, { cause: 'batch-1' })) as [string];
      const [early] = (await failedParcels(database, 1, { reached: 'new' })) as [string];
      expect(await drive()).toEqual({ redriven: 2, left: 0 });
      expect(await look(item)).toEqual({ state: 'checking', version: 4, revision: 1 });
      expect(await look(early)).toMatchObject({ state: 'new' });
      expect((await readHistory(database, [item])).get(item)!.at(-1)).toMatchObject({
        kind: 'move',
        from: 'failed',
        to: 'checking',
        actor: 'human',
        actorId: 'operator',
        reason: 'redrive',
      });
      const own = (await jobs()).filter(({ data }) => data.item === item);
      expect(own).toEqual([
        { queue: 'test.check', priority: 20, data: { item, cv: 1, cause: 'batch-1', lane: 'people' } },
      ]);
      const { rows } = await database.query('select redriven_by as by, redriven_at is not null as at from dead_letter');
      expect(rows).toEqual([
        { by: 'operator', at: true },
        { by: 'operator', at: true },
      ]);
      expect(await list()).toEqual([]);
      expect(await drive()).toEqual({ redriven: 0, left: 0 });
      expect(await jobs()).toHaveLength(2);
    });

    test('go by the filter', async () => {
      const { database } = ground();
      await failedParcels(database, 2);
      const slow = await failedParcels(database, 2, { code: 'test.slow' });
      expect(await drive({ code: 'test.slow' })).toEqual({ redriven: 2, left: 0 });
      expect((await jobs()).map(({ data }) => data.item).toSorted()).toEqual(slow.toSorted());
      expect(await list()).toHaveLength(2);
    });

    test('take another way back where a person may not go to the state reached', async () => {
      const [item] = (await failedParcels(ground().database, 1, { reached: 'passed' })) as [string];
      expect(await drive()).toEqual({ redriven: 1, left: 0 });
      expect(await look(item)).toMatchObject({ state: 'new' });
    });

    test('start work on the content that stands there now', async () => {
      const [item] = (await failedParcels(ground().database, 1)) as [string];
      await person(item, null, { newContent: true });
      await drive();
      expect(await jobs()).toMatchObject([{ data: { item, cv: 2 } }]);
    });

    test('leave what a person moved or deleted meanwhile, and its letter', async () => {
      const { database } = ground();
      const [moved, deleted, plain] = (await failedParcels(database, 3)) as [string, string, string];
      await person(moved, 'rejected');
      await database.query('delete from parcel where id = $1', [deleted]);
      expect(await drive()).toEqual({ redriven: 1, left: 2 });
      expect(await look(moved)).toMatchObject({ state: 'rejected', revision: 2 });
      expect((await list()).map(({ item }) => item).toSorted()).toEqual([moved, deleted].toSorted());
      expect((await jobs()).map(({ data }) => data.item)).toEqual([plain]);
    });

    test('refuse as a whole when their stage is not known here', async () => {
      const [known] = (await failedParcels(ground().database, 1)) as [string];
      await failedParcels(ground().database, 1, { stage: 'test.other' });
      await expect(drive()).rejects.toMatchObject({ code: STAGE_UNKNOWN });
      expect(await look(known)).toMatchObject({ state: 'failed' });
      expect(await jobs()).toEqual([]);
    });
  });

  describe('by the thousand', () => {
    /** The database, with something done before each of its transactions, or after one of their statements. */
    function watched(before: (n: number) => Promise<void> | void, after?: (text: string) => Promise<void>): Database {
      const { database } = ground();
      let n = 0;
      return {
        ...database,
        transaction: async (work) => {
          n += 1;
          await before(n);
          return database.transaction((tx) => work(after ? { ...tx, query: watch(tx, after) } : tx));
        },
      };
    }

    const watch =
      (tx: Tx, after: (text: string) => Promise<void>): Tx['query'] =>
      async (text, params) => {
        const result = await tx.query(text, params);
        await after(text);
        return result as never;
      };

    const states = async () =>
      (await ground().database.query(`select state, count(*) as n from parcel group by 1 order by 1`)).rows;

    test('go back page by page, each in a transaction of its own: what is done stays done', async () => {
      await failedParcels(ground().database, 1_100);
      const failing = watched((n) => {
        if (n === 3) throw new Error('cut');
      });
      await expect(drive({}, failing)).rejects.toThrow('cut');
      expect(await states()).toEqual([
        { state: 'checking', n: 1_000 },
        { state: 'failed', n: 100 },
      ]);
      expect(await jobs()).toHaveLength(1_000);
      expect(await drive()).toEqual({ redriven: 100, left: 0 });
      expect(await states()).toEqual([{ state: 'checking', n: 1_100 }]);
      const items = (await jobs()).map(({ data }) => data.item);
      expect(new Set(items).size).toBe(1_100);
      expect(items).toHaveLength(1_100);
    });

    test('do not go round in circles when an item fails again at once', async () => {
      const { database } = ground();
      await failedParcels(database, 501);
      const { item } = (await list({}, 1))[0]!;
      let pages = 0;
      const circling = watched(async (n) => {
        pages = n;
        if (n === 1) return;
        if (n > 3) throw new Error('round in circles');
        await database.query(`update parcel set state = 'new' where id = $1 and state = 'checking'`, [item]);
        const { version } = (await look(item))!;
        await database.transaction((tx) => giveUp(tx, [{ id: item, version }]));
      });
      expect(await drive({}, circling)).toEqual({ redriven: 501, left: 0 });
      expect(pages).toBe(2);
      expect(await list()).toMatchObject([{ item, attempts: [{ attempt: 1 }, { attempt: 2 }] }]);
    });

    test.runIf(kind === 'postgres')('leave an item to the person who moves it just then', async () => {
      const { database } = ground();
      const [item, other] = (await failedParcels(database, 2)) as [string, string];
      const beside = openPostgres({ url: (database as { url?: string }).url!, schema: database.schema, poolSize: 1 });
      const contested = watched(
        () => {},
        async (text) => {
          if (text.startsWith('select id, state, version')) await person(item, 'rejected', {}, beside);
        },
      );
      expect(await drive({}, contested)).toEqual({ redriven: 1, left: 1 });
      expect(await look(item)).toMatchObject({ state: 'rejected' });
      expect((await jobs()).map(({ data }) => data.item)).toEqual([other]);
      expect(await list()).toMatchObject([{ item }]);
      await beside.close();
    });
  });
});
