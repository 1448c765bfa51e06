import type { RunError, RunOutcome } from '../core/run.ts';
import type { WorkedClaim } from './claim.ts';
import { isBatch, type NewJob } from './enqueue.ts';
import { POSTPONED_LIMIT_SECONDS, postponedDelaySeconds, retryDelaySeconds } from './retry-delay.ts';
import type { AnyStage } from './stage.ts';

export const POSTPONED_TOO_LONG = 'core.postponed_too_long';

/** What is to be done about a claim whose item is still as it was read. */
export interface Disposition {
  readonly outcome: RunOutcome;
  readonly error: RunError | null;
  /** The same work again, later. */
  readonly again: NewJob | null;
  /** All is tried: the item goes to the stage's `givenUp` state and a dead letter is written. */
  readonly giveUp: boolean;
}

/** The name of the lane for second and later tries of a stage. */
export const retryQueue = (stage: string): string => `${stage}.retry`;

/**
 * Decides what follows from how a claim ended. Transient failures and lost claims are counted apart; being
 * postponed counts as no attempt.
 * @param random uniform in [0, 1)
 * @param nowMs epoch milliseconds of the database's clock, for the age of a postponement
 */
export function disposeOf(stage: AnyStage, claim: WorkedClaim, random: number, nowMs: number): Disposition {
  const { ended, job } = claim;
  if (ended.kind === 'accepted') return { outcome: 'accepted', error: null, again: null, giveUp: false };
  if (ended.kind !== 'failed') {
    const error: RunError | null =
      ended.kind === 'gone' ? null : { code: ended.reason, errorClass: 'permanent', message: ended.reason };
    return { outcome: ended.kind === 'superseded' ? 'superseded' : 'skipped', error, again: null, giveUp: false };
  }
  const { error } = ended;
  // A replay that fails changes nothing: its item rests where it was, with the result that it had.
  const giveUp = !(stage.replayFrom && isBatch(job.data.cause));
  const data = { ...job.data, lost: (job.data.lost ?? 0) + job.lostClaims };
  if (error.errorClass === 'postponed') {
    const since = data.postponedSince ?? nowMs;
    if (nowMs - since >= POSTPONED_LIMIT_SECONDS * 1000) {
      const message = `postponed for more than ${POSTPONED_LIMIT_SECONDS / 3600} hours; last: ${error.message}`;
      const tooLong: RunError = { code: POSTPONED_TOO_LONG, errorClass: 'permanent', message };
      return { outcome: 'failed', error: tooLong, again: null, giveUp };
    }
    const startAfterSeconds = postponedDelaySeconds(error.retryAfterSeconds ?? 1, random);
    const again = { queue: stage.name, data: { ...data, postponedSince: since }, startAfterSeconds };
    return { outcome: 'postponed', error, again, giveUp: false };
  }
  if (error.errorClass === 'transient') {
    const tries = (data.tries ?? 0) + 1;
    if (tries <= stage.retry.transient(claim.item)) {
      const { postponedSince: _over, ...rest } = data;
      const fixed = stage.retry.delays?.[tries - 1];
      const startAfterSeconds =
        fixed === undefined
          ? retryDelaySeconds(tries, stage.retry.baseSeconds, random, error.retryAfterSeconds)
          : Math.max(fixed, error.retryAfterSeconds ?? 0);
      const again = { queue: retryQueue(stage.name), data: { ...rest, tries }, startAfterSeconds };
      return { outcome: 'failed', error, again, giveUp: false };
    }
  }
  return { outcome: 'failed', error, again: null, giveUp };
}
