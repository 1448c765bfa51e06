import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_DELAY_SECONDS, postponedDelaySeconds, retryDelaySeconds } from './retry-delay.ts';

const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const failures = fc.integer({ min: 1, max: 2_000 });
const base = fc.integer({ min: 1, max: 600 });
const named = fc.integer({ min: 0, max: 86_400 });

describe('the wait before a second try', () => {
  test('is never before what the other side named, never under a second, and never over the ceiling after it', () => {
    fc.assert(
      fc.property(failures, base, chance, named, (count, seconds, random, retryAfter) => {
        const wait = retryDelaySeconds(count, seconds, random, retryAfter);
        expect(Number.isSafeInteger(wait)).toBe(true);
        expect(wait).toBeGreaterThanOrEqual(Math.max(1, retryAfter));
        const ceiling = Math.min(MAX_DELAY_SECONDS, seconds * 2 ** (count - 1));
        expect(wait).toBeLessThanOrEqual(Math.max(1, Math.ceil(retryAfter + ceiling)));
      }),
    );
  });

  test('grows with chance, from nothing to twice as much for each failure, up to an hour', () => {
    const most = 1 - Number.EPSILON;
    expect([1, 2, 3, 4, 5, 6, 7, 8, 9, 99].map((count) => retryDelaySeconds(count, 30, most))).toEqual([
      30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600,
    ]);
    expect([1, 2, 9].map((count) => retryDelaySeconds(count, 30, 0))).toEqual([1, 1, 1]);
    expect([1, 2, 9].map((count) => retryDelaySeconds(count, 30, 0.5))).toEqual([15, 30, 1800]);
    fc.assert(
      fc.property(failures, base, chance, chance, (count, seconds, one, other) => {
        const [less, more] = [Math.min(one, other), Math.max(one, other)];
        expect(retryDelaySeconds(count, seconds, less)).toBeLessThanOrEqual(retryDelaySeconds(count, seconds, more));
      }),
    );
  });

  test('a crowd that failed together does not come back together', () => {
    const waits = Array.from({ length: 1_000 }, (_, n) => retryDelaySeconds(1, 30, n / 1_000, 60));
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(60);
    expect(Math.max(...waits) - Math.min(...waits)).toBeGreaterThanOrEqual(29);
    const crowd = Math.max(...[...Map.groupBy(waits, (wait) => wait).values()].map((group) => group.length));
    expect(crowd).toBeLessThan(50);
  });
});

describe('the wait of what was postponed', () => {
  test('is at least the time named and at most a quarter (or a second) more', () => {
    fc.assert(
      fc.property(named, chance, (seconds, random) => {
        const wait = postponedDelaySeconds(seconds, random);
        expect(wait).toBeGreaterThanOrEqual(Math.max(1, seconds));
        expect(wait).toBeLessThanOrEqual(Math.max(1, seconds) + Math.max(1, seconds / 4));
      }),
    );
  });

  test('spreads a crowd over a fifth of the time at least', () => {
    const waits = Array.from({ length: 1_000 }, (_, n) => postponedDelaySeconds(60, n / 1_000));
    expect(Math.max(...waits) - Math.min(...waits)).toBeGreaterThanOrEqual(12);
  });
});
