import { describe, expect, test } from 'vitest';
import { earlyRequests } from './early-requests.ts';
import { RequestLog } from './request-log.ts';
import { retryAfter } from './retry-after.ts';

function handClock(epoch = 1_000_000_400) {
  let now = 0;
  return {
    epochMs: () => epoch + now,
    monotonicMs: () => now,
    sleep: () => Promise.resolve(),
    forward: (ms: number) => {
      now += ms;
    },
  };
}

describe('the log', () => {
  test('tells who is in flight, and when they came and went', () => {
    const clock = handClock();
    const log = new RequestLog(clock);
    const a = log.arrive('a');
    clock.forward(5);
    const b = log.arrive('b');
    a.end('answered');
    a.end('failed');
    clock.forward(7);
    b.end('hang');
    expect(
      log.entries().map((e) => [e.n, e.key, e.in_flight, e.received_monotonic_ms, e.ended_monotonic_ms, e.outcome]),
    ).toEqual([
      [1, 'a', 1, 0, 5, 'answered'],
      [2, 'b', 2, 5, 12, 'hang'],
    ]);
    expect(log.entries()[0]).toMatchObject({ received_at: 1_000_000_400, ended_at: 1_000_000_405 });
    expect(log.stats()).toEqual({ in_flight: 0, max_in_flight: 2, requests: 2, outcomes: { answered: 1, hang: 1 } });
  });

  test('keeps the newest entries and all counts', () => {
    const log = new RequestLog(handClock(), 3);
    for (let i = 0; i < 5; i++) log.arrive('k').end('answered');
    expect(log.entries().map((e) => e.n)).toEqual([3, 4, 5]);
    expect(log.entries(4).map((e) => e.n)).toEqual([5]);
    expect(log.stats()).toMatchObject({ requests: 5, outcomes: { answered: 5 } });
  });

  test('a reset forgets all but who is in flight', () => {
    const log = new RequestLog(handClock());
    log.arrive('a').end('answered');
    const b = log.arrive('b');
    log.reset();
    expect(log.stats()).toEqual({ in_flight: 1, max_in_flight: 1, requests: 0, outcomes: {} });
    b.end('answered');
    expect(log.stats()).toEqual({ in_flight: 0, max_in_flight: 1, requests: 0, outcomes: {} });
    expect(log.arrive('c').entry.n).toBe(1);
  });
});

describe('early requests', () => {
  /** Requests as [key, ms since the last one, Retry-After in seconds]. */
  function logOf(form: 'seconds' | 'http_date', ...requests: [string, number, number?][]) {
    const clock = handClock();
    const log = new RequestLog(clock);
    for (const [key, after, seconds] of requests) {
      clock.forward(after);
      const { entry, end } = log.arrive(key);
      clock.forward(1);
      if (seconds !== undefined) entry.retry_promise = retryAfter(seconds, form, clock).promise;
      end('answered');
    }
    return log;
  }

  test('one that comes before its time is found, one that comes at it is not', () => {
    expect(earlyRequests(logOf('seconds', ['a', 0, 2], ['a', 1999]))).toEqual([
      { key: 'a', promised_at: 1_000_002_401, arrived_at: 1_000_002_400 },
    ]);
    expect(earlyRequests(logOf('seconds', ['a', 0, 2], ['a', 2000]))).toEqual([]);
  });

  test('other keys and promises that are over do not count', () => {
    expect(earlyRequests(logOf('seconds', ['a', 0, 2], ['b', 10], ['a', 3000, 1], ['a', 1000]))).toEqual([]);
  });

  test('each early request is found once, by the latest promise', () => {
    const log = logOf('seconds', ['a', 0, 10], ['a', 1, 1], ['a', 1]);
    expect(earlyRequests(log).map((early) => early.promised_at - 1_000_000_400)).toEqual([10_001, 10_001]);
  });

  test('a date is rounded up to a full second', () => {
    const clock = handClock();
    expect(retryAfter(2, 'http_date', clock)).toEqual({
      header: 'Mon, 12 Jan 1970 13:46:43 GMT',
      promise: { made_monotonic_ms: 0, due_at: 1_000_003_000, due_monotonic_ms: 2600 },
    });
    expect(earlyRequests(logOf('http_date', ['a', 0, 2], ['a', 2590])).length).toBe(1);
    expect(earlyRequests(logOf('http_date', ['a', 0, 2], ['a', 2600])).length).toBe(0);
  });

  test('a request that was on its way already is not early', () => {
    const clock = handClock();
    const log = new RequestLog(clock);
    const first = log.arrive('a');
    clock.forward(1);
    log.arrive('a').end('answered');
    clock.forward(1);
    first.entry.retry_promise = retryAfter(9, 'seconds', clock).promise;
    first.end('rate_limited');
    expect(earlyRequests(log)).toEqual([]);
  });

  test('a log that came as JSON is read alike', () => {
    const log = logOf('seconds', ['a', 0, 2], ['a', 1]);
    expect(earlyRequests(JSON.parse(JSON.stringify(log.entries())))).toEqual(earlyRequests(log));
  });
});
