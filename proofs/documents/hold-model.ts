import { type MockClock, systemClock } from '../../src/models/mock/index.ts';

/** A model that holds its answers from a certain one on, until it is told to give them. */
export interface HeldModel {
  readonly clock: MockClock;
  /** So many answers are given, those behind them held; what was held before is given. */
  holdAfter(answers: number): void;
  /** Answers that are held. */
  held(): number;
  release(): void;
}

export function holdModel(): HeldModel {
  let left = Number.POSITIVE_INFINITY;
  let gate = { held: 0, ...Promise.withResolvers<void>() };
  return {
    clock: {
      ...systemClock,
      sleep: async (ms, signal) => {
        await systemClock.sleep(ms, signal);
        left -= 1;
        if (left >= 0) return;
        gate.held += 1;
        await gate.promise;
      },
    },
    holdAfter: (answers) => {
      gate.resolve();
      gate = { held: 0, ...Promise.withResolvers<void>() };
      left = answers;
    },
    held: () => gate.held,
    release: () => {
      left = Number.POSITIVE_INFINITY;
      gate.held = 0;
      gate.resolve();
    },
  };
}
