import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { moveClock } from '../../test/harness/clock.ts';
import { onBothDatabases } from '../../test/harness/databases.ts';
import { uuid7 } from '../core/ids.ts';
import { acquireSlots, definePool, POOL_UNKNOWN, pausePool, readPools, releaseSlots, renewSlot } from './slots.ts';

const pool = 'test.provider';
const LEASE = 10;
const holders = Array.from({ length: 3 }, () => uuid7());

onBothDatabases('slots', (ground, kind) => {
  beforeEach(async () => {
    await ground().database.script('truncate limit_pool cascade');
    await moveClock(ground().database, 0);
  });

  const define = (cap: number, perMinute: number | null = null) =>
    definePool(ground().database, { name: pool, cap, perMinute });
  const ask = (wanted: number, holder = holders[0]!) =>
    acquireSlots(ground().database, { pool, holder, worker: 'worker', wanted, leaseSeconds: LEASE });
  const acquire = async (wanted: number, holder?: string) => (await ask(wanted, holder)).leases.map(({ n }) => n);
  const release = (slots: readonly number[], holder = holders[0]!) =>
    releaseSlots(ground().database, pool, holder, slots);
  const renew = (n: number, holder = holders[0]!) => renewSlot(ground().database, pool, holder, n, LEASE);
  const state = async () => (await readPools(ground().database))[0]!;
  const at = (seconds: number) => moveClock(ground().database, seconds);

  test('are as many as the cap, each given once', async () => {
    await define(3);
    const first = await acquire(2);
    expect(first.toSorted()).toEqual([1, 2]);
    const second = await ask(5, holders[1]);
    expect(second).toMatchObject({ leases: [{ n: 3 }], retryAfterSeconds: 0 });
    expect(await ask(1, holders[2])).toMatchObject({ leases: [], retryAfterSeconds: 0 });
    await release([2]);
    expect(await acquire(2, holders[2])).toEqual([2]);
    expect(await state()).toEqual({ name: pool, cap: 3, held: 3, lapsed: 0, overhangs: 0, pausedSeconds: 0 });
  });

  test('of a pool that nobody defined are an error, not a wait for ever', async () => {
    await expect(ask(1)).rejects.toMatchObject({ code: POOL_UNKNOWN });
  });

  test('are taken over when their lease has run out; that is counted, and the late holder has no say', async () => {
    await define(2);
    await acquire(2);
    await at(LEASE - 1);
    expect(await acquire(2, holders[1])).toEqual([]);
    await at(LEASE + 1);
    expect(await state()).toMatchObject({ held: 0, lapsed: 2, overhangs: 0 });
    expect(await acquire(1, holders[1])).toEqual([1]);
    expect(await state()).toMatchObject({ held: 1, lapsed: 1, overhangs: 1 });
    await release([1, 2], holders[0]);
    expect(await renew(1)).toBe(false);
    expect(await state()).toMatchObject({ held: 1, lapsed: 0, overhangs: 1 });
    expect(await acquire(2, holders[2])).toEqual([2]);
    expect(await state()).toMatchObject({ held: 2, overhangs: 1 });
  });

  test('are held longer when they are renewed in time', async () => {
    await define(1);
    await acquire(1);
    await at(8);
    expect(await renew(1, holders[1])).toBe(false);
    expect(await renew(1)).toBe(true);
    await at(16);
    expect(await acquire(1, holders[1])).toEqual([]);
    await at(19);
    expect(await renew(1)).toBe(false);
    expect(await acquire(1, holders[1])).toEqual([1]);
  });

  describe('after a change of the cap', () => {
    test('beyond a smaller one are not given, and count until they are given back', async () => {
      await define(4);
      const [, , third, fourth] = await acquire(4);
      await define(2);
      await release([1, 2]);
      expect(await acquire(2, holders[1])).toEqual([]);
      expect(await renew(fourth!)).toBe(false);
      await release([fourth!]);
      expect(await acquire(2, holders[1])).toEqual([1]);
      await release([third!]);
      expect(await acquire(2, holders[2])).toEqual([2]);
      expect(await state()).toMatchObject({ cap: 2, held: 2 });
    });

    test('to more are more', async () => {
      await define(1);
      await acquire(1);
      await define(3);
      expect((await acquire(5)).toSorted()).toEqual([2, 3]);
      await define(3);
      expect(await state()).toMatchObject({ cap: 3, held: 3 });
    });
  });

  describe('while the provider asked for a pause', () => {
    test('are given to nobody, and prolonged for nobody', async () => {
      await define(2);
      expect(await acquire(1)).toEqual([1]);
      await pausePool(ground().database, pool, 30);
      const { leases, retryAfterSeconds } = await ask(1);
      expect(leases).toEqual([]);
      expect(retryAfterSeconds).toBeGreaterThan(20);
      expect(retryAfterSeconds).toBeLessThanOrEqual(30);
      expect(await renew(1)).toBe(false);
      expect((await state()).pausedSeconds).toBeCloseTo(retryAfterSeconds, -1);
      await at(31);
      expect(await state()).toMatchObject({ pausedSeconds: 0 });
      expect(await acquire(2)).toHaveLength(2);
    });

    test('a shorter one does not end a longer one', async () => {
      await define(1);
      await pausePool(ground().database, pool, 30);
      await pausePool(ground().database, pool, 5);
      await at(20);
      expect(await acquire(1)).toEqual([]);
      await pausePool(ground().database, pool, 30);
      await at(40);
      expect(await acquire(1)).toEqual([]);
      await at(51);
      expect(await acquire(1)).toEqual([1]);
    });
  });

  describe('with a rate', () => {
    test('are given so many a minute, whether they come back or not', async () => {
      await define(50, 6);
      expect(await acquire(10)).toHaveLength(6);
      await release([1, 2, 3, 4, 5, 6]);
      const { leases, retryAfterSeconds } = await ask(10);
      expect(leases).toEqual([]);
      expect(retryAfterSeconds).toBeGreaterThan(5);
      expect(retryAfterSeconds).toBeLessThanOrEqual(10);
      await at(10.5);
      expect(await acquire(10)).toHaveLength(1);
      await at(31);
      expect(await acquire(10)).toHaveLength(2);
      await at(3600);
      expect(await acquire(10)).toHaveLength(6);
    });

    test('are not passed on past it', async () => {
      await define(1, 6);
      await acquire(1);
      expect(await renew(1)).toBe(false);
    });

    test('are held back by the cap first, and use up nothing then', async () => {
      await define(2, 6);
      expect(await acquire(5)).toHaveLength(2);
      expect(await ask(5, holders[1])).toMatchObject({ leases: [], retryAfterSeconds: 0 });
      await release([1, 2]);
      expect(await acquire(5)).toHaveLength(2);
      await release([1, 2]);
      expect(await acquire(5)).toHaveLength(2);
      await release([1, 2]);
      expect((await ask(5)).leases).toEqual([]);
    });

    test('keep to it over any time: no more than a minute in hand, and what has run in since', async () => {
      const steps = fc.array(
        fc.record({ after: fc.integer({ min: 0, max: 40 }), wanted: fc.integer({ min: 1, max: 8 }) }),
        {
          minLength: 1,
          maxLength: 10,
        },
      );
      await fc.assert(
        fc.asyncProperty(steps, fc.integer({ min: 1, max: 30 }), async (plan, perMinute) => {
          await ground().database.script('truncate limit_pool cascade');
          await at(0);
          await define(50, perMinute);
          let now = 0;
          const given: { at: number; count: number }[] = [];
          for (const { after, wanted } of plan) {
            now += after;
            await at(now);
            const slots = await acquire(wanted);
            given.push({ at: now, count: slots.length });
            await release(slots);
            for (const [n, { at: since }] of given.entries()) {
              const sum = given.slice(n).reduce((total, { count }) => total + count, 0);
              expect(sum).toBeLessThanOrEqual(perMinute + ((now - since + 1) * perMinute) / 60);
            }
          }
        }),
        { numRuns: 10 },
      );
    });
  });

  test('never exceed the cap, whatever is taken, given back, renewed, forgotten or changed', async () => {
    const who = fc.nat(2);
    const command = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({ do: fc.constant('acquire' as const), who, n: fc.integer({ min: 1, max: 4 }) }),
      },
      {
        weight: 3,
        arbitrary: fc.record({ do: fc.constant('release' as const), who, n: fc.integer({ min: 1, max: 5 }) }),
      },
      {
        weight: 2,
        arbitrary: fc.record({ do: fc.constant('renew' as const), who, n: fc.integer({ min: 1, max: 5 }) }),
      },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), who, n: fc.constantFrom(4, 8, 14) }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('cap' as const), who, n: fc.integer({ min: 1, max: 5 }) }) },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }),
        fc.array(command, { maxLength: 16 }),
        async (first, commands) => {
          await ground().database.script('truncate limit_pool cascade');
          await at(0);
          await define(first);
          // What ought to be: who holds each slot, and until when.
          const slots = new Map<number, { who: number; until: number }>();
          let cap = first;
          let now = 0;
          let overhangs = 0;
          const live = () => [...slots.values()].filter(({ until }) => until > now).length;
          for (const { do: what, who: one, n } of commands) {
            const holder = holders[one]!;
            if (what === 'acquire') {
              const free = Array.from({ length: cap }, (_, i) => i + 1).filter(
                (i) => !(slots.get(i) && slots.get(i)!.until > now),
              );
              const held = live();
              const got = await acquire(n, holder);
              expect(got.toSorted()).toEqual(free.slice(0, Math.max(0, Math.min(n, cap - held))));
              overhangs += got.filter((i) => slots.has(i)).length;
              for (const i of got) slots.set(i, { who: one, until: now + LEASE });
              if (got.length) expect(live()).toBeLessThanOrEqual(cap);
            } else if (what === 'release') {
              await release([n], holder);
              if (slots.get(n)?.who === one) slots.delete(n);
            } else if (what === 'renew') {
              const held = slots.get(n);
              const stands = held?.who === one && held.until > now && n <= cap;
              expect(await renew(n, holder)).toBe(stands);
              if (stands) slots.set(n, { who: one, until: now + LEASE });
            } else if (what === 'wait') {
              now += n;
              await at(now);
            } else {
              cap = n;
              await define(cap);
            }
            expect(await state()).toMatchObject({ cap, held: live(), lapsed: slots.size - live(), overhangs });
          }
        },
      ),
      { numRuns: 20 },
    );
  });

  test.runIf(kind === 'postgres')('never exceed the cap nor the rate with many who ask at once', async () => {
    await define(5, 60);
    const held = new Set<number>();
    let given = 0;
    let most = 0;
    const client = async (holder: string) => {
      for (let round = 0; round < 25; round += 1) {
        const slots = await acquire(1 + (round % 3), holder);
        given += slots.length;
        for (const n of slots) {
          expect(held.has(n)).toBe(false);
          held.add(n);
        }
        most = Math.max(most, held.size);
        // What is given back counts as free before anybody else can have it.
        for (const n of slots) held.delete(n);
        await release(slots, holder);
      }
    };
    const began = performance.now();
    await Promise.all(Array.from({ length: 6 }, () => client(uuid7())));
    const minutes = (performance.now() - began) / 60_000;
    expect(most).toBeLessThanOrEqual(5);
    expect(given).toBeGreaterThanOrEqual(60);
    expect(given).toBeLessThanOrEqual(60 + Math.ceil(60 * minutes));
    expect(await state()).toMatchObject({ held: 0, lapsed: 0, overhangs: 0 });
  });
});
