import type { MockClock } from './clock.ts';
import type { RetryPromise } from './request-log.ts';

/**
 * The Retry-After header for a wait, and what it promises.
 * A date has whole seconds only and is rounded up, so the promise lasts up to a second longer.
 */
export function retryAfter(
  seconds: number,
  form: 'seconds' | 'http_date',
  clock: Pick<MockClock, 'epochMs' | 'monotonicMs'>,
): { readonly header: string; readonly promise: RetryPromise } {
  const now = clock.epochMs();
  const made = clock.monotonicMs();
  const wait = seconds * 1000;
  const due = form === 'seconds' ? now + wait : Math.ceil((now + wait) / 1000) * 1000;
  return {
    header: form === 'seconds' ? String(seconds) : new Date(due).toUTCString(),
    promise: { made_monotonic_ms: made, due_at: due, due_monotonic_ms: made + (due - now) },
  };
}
