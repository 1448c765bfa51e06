import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { moveClock } from '../../test/harness/clock.ts';
import { onBothDatabases } from '../../test/harness/databases.ts';
import { uuid7 } from '../core/ids.ts';
import type { Queryable, QueryResult } from '../storage/database.ts';
import { type Slot, SlotHolder, type SlotHolderOptions } from './slot-holder.ts';
import { acquireSlots, definePool, readPools } from './slots.ts';

const pool = 'test.provider';
const CALL_LIMIT = 1_000;
/** Of the statements by what they do. */
const KINDS = {
  acquire: /^with pool/,
  renew: /set lease_until = now_here/,
  release: /set holder = null/,
  pause: /paused/,
};
type Kind = keyof typeof KINDS;

onBothDatabases('the hand of a process in a pool', (ground) => {
  let sent: Kind[];
  let now: number;
  /** What a test lets happen to a statement before it is sent or after it was answered. */
  let before: ((kind: Kind) => Promise<void> | void) | null;
  let after: ((kind: Kind, result: QueryResult<unknown>) => Promise<void> | void) | null;
  let holders: SlotHolder[];

  beforeEach(async () => {
    sent = [];
    now = 0;
    before = null;
    after = null;
    holders = [];
    await ground().database.script('truncate limit_pool cascade');
    await moveClock(ground().database, 0);
  });
  afterEach(async () => {
    before = after = null;
    for (const holder of holders) await holder.close();
  });

  const define = (cap: number, perMinute: number | null = null) =>
    definePool(ground().database, { name: pool, cap, perMinute });

  function open(changes: Partial<SlotHolderOptions> = {}): SlotHolder {
    const { database } = ground();
    const on: Queryable = {
      orm: database.orm,
      query: async (text, params) => {
        const kind = (Object.keys(KINDS) as Kind[]).find((one) => KINDS[one].test(text.trim()))!;
        await before?.(kind);
        const result = await database.query(text, params);
        sent.push(kind);
        await after?.(kind, result);
        return result as never;
      },
    };
    const options = { pool, holder: uuid7(), worker: 'worker', callLimitMs: CALL_LIMIT };
    const holder = new SlotHolder({ database: on, ...options, clockMs: () => now, random: () => 0, ...changes });
    holders.push(holder);
    return holder;
  }

  const state = async () => (await readPools(ground().database))[0]!;
  const count = (kind: Kind) => sent.filter((one) => one === kind).length;

  /** Resolves when a statement of the kind was answered. */
  const answered = (kind: Kind) =>
    new Promise<void>((resolve) => {
      after = (one) => {
        if (one === kind) resolve();
      };
    });

  test('takes no more slots than there are, and says how long each lasts', async () => {
    await define(2);
    const holder = open();
    const slots = await Promise.all([holder.acquire(), holder.acquire()]);
    expect(holder.held).toBe(2);
    expect(await state()).toMatchObject({ held: 2 });
    const lease = slots[0]!.remainingMs();
    // A call may last its limit even when it begins at the end of the tenure.
    expect(lease).toBeGreaterThan(CALL_LIMIT + 2_000);
    now = 1_500;
    expect(slots[0]!.remainingMs()).toBe(lease - 1_500);
    let third: Slot | undefined;
    const waiting = holder.acquire().then(
      (slot) => {
        third = slot;
      },
      // Closing turns it away.
      () => {},
    );
    await answered('acquire');
    expect(third).toBeUndefined();
    for (const slot of slots) slot.release();
    await holder.close();
    await waiting;
  });

  test('passes a slot on within the process, without giving it back', async () => {
    await define(1);
    const holder = open();
    const first = await holder.acquire();
    const lease = first.remainingMs();
    const waiting = [holder.acquire(), holder.acquire()];
    now = 1_000;
    first.release();
    const second = await waiting[0]!;
    expect(second.remainingMs()).toBe(lease);
    expect([count('release'), count('renew')]).toEqual([0, 1]);
    now = 1_900;
    second.release();
    const third = await waiting[1]!;
    expect([count('release'), count('renew')]).toEqual([0, 2]);
    expect(await state()).toMatchObject({ held: 1, overhangs: 0 });
    third.release();
    await holder.close();
    expect(await state()).toMatchObject({ held: 0 });
    expect(holder.held).toBe(0);
  });

  test('looks at the pool when it passes a slot on, but not more often than five times a second', async () => {
    await define(1);
    const holder = open();
    const queue = Array.from({ length: 5 }, () => holder.acquire());
    const looks: number[] = [];
    for (const [n, at] of [0, 100, 199, 200].entries()) {
      const slot = await queue[n]!;
      now = at;
      slot.release();
      await queue[n + 1];
      looks.push(count('renew'));
    }
    expect(looks).toEqual([1, 1, 1, 2]);
    (await queue[4]!).release();
  });

  test('heeds a pause of its own at once, though it has just looked', async () => {
    await define(1);
    const holder = open();
    const queue = [holder.acquire(), holder.acquire(), holder.acquire()];
    (await queue[0]!).release();
    const second = await queue[1]!;
    await holder.pause(30);
    const back = answered('release');
    second.release();
    await back;
    expect([count('renew'), count('release')]).toEqual([2, 1]);
    const closed = holder.close();
    await expect(queue[2]).rejects.toThrow('closed');
    await closed;
  });

  test('gives a slot back after its tenure, so that other processes have their turn', async () => {
    await define(1);
    const [holder, other] = [open(), open()];
    const first = await holder.acquire();
    const waiting = holder.acquire();
    now = 1_999;
    first.release();
    const second = await waiting;
    expect(count('release')).toBe(0);
    const more = [holder.acquire(), other.acquire()];
    now = 2_000;
    const back = answered('release');
    second.release();
    await back;
    expect(count('renew')).toBe(1);
    const next = await Promise.race(more);
    next.release();
    await Promise.all(more).then((slots) => slots.map((slot) => slot.release()));
  });

  test('gives a slot back once, however often it is told to', async () => {
    await define(2);
    const holder = open();
    const [one, two] = await Promise.all([holder.acquire(), holder.acquire()]);
    one.release();
    one.release();
    await answered('release');
    one.release();
    expect(holder.held).toBe(1);
    expect(await state()).toMatchObject({ held: 1 });
    two.release();
  });

  test('gives back at once what nobody wants any more', async () => {
    await define(2);
    const holder = open();
    const leave = new AbortController();
    const asked = Promise.withResolvers<void>();
    before = async (kind) => {
      if (kind === 'acquire') leave.abort(new Error('no longer'));
      asked.resolve();
    };
    await expect(holder.acquire(leave.signal)).rejects.toThrow('no longer');
    await asked.promise;
    await answered('release');
    expect(await state()).toMatchObject({ held: 0 });
    expect(holder.held).toBe(0);
  });

  describe('who waits', () => {
    test('may leave, and the others are served', async () => {
      await define(1);
      const holder = open();
      const first = await holder.acquire();
      const leave = new AbortController();
      const leaving = holder.acquire(leave.signal);
      const staying = holder.acquire();
      leave.abort(new Error('no longer'));
      await expect(leaving).rejects.toThrow('no longer');
      first.release();
      (await staying).release();
    });

    test('with fresh work is served before who waits for a batch, each in the order of coming', async () => {
      await define(1);
      const holder = open();
      const first = await holder.acquire();
      const served: string[] = [];
      const waits = (name: string, priority: 'live' | 'batch') =>
        holder.acquire(undefined, priority).then((slot) => {
          served.push(name);
          slot.release();
        });
      const all = [waits('b1', 'batch'), waits('l1', 'live'), waits('b2', 'batch'), waits('l2', 'live')];
      first.release();
      await Promise.all(all);
      expect(served).toEqual(['l1', 'l2', 'b1', 'b2']);
    });

    test('does not begin to when it had left before', async () => {
      await define(1);
      await expect(open().acquire(AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
      expect(sent).toEqual([]);
    });

    test('keeps the slot that it has when its signal comes late', async () => {
      await define(1);
      const holder = open();
      const leave = new AbortController();
      const slot = await holder.acquire(leave.signal);
      leave.abort();
      expect(holder.held).toBe(1);
      slot.release();
    });

    test('is told of nothing and asks again when the database fails', async () => {
      await define(1);
      const told: unknown[] = [];
      const holder = open({ onError: (error) => told.push(error) });
      let failures = 0;
      before = (kind) => {
        if (kind === 'acquire' && failures++ === 0) throw new Error('down');
      };
      (await holder.acquire()).release();
      expect(told).toMatchObject([{ message: 'down' }]);
      expect(failures).toBeGreaterThan(1);
    });
  });

  describe('a slot is not passed on', () => {
    /** One call at work and one that waits; the call ends after something happened. */
    async function release(holder: SlotHolder, happened: () => Promise<unknown>) {
      const first = await holder.acquire();
      const waiting = holder.acquire();
      await happened();
      const back = answered('release');
      first.release();
      await back;
      return { waiting };
    }

    test('while the provider asked for a pause', async () => {
      await define(1);
      const holder = open();
      const { waiting } = await release(holder, async () => {
        await holder.pause(30);
        // The one that waits asks once more, and then not before the pause is over.
        await new Promise<void>((resolve) => {
          after = (kind, { rows }) => {
            if (kind === 'acquire' && (rows[0] as { wait: number }).wait > 0) resolve();
          };
        });
      });
      await answered('acquire');
      expect(await state()).toMatchObject({ held: 0 });
      await moveClock(ground().database, 31);
      // Who comes now asks at once, for the one that waits as well.
      const late = holder.acquire();
      (await waiting).release();
      (await late).release();
    });

    test('when it is beyond a smaller cap', async () => {
      await define(2);
      const holder = open();
      const first = await holder.acquire();
      const second = await holder.acquire();
      await define(1);
      const waiting = holder.acquire();
      const back = answered('release');
      second.release();
      await back;
      expect(await state()).toMatchObject({ cap: 1, held: 1 });
      first.release();
      (await waiting).release();
    });

    test('when it was taken by another meanwhile', async () => {
      await define(1);
      const holder = open();
      const rival = uuid7();
      const { waiting } = await release(holder, async () => {
        await moveClock(ground().database, 60);
        const request = { pool, holder: rival, worker: 'rival', wanted: 1, leaseSeconds: 5 };
        // The holder polls for the one that waits, and may be the first to find its own lease run out.
        await acquireSlots(ground().database, request);
      });
      await moveClock(ground().database, 120);
      (await waiting).release();
      expect((await state()).overhangs).toBeGreaterThanOrEqual(1);
    });

    test('when the database cannot be asked', async () => {
      await define(1);
      const told: unknown[] = [];
      const holder = open({ onError: (error) => told.push(error) });
      before = (kind) => {
        if (kind === 'renew') throw new Error('down');
      };
      const { waiting } = await release(holder, async () => {});
      expect(told).toMatchObject([{ message: 'down' }]);
      (await waiting).release();
    });
  });

  describe('closing', () => {
    test('turns away who waits and who comes later', async () => {
      await define(1);
      const holder = open();
      const slot = await holder.acquire();
      const waiting = holder.acquire();
      const closed = holder.close();
      await expect(waiting).rejects.toThrow('the slots of test.provider are closed');
      await closed;
      await expect(holder.acquire()).rejects.toThrow('the slots of test.provider are closed');
      slot.release();
      await holder.close();
      expect(await state()).toMatchObject({ held: 0 });
    });

    test('waits for a release on its way', async () => {
      await define(1);
      const holder = open();
      const slot = await holder.acquire();
      const go = Promise.withResolvers<void>();
      before = (kind) => (kind === 'release' ? go.promise : undefined);
      slot.release();
      const closed = holder.close();
      go.resolve();
      await closed;
      expect(await state()).toMatchObject({ held: 0 });
    });

    test.each(['acquire', 'renew'] as const)('gives back what is still to come: from %s', async (kind) => {
      await define(1);
      const holder = open();
      const under = Promise.withResolvers<void>();
      const go = Promise.withResolvers<void>();
      const slot = kind === 'renew' ? await holder.acquire() : null;
      after = async (one) => {
        if (one !== kind) return;
        under.resolve();
        await go.promise;
      };
      const waiting = holder.acquire();
      slot?.release();
      await under.promise;
      const closed = holder.close();
      await expect(waiting).rejects.toThrow('closed');
      expect(await state()).toMatchObject({ held: 1 });
      go.resolve();
      await closed;
      expect(await state()).toMatchObject({ held: 0 });
      expect(holder.held).toBe(0);
    });
  });
});
