import { describe, expect, test } from 'vitest';
import { parcelStage, passParcel } from '../../test/harness/parcel.ts';
import type { ErrorClass } from '../errors/coded-error.ts';
import type { WorkedClaim } from './claim.ts';
import { disposeOf, POSTPONED_TOO_LONG, retryQueue } from './disposition.ts';
import type { JobData } from './enqueue.ts';

const NOW = Date.UTC(2026, 6, 8);
const HOUR = 3_600_000;
const stage = parcelStage(passParcel, { retry: { transient: () => 2, baseSeconds: 30, lost: 3 } });

function claimOf(ended: WorkedClaim['ended'], data: Partial<JobData> = {}, lostClaims = 0): WorkedClaim {
  return {
    job: {
      id: 'job',
      data: { item: 'item', cv: 1, cause: 'live', ...data },
      retryCount: 0,
      lostClaims,
      signal: new AbortController().signal,
    },
    item: { id: 'item', state: 'new', version: 1, contentVersion: 1 },
    steps: () => [],
    state: 'new',
    beganMs: 0,
    endedMs: 0,
    rulebookVersion: 1,
    use: { calls: 0, cachedCalls: 0, tokensIn: 0, tokensOut: 0, costMicros: 0 },
    ended,
  };
}

const failure = (errorClass: ErrorClass, retryAfterSeconds?: number): WorkedClaim['ended'] => ({
  kind: 'failed',
  error: {
    code: `test.${errorClass}`,
    errorClass,
    message: 'it failed',
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  },
});

describe('what did not fail', () => {
  test.each([
    [{ kind: 'accepted', result: 1 }, 'accepted', null],
    [{ kind: 'gone' }, 'skipped', null],
    [{ kind: 'skipped', reason: 'core.stage_passed' }, 'skipped', 'core.stage_passed'],
    [{ kind: 'superseded', reason: 'core.content_changed' }, 'superseded', 'core.content_changed'],
  ] as const)('%j is over, whatever came before', (ended, outcome, code) => {
    for (const data of [{}, { tries: 2, lost: 2, postponedSince: 0 }]) {
      const disposition = disposeOf(stage, claimOf(ended, data, 2), 0.5, NOW);
      expect(disposition).toMatchObject({ outcome, again: null, giveUp: false });
      expect(disposition.error?.code ?? null).toBe(code);
    }
  });
});

describe('what failed', () => {
  // The stage tries again twice. Each class, after so many tries: what follows, and the tries that are counted then.
  const table: readonly [ErrorClass, number, 'retry' | 'later' | 'end', number | undefined][] = [
    ['transient', 0, 'retry', 1],
    ['transient', 1, 'retry', 2],
    ['transient', 2, 'end', undefined],
    ['transient', 3, 'end', undefined],
    ['postponed', 0, 'later', undefined],
    ['postponed', 1, 'later', 1],
    ['postponed', 2, 'later', 2],
    ['postponed', 3, 'later', 3],
    ['permanent', 0, 'end', undefined],
    ['permanent', 1, 'end', undefined],
    ['permanent', 2, 'end', undefined],
    ['permanent', 3, 'end', undefined],
    ['lost', 0, 'end', undefined],
    ['lost', 1, 'end', undefined],
    ['lost', 2, 'end', undefined],
    ['lost', 3, 'end', undefined],
  ];

  describe.each([0, 1, 2, 3])('with %i claims lost before', (lost) => {
    test.each(table)('%s after %i tries: %s', (errorClass, tries, follows, nextTries) => {
      for (const lostNow of [0, 1, 2]) {
        const data = { ...(tries ? { tries } : {}), ...(lost ? { lost } : {}) };
        const disposition = disposeOf(stage, claimOf(failure(errorClass), data, lostNow), 0.5, NOW);
        expect(disposition.error).toMatchObject({ code: `test.${errorClass}`, errorClass });
        expect(disposition.outcome).toBe(follows === 'later' ? 'postponed' : 'failed');
        expect(disposition.giveUp).toBe(follows === 'end');
        const queue = { retry: retryQueue(stage.name), later: stage.name, end: undefined }[follows];
        expect(disposition.again?.queue).toBe(queue);
        if (!disposition.again) continue;
        expect(disposition.again.data).toMatchObject({ item: 'item', cv: 1, cause: 'live', lost: lost + lostNow });
        expect(disposition.again.data.tries).toBe(nextTries);
      }
    });
  });

  test('the policy of the stage decides how often, by item', () => {
    const patient = parcelStage(passParcel, { retry: { transient: () => 5, baseSeconds: 30, lost: 3 } });
    expect(disposeOf(patient, claimOf(failure('transient'), { tries: 4 }), 0, NOW).giveUp).toBe(false);
    expect(disposeOf(patient, claimOf(failure('transient'), { tries: 5 }), 0, NOW).giveUp).toBe(true);
    const hasty = parcelStage(passParcel, { retry: { transient: () => 0, baseSeconds: 30, lost: 3 } });
    expect(disposeOf(hasty, claimOf(failure('transient')), 0, NOW).giveUp).toBe(true);
  });

  test('the back-off grows with the tries and keeps to what was named', () => {
    const wait = (tries: number, random: number, named?: number) =>
      disposeOf(stage, claimOf(failure('transient', named), tries ? { tries } : {}), random, NOW).again
        ?.startAfterSeconds;
    expect(wait(0, 0.5)).toBe(15);
    expect(wait(1, 0.5)).toBe(30);
    expect(wait(0, 0.5, 100)).toBe(115);
  });

  test('fixed waits of the stage are kept, unless a later time was named', () => {
    const fixed = parcelStage(passParcel, {
      retry: { transient: () => 3, baseSeconds: 30, delays: [5, 600], lost: 3 },
    });
    const wait = (tries: number, named?: number) =>
      disposeOf(fixed, claimOf(failure('transient', named), { tries }), 0.5, NOW).again?.startAfterSeconds;
    expect([wait(0), wait(1), wait(2)]).toEqual([5, 600, 60]);
    expect([wait(0, 30), wait(1, 30)]).toEqual([30, 600]);
  });
});

