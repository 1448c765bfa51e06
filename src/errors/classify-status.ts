import type { ErrorClass } from './coded-error.ts';
import { parseRetryAfter } from './retry-after.ts';

export interface StatusVerdict {
  readonly errorClass: ErrorClass;
  /** What the other side asked for, in seconds, when it asked. */
  readonly retryAfterSeconds?: number;
}

/** Header names in lower case, as the client returns them. */
export type StatusHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Says how a status is treated by whoever retries.
 * - 408, 425, 5xx: transient.
 * - 429: postponed, with or without a Retry-After: it is about the caller's rate, not about this attempt.
 * - 503 with a Retry-After that can be read: postponed; without: transient.
 * - every other 4xx: permanent.
 *
 * @param nowMs the time that a Retry-After date is counted from, in milliseconds since 1970
 * @returns null for statuses that are no failure (below 400; redirects and 304 are the caller's to read)
 */
export function classifyStatus(status: number, headers: StatusHeaders, nowMs: number): StatusVerdict | null {
  if (!(status >= 400)) return null;
  if (status === 429 || status === 503) {
    const header = headers['retry-after'];
    const seconds = parseRetryAfter(typeof header === 'object' ? header[0] : header, nowMs);
    if (seconds !== null) return { errorClass: 'postponed', retryAfterSeconds: seconds };
    return { errorClass: status === 429 ? 'postponed' : 'transient' };
  }
  if (status === 408 || status === 425 || status >= 500) return { errorClass: 'transient' };
  return { errorClass: 'permanent' };
}
