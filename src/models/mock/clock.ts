import { setTimeout as delay } from 'node:timers/promises';

/** Where the server takes time from. Tests hand in their own. */
export interface MockClock {
  /** Milliseconds since the Unix epoch. */
  epochMs(): number;
  /** Milliseconds that never run backwards; their zero means nothing. */
  monotonicMs(): number;
  /** Resolves after `ms` milliseconds; rejects as soon as the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export const systemClock: MockClock = {
  epochMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: (ms, signal) => delay(ms, undefined, { signal }),
};
