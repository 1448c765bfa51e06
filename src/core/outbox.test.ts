import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { onBothDatabases } from '../../test/harness/databases.ts';
import { uuid7 } from './ids.ts';
import {
  advanceReader,
  BEGINNING,
  holdReader,
  type NewEvent,
  type OutboxEvent,
  type Position,
  readEvents,
  recordEvents,
} from './outbox.ts';

onBothDatabases('the outbox', (ground, kind) => {
  beforeEach(() => ground().database.script('truncate outbox, reader'));

  const event = (item: string, changes: Partial<NewEvent> = {}): NewEvent => ({
    type: 'test.happened',
    item,
    origin: 'live',
    data: {},
    ...changes,
  });
  const record = (events: readonly NewEvent[]) => ground().database.transaction((tx) => recordEvents(tx, events));

  /** A transaction of now: once it is older than every open one, what was committed before can be read. */
  const mark = async () =>
    (await ground().database.query<{ xid: string }>('select pg_current_xact_id()::text as xid')).rows[0]!.xid;

  /** Other test files have transactions on the same server, which hold back ours as those of strangers would. */
  async function passed(xid: string): Promise<void> {
    for (;;) {
      const { rows } = await ground().database.query<{ past: boolean }>(
        'select pg_snapshot_xmin(pg_current_snapshot()) > $1::text::xid8 as past',
        [xid],
      );
      if (rows[0]?.past) return;
    }
  }

  /** Reads all that was committed before, when no transaction of this test is open. */
  const readAll = async (after?: Position, limit?: number): Promise<OutboxEvent[]> => {
    await passed(await mark());
    return readNow(after, limit);
  };

  /** Reads to the end, so many at a time. */
  async function readNow(after: Position = BEGINNING, limit = 3): Promise<OutboxEvent[]> {
    const found: OutboxEvent[] = [];
    for (let position = after; ; ) {
      const page = await readEvents(ground().database, position, limit);
      expect(page.length).toBeLessThanOrEqual(limit);
      if (!page.length) return found;
      found.push(...page);
      position = page.at(-1)!;
    }
  }

  test('keeps events as they were given', async () => {
    const item = uuid7();
    const data = { 状: 'done', n: 1, list: [null, { a: '"' }] };
    await record([event(item, { type: 'test.first', data }), event(item, { type: 'test.second', origin: 'replay' })]);
    expect(await readAll()).toMatchObject([
      { type: 'test.first', item, itemSeq: 1, origin: 'live', data, at: expect.any(Date) },
      { type: 'test.second', item, itemSeq: 2, origin: 'replay', data: {} },
    ]);
    await record([]);
  });

  test("numbers each item's events from 1 without a gap, in their order", async () => {
    const items = Array.from({ length: 4 }, () => uuid7());
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(fc.nat(3), { maxLength: 8 }), { maxLength: 4 }), async (batches) => {
        await ground().database.script('truncate outbox');
        const given: { item: string; n: number }[] = [];
        for (const batch of batches) {
          const events = batch.map((which, n) => ({ item: items[which]!, n: given.length + n }));
          given.push(...events);
          await record(events.map(({ item, n }) => event(item, { data: { n } })));
        }
        const found = await readAll();
        expect(found.map(({ item, data }) => ({ item, n: data.n }))).toEqual(given);
        for (const [item, own] of Map.groupBy(found, (one) => one.item)) {
          expect([item, own.map(({ itemSeq }) => itemSeq)]).toEqual([item, own.map((_, n) => n + 1)]);
        }
      }),
      { numRuns: 15 },
    );
  });

  test('of a transaction that gave up holds nothing, and leaves no gap', async () => {
    const item = uuid7();
    const failing = ground().database.transaction(async (tx) => {
      await recordEvents(tx, [event(item)]);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await record([event(item)]);
    expect(await readAll()).toMatchObject([{ item, itemSeq: 1 }]);
  });

  test('shows a transaction none of its own events yet', async () => {
    await ground().database.transaction(async (tx) => {
      await recordEvents(tx, [event(uuid7())]);
      expect(await readEvents(tx, BEGINNING, 10)).toEqual([]);
    });
    expect(await readAll()).toHaveLength(1);
  });

  describe('its readers', () => {
    test('begin at the beginning and go on where they were', async () => {
      const { database } = ground();
      const item = uuid7();
      await record([event(item), event(item), event(item)]);
      const turn = async (limit: number) => {
        await passed(await mark());
        return database.transaction(async (tx) => {
          const position = (await holdReader(tx, 'test'))!;
          const events = await readEvents(tx, position, limit);
          const last = events.at(-1);
          if (last) await advanceReader(tx, 'test', last);
          return events.map(({ itemSeq }) => itemSeq);
        });
      };
      expect(await turn(2)).toEqual([1, 2]);
      expect(await turn(2)).toEqual([3]);
      expect(await turn(2)).toEqual([]);
      await record([event(item)]);
      expect(await turn(2)).toEqual([4]);
      const other = await database.transaction((tx) => holdReader(tx, 'another'));
      expect(other).toEqual(BEGINNING);
    });

    test('stay where they were when their turn fails', async () => {
      const { database } = ground();
      const failing = database.transaction(async (tx) => {
        await holdReader(tx, 'test');
        await advanceReader(tx, 'test', { xid: '9', seq: 9 });
        throw new Error('not delivered');
      });
      await expect(failing).rejects.toThrow('not delivered');
      expect(await database.transaction((tx) => holdReader(tx, 'test'))).toEqual(BEGINNING);
    });
  });

  describe.runIf(kind === 'postgres')('and several transactions at once', () => {
    /** A transaction that has its place in the order, and has neither written its events yet nor committed. */
    async function begin(events: readonly NewEvent[], draws = 0) {
      const placed = Promise.withResolvers<void>();
      const written = Promise.withResolvers<void>();
      const write = Promise.withResolvers<void>();
      const end = Promise.withResolvers<void>();
      const done = ground().database.transaction(async (tx) => {
        await tx.query('select pg_current_xact_id()');
        placed.resolve();
        await write.promise;
        await tx.query(`select count(nextval('outbox_seq')) from generate_series(1, $1::int)`, [draws]);
        await recordEvents(tx, events);
        written.resolve();
        await end.promise;
      });
      await placed.promise;
      const writes = () => {
        write.resolve();
        return written.promise;
      };
      return {
        write: writes,
        commit: async () => {
          await writes();
          end.resolve();
          return done;
        },
        giveUp: async () => {
          await writes();
          end.reject(new Error('given up'));
          return done.catch(() => {});
        },
      };
    }

    test.each([
      ['commits', true],
      ['gives up', false],
    ])('shows nothing that something could still appear behind: an older one %s', async (_, commits) => {
      const [slow, quick] = [uuid7(), uuid7()] as const;
      const older = await begin([event(slow)]);
      await older.write();
      await record([event(quick)]);
      expect(await readNow()).toEqual([]);
      await (commits ? older.commit() : older.giveUp());
      expect((await readAll()).map(({ item }) => item)).toEqual(commits ? [slow, quick] : [quick]);
    });

    test('shows what is older than every open one', async () => {
      const [first, second] = [uuid7(), uuid7()] as const;
      await record([event(first)]);
      const before = await mark();
      const open = await begin([event(second)]);
      await passed(before);
      const shown = await readNow();
      expect(shown.map(({ item }) => item)).toEqual([first]);
      await open.commit();
      expect((await readAll(shown[0]!)).map(({ item }) => item)).toEqual([second]);
    });

    test('goes by the order of transactions, though numbers were drawn in another', async () => {
      const [older, newer] = [uuid7(), uuid7()] as const;
      // Each connection draws numbers by the dozen: the older transaction uses up its own and draws greater ones.
      const slow = await begin([event(older)], 100);
      const quick = await begin([event(newer)]);
      await quick.write();
      await slow.write();
      await quick.commit();
      await slow.commit();
      const events = await readAll(BEGINNING, 1);
      expect(events.map(({ item }) => item)).toEqual([older, newer]);
      expect(events[0]!.seq).toBeGreaterThan(events[1]!.seq);
    });

    test('shows each event once to a reader that follows, however the commits fall', async () => {
      const steps = fc.array(fc.tuple(fc.constantFrom('begin', 'write', 'commit', 'giveUp', 'read'), fc.nat()), {
        maxLength: 14,
      });
      await fc.assert(
        fc.asyncProperty(steps, async (plan) => {
          await ground().database.script('truncate outbox');
          const open: { item: string; tx: Awaited<ReturnType<typeof begin>> }[] = [];
          const committed: string[] = [];
          const read: OutboxEvent[] = [];
          const follow = async (how: typeof readNow) => {
            read.push(...(await how(read.at(-1) ?? BEGINNING, 2)));
          };
          for (const [step, which] of plan) {
            if (step === 'read') await follow(readNow);
            else if (step === 'begin' && open.length < 3) {
              const item = uuid7();
              open.push({ item, tx: await begin([event(item), event(item)]) });
            } else if (step === 'write' && open.length) {
              await open[which % open.length]!.tx.write();
            } else if (step !== 'begin' && step !== 'write' && open.length) {
              const [{ item, tx }] = open.splice(which % open.length, 1) as [(typeof open)[0]];
              await tx[step]();
              if (step === 'commit') committed.push(item, item);
            }
          }
          for (const { tx } of open) await tx.giveUp();
          await follow(readAll);
          expect(read.map(({ item }) => item).toSorted()).toEqual(committed.toSorted());
          for (const own of Map.groupBy(read, ({ item }) => item).values()) {
            expect(own.map(({ itemSeq }) => itemSeq)).toEqual([1, 2]);
          }
        }),
        { numRuns: 12 },
      );
    });

    test('lets one process at a time read for a name; the others skip it', async () => {
      const { database } = ground();
      await database.transaction((tx) => holdReader(tx, 'test'));
      const held = Promise.withResolvers<void>();
      const end = Promise.withResolvers<void>();
      const one = database.transaction(async (tx) => {
        await holdReader(tx, 'test');
        held.resolve();
        await end.promise;
      });
      await held.promise;
      expect(await database.transaction((tx) => holdReader(tx, 'test'))).toBeNull();
      expect(await database.transaction((tx) => holdReader(tx, 'another'))).toEqual(BEGINNING);
      end.resolve();
      await one;
      expect(await database.transaction((tx) => holdReader(tx, 'test'))).toEqual(BEGINNING);
    });
  });
});
