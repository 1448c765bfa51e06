import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRetryAfter, RETRY_AFTER_CAP_SECONDS } from './retry-after.ts';

const NOW = Date.UTC(2026, 6, 8, 10, 0, 0);

describe('Retry-After', () => {
  it.each([
    ['120', 120],
    ['0', 0],
    [' 7 ', 7],
    ['007', 7],
    ['1.2', 2],
    ['86400', 86_400],
    ['86401', 86_400],
    ['99999999999999999999999', 86_400],
    ['Wed, 08 Jul 2026 10:00:30 GMT', 30],
    ['wed, 8 jul 2026 10:01:00 gmt', 60],
    ['Wed, 08 Jul 2026 10:01:00 +0000', 60],
    ['Wednesday, 08-Jul-26 10:02:00 GMT', 120],
    ['Wed Jul  8 10:03:00 2026', 180],
    ['Wed, 08 Jul 2026 09:00:00 GMT', 0],
    ['Sunday, 06-Nov-94 08:49:37 GMT', 0],
    ['Tue, 08 Jul 2036 10:00:00 GMT', 86_400],
  ])('%j is %i s', (value, seconds) => expect(parseRetryAfter(value, NOW)).toBe(seconds));

  it.each([
    undefined,
    null,
    '',
    '-1',
    '+5',
    '1e3',
    '0x10',
    'Infinity',
    'NaN',
    'soon',
    'retry 5',
    '5 seconds',
    '5, 6',
    '2026-07-08T10:00:30Z',
    'Wed, 08 Jul 2026 10:00:30',
    'Wed, 08 Jul 2026 25:00:30 GMT',
    'Wed, 31 Jun 2026 10:00:30 GMT',
    'Wed, 08 Foo 2026 10:00:30 GMT',
  ])('%j is ignored', (value) => expect(parseRetryAfter(value, NOW)).toBeNull());

  it('never throws and stays within its bounds', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.integer().map(String),
          fc.date({ noInvalidDate: true }).map((d) => d.toUTCString()),
        ),
        (value) => {
          const seconds = parseRetryAfter(value, NOW);
          if (seconds === null) return;
          expect(Number.isInteger(seconds) && seconds >= 0 && seconds <= RETRY_AFTER_CAP_SECONDS).toBe(true);
        },
      ),
    );
  });

  it('reads what toUTCString writes, rounding up', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 86_400 }), fc.integer({ min: 0, max: 999 }), (ahead, ms) => {
        const value = new Date(NOW + ahead * 1000).toUTCString();
        expect(parseRetryAfter(value, NOW - ms)).toBe(Math.min(ahead + (ms > 0 ? 1 : 0), 86_400));
      }),
    );
  });
});
