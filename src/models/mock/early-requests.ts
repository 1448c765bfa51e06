import type { LoggedRequest } from './request-log.ts';

export interface EarlyRequest {
  readonly key: string;
  /** From when on a request was welcome, in milliseconds since the Unix epoch. */
  readonly promised_at: number;
  /** When it came all the same, in milliseconds since the Unix epoch. */
  readonly arrived_at: number;
}

/**
 * The requests that came before a Retry-After had passed that an earlier request with the same key was given.
 * Requests that were on their way when the promise was made are not early. Decided by monotonic time, which a changed
 * system clock does not bend; where several promises were open, the latest is named.
 *
 * @param log entries in order of arrival: `mock.log`, or what GET /mock/log answered
 */
export function earlyRequests(log: Iterable<LoggedRequest>): EarlyRequest[] {
  const early: EarlyRequest[] = [];
  const promises = new Map<string, NonNullable<LoggedRequest['retry_promise']>[]>();
  for (const request of log) {
    const arrived = request.received_monotonic_ms;
    const ofKey = promises.get(request.key) ?? [];
    const open = ofKey.filter((p) => p.made_monotonic_ms < arrived && arrived < p.due_monotonic_ms);
    if (open.length > 0) {
      const promised_at = Math.max(...open.map((p) => p.due_at));
      early.push({ key: request.key, promised_at, arrived_at: request.received_at });
    }
    if (request.retry_promise) promises.set(request.key, [...ofKey, request.retry_promise]);
  }
  return early;
}
