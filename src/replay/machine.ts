import { defineMachine } from '../core/machine.ts';

/** One replay over the past: a person starts, holds and ends it, the dispatcher brings it to its end. */
export const batchMachine = defineMachine({
  name: 'replay.batch',
  table: 'replay_batch',
  states: ['running', 'paused', 'cancelled', 'done', 'failed'],
  initial: ['running'],
  resting: ['paused', 'cancelled', 'done', 'failed'],
  failed: ['failed'],
  edges: {
    running: { paused: ['human'], cancelled: ['human'], done: ['system'], failed: ['system'] },
    paused: { running: ['human'], cancelled: ['human'] },
    failed: { running: ['human'], cancelled: ['human'] },
  },
  stuckAfterSeconds: {},
});
