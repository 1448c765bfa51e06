import { describe, expect, test } from 'vitest';
import { onBothDatabases } from '../../test/harness/databases.ts';
import { parcelMachine } from '../../test/harness/parcel.ts';
import type { Tx } from '../storage/database.ts';
import { uuid7 } from './ids.ts';
import { type JournalEntry, readHistory, recordBirths, stateHistory } from './journal.ts';
import type { Machine } from './machine.ts';

const machine = parcelMachine as unknown as Machine;

onBothDatabases('the journal', (ground) => {
  const births = (list: Parameters<typeof recordBirths>[2]) =>
    ground().database.transaction((tx) => recordBirths(tx, machine, list));

  const note = (tx: Tx, item: string, version: number, at: string, kind = 'note') =>
    tx.query(
      `insert into journal (at, machine, item, kind, version, actor) values ($1, 'test.parcel', $2, $3, $4, 'system')`,
      [at, item, kind, version],
    );

  test('begins with births, each as it was given', async () => {
    const [one, two] = [uuid7(), uuid7()] as const;
    await births([
      { item: one, state: 'new', actor: 'author', actorId: 'someone', reason: 'test.posted' },
      { item: two, state: 'passed', actor: 'human' },
    ]);
    const histories = await readHistory(ground().database, [one, two, uuid7()]);
    expect([...histories.keys()].toSorted()).toEqual([one, two].toSorted());
    const shared = { machine: 'test.parcel', kind: 'move', version: 1, from: null, run: null, remark: null };
    expect(histories.get(one)).toEqual([
      {
        ...shared,
        seq: expect.any(Number),
        at: expect.any(Date),
        item: one,
        to: 'new',
        actor: 'author',
        actorId: 'someone',
        reason: 'test.posted',
      },
    ]);
    expect(histories.get(two)).toMatchObject([
      { ...shared, to: 'passed', actor: 'human', actorId: null, reason: null },
    ]);
    await births([]);
  });

  test('is read by version, each item for itself', async () => {
    const [one, two] = [uuid7(), uuid7()] as const;
    await ground().database.transaction(async (tx) => {
      await note(tx, one, 2, '2026-01-01T00:00:02Z');
      await note(tx, two, 1, '2026-01-01T00:00:01Z');
      await note(tx, one, 1, '2026-01-01T00:00:03Z');
      await note(tx, one, 2, '2026-01-01T00:00:04Z', 'refused');
    });
    const histories = await readHistory(ground().database, [two, one]);
    expect(histories.get(one)!.map(({ version, kind }) => `${version} ${kind}`)).toEqual([
      '1 note',
      '2 note',
      '2 refused',
    ]);
    expect(histories.get(two)).toHaveLength(1);
  });

  describe('lies in months', () => {
    /** Does something and undoes it, so that partitions of one test are not in the way of another. */
    async function trying(work: (tx: Tx) => Promise<void>): Promise<void> {
      const undo = new Error('undo');
      const done = ground().database.transaction(async (tx) => {
        await work(tx);
        throw undo;
      });
      await expect(done).rejects.toBe(undo);
    }

    const ensure = async (tx: Tx, from: string, ahead: number) =>
      (await tx.query<{ n: number }>('select journal_ensure_months($1::timestamptz, $2) as n', [from, ahead])).rows[0]!
        .n;

    const months = async (tx: Tx) =>
      (
        await tx.query<{ name: string }>(
          `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'journal'::regclass order by 1`,
        )
      ).rows.map(({ name }) => name);

    const placeOf = async (tx: Tx, at: string) => {
      const item = uuid7();
      await note(tx, item, 1, at);
      const { rows } = await tx.query<{ place: string }>(
        'select tableoid::regclass::text as place from journal where item = $1',
        [item],
      );
      return rows[0]!.place;
    };

    test('of which this one and three more exist from the first day', async () => {
      const { rows } = await ground().database.query<{ name: string }>(
        `select 'journal_' || to_char(date_trunc('month', now_here() at time zone 'UTC') + n * interval '1 month', 'YYYY_MM') as name
           from generate_series(0, 3) n`,
      );
      await trying(async (tx) => {
        expect(await months(tx)).toEqual(['journal_default', ...rows.map(({ name }) => name)].toSorted());
        expect(await ensure(tx, new Date().toISOString(), 3)).toBe(0);
      });
    });

    test('that are made once, over the end of a year', async () => {
      await trying(async (tx) => {
        expect(await ensure(tx, '2031-11-30T23:59:59Z', 2)).toBe(3);
        expect(await ensure(tx, '2031-11-01T00:00:00Z', 2)).toBe(0);
        expect(await ensure(tx, '2031-12-15T00:00:00Z', 2)).toBe(1);
        expect(await months(tx)).toEqual(
          expect.arrayContaining(['journal_2031_11', 'journal_2031_12', 'journal_2032_01', 'journal_2032_02']),
        );
        expect(await months(tx)).not.toContain('journal_2032_03');
      });
    });

    test.each(['UTC', 'Asia/Shanghai', 'America/St_Johns'])(
      'which begin at midnight UTC, for a session in %s',
      async (zone) => {
        await trying(async (tx) => {
          await tx.query(`select set_config('timezone', $1, true)`, [zone]);
          expect(await ensure(tx, '2032-02-29T23:59:59.999Z', 1)).toBe(2);
          expect(await placeOf(tx, '2032-01-31T23:59:59.999999Z')).toBe('journal_default');
          expect(await placeOf(tx, '2032-02-01T00:00:00Z')).toBe('journal_2032_02');
          expect(await placeOf(tx, '2032-02-29T23:59:59.999999Z')).toBe('journal_2032_02');
          expect(await placeOf(tx, '2032-03-01T00:00:00Z')).toBe('journal_2032_03');
          expect(await placeOf(tx, '2032-03-31T23:59:59.999999Z')).toBe('journal_2032_03');
          expect(await placeOf(tx, '2032-04-01T00:00:00Z')).toBe('journal_default');
        });
      },
    );

    test('and takes rows of a month that has none; that month stays there, the others are made', async () => {
      await trying(async (tx) => {
        expect(await placeOf(tx, '2033-05-10T00:00:00Z')).toBe('journal_default');
        expect(await ensure(tx, '2033-04-10T00:00:00Z', 2)).toBe(2);
        expect(await months(tx)).toEqual(expect.arrayContaining(['journal_2033_04', 'journal_2033_06']));
        expect(await placeOf(tx, '2033-05-31T23:59:59Z')).toBe('journal_default');
        expect(await placeOf(tx, '2033-06-01T00:00:00Z')).toBe('journal_2033_06');
      });
    });

    test('and is one history, whatever month its rows lie in', async () => {
      await trying(async (tx) => {
        await ensure(tx, '2034-01-01T00:00:00Z', 0);
        const item = uuid7();
        await note(tx, item, 1, '2033-12-31T23:59:59Z');
        await note(tx, item, 2, '2034-01-01T00:00:00Z');
        await note(tx, item, 3, '2034-02-01T00:00:00Z');
        const history = (await readHistory(tx, [item])).get(item)!;
        expect(history.map(({ version }) => version)).toEqual([1, 2, 3]);
      });
    });
  });
});

test('state_history holds the moves after the birth, and nothing that was only said', () => {
  const entry = (kind: JournalEntry['kind'], from: string | null, to: string | null, second: number) =>
    ({ kind, from, to, at: new Date(Date.UTC(2026, 0, 1, 0, 0, second)) }) as JournalEntry;
  const history = [
    entry('move', null, 'new', 0),
    entry('move', 'new', 'checking', 1),
    entry('refused', 'checking', 'rejected', 2),
    entry('note', 'checking', null, 3),
    entry('move', 'checking', 'passed', 4),
  ];
  expect(stateHistory(history)).toEqual([
    { from: 'new', to: 'checking', at: '2026-01-01T00:00:01.000Z' },
    { from: 'checking', to: 'passed', at: '2026-01-01T00:00:04.000Z' },
  ]);
  expect(stateHistory([])).toEqual([]);
});
