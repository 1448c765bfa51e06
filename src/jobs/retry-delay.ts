/** The longest wait between two tries, in seconds. */
export const MAX_DELAY_SECONDS = 3600;

/** What may be postponed by the other side is given up after this time, in seconds. */
export const POSTPONED_LIMIT_SECONDS = 24 * 3600;

/**
 * Full jitter (M. Brooker, "Exponential Backoff and Jitter", 2015): uniform between 0 and
 * base × 2^(failures - 1), so that a crowd that failed together does not come back together. Never before what the
 * other side named.
 * @param failures failures so far, the one just met included (1 or more)
 * @param random uniform in [0, 1)
 * @returns seconds, at least 1
 */
export function retryDelaySeconds(
  failures: number,
  baseSeconds: number,
  random: number,
  retryAfterSeconds = 0,
): number {
  const ceiling = Math.min(MAX_DELAY_SECONDS, baseSeconds * 2 ** Math.min(failures - 1, 30));
  return Math.max(1, Math.ceil(retryAfterSeconds + random * ceiling));
}

/** Spread over a quarter of the named time (at least a second), after it. */
export function postponedDelaySeconds(retryAfterSeconds: number, random: number): number {
  return Math.max(1, retryAfterSeconds) + random * Math.max(1, retryAfterSeconds / 4);
}
