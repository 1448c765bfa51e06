import { CodedError } from '../errors/coded-error.ts';

export interface TimeLimit {
  /** Aborts with a coded error as its reason: `net.timeout` at the limit, `net.aborted` when the caller gave up. */
  readonly signal: AbortSignal;
  /** Lets the timer and the caller's signal go. */
  end(): void;
}

/**
 * Starts the one limit that covers a request from look-up to last byte, over all redirects.
 *
 * @param limitMs milliseconds from now
 */
export function startTimeLimit(limitMs: number, outer: AbortSignal | undefined): TimeLimit {
  const controller = new AbortController();
  const expire = () =>
    controller.abort(
      new CodedError('net.timeout', 'transient', 'The request took longer than its limit', {
        detail: { limit_ms: limitMs },
      }),
    );
  const giveUp = () =>
    controller.abort(new CodedError('net.aborted', 'transient', 'The caller gave up', { cause: outer?.reason }));

  const timer = setTimeout(expire, limitMs);
  if (outer?.aborted) giveUp();
  else outer?.addEventListener('abort', giveUp, { once: true });

  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer);
      outer?.removeEventListener('abort', giveUp);
    },
  };
}