describe('what was postponed', () => {
  const postponed = (data: Partial<JobData>, nowMs: number, named?: number) =>
    disposeOf(stage, claimOf(failure('postponed', named), data), 0.5, nowMs);

  test('waits for the time named, a second where none was, and remembers since when', () => {
    expect(postponed({}, NOW, 40).again).toMatchObject({ data: { postponedSince: NOW }, startAfterSeconds: 45 });
    expect(postponed({}, NOW).again?.startAfterSeconds).toBe(1.5);
    const later = postponed({ postponedSince: NOW }, NOW + 5 * HOUR, 40);
    expect(later.again?.data.postponedSince).toBe(NOW);
  });

  test('is given up after a day, with the last answer in the message', () => {
    expect(postponed({ postponedSince: NOW }, NOW + 24 * HOUR - 1).giveUp).toBe(false);
    const over = postponed({ postponedSince: NOW }, NOW + 24 * HOUR);
    expect(over).toMatchObject({ outcome: 'failed', giveUp: true, again: null });
    expect(over.error).toMatchObject({ code: POSTPONED_TOO_LONG, errorClass: 'permanent' });
    expect(over.error?.message).toContain('it failed');
  });

  test('a failure of another kind ends the day', () => {
    const failed = disposeOf(stage, claimOf(failure('transient'), { postponedSince: 1 }), 0, NOW);
    expect(failed.again?.data).not.toHaveProperty('postponedSince');
  });
});

describe('a replay', () => {
  const replayed = { ...stage, replayFrom: ['passed'] };
  const batch = { cause: '01900000-0000-7000-8000-000000000000' };

  test.each<[ErrorClass, Partial<JobData>]>([
    ['permanent', {}],
    ['lost', {}],
    ['transient', { tries: 2 }],
    ['postponed', { postponedSince: NOW - 25 * HOUR }],
  ])('that is %s, all being tried, gives nothing up', (errorClass, data) => {
    const over = (cause: Partial<JobData>, of = replayed) =>
      disposeOf(of, claimOf(failure(errorClass, 1), { ...data, ...cause }), 0.5, NOW);
    expect(over(batch)).toMatchObject({ outcome: 'failed', again: null, giveUp: false });
    expect(over({})).toMatchObject({ outcome: 'failed', again: null, giveUp: true });
    expect(over({ cause: 'edit' })).toMatchObject({ giveUp: true });
    // Where nothing can be made anew, a batch is work like any other.
    expect(disposeOf(stage, claimOf(failure(errorClass, 1), { ...data, ...batch }), 0.5, NOW).giveUp).toBe(true);
  });

  test('that may pass is tried again as a replay', () => {
    const { again, giveUp } = disposeOf(replayed, claimOf(failure('transient'), batch), 0.5, NOW);
    expect([again?.queue, again?.data.cause, again?.data.tries, giveUp]).toEqual([
      retryQueue(stage.name),
      batch.cause,
      1,
      false,
    ]);
  });
});
