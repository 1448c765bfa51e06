import { type Actor, type EdgeOf, type Machine, mayMove } from './machine.ts';
import type { Step } from './move.ts';

/**
 * The edges that one claim takes with its item, each stamped when it was taken. Nothing moves until the claim
 * settles; then all of them move in one statement.
 */
export interface Walk<M extends Machine = Machine> {
  readonly state: string;
  /** Throws a plain Error when the item is not in `from` or the edge is not one for this actor. */
  take(edge: EdgeOf<M>): void;
  /** The steps, with their age at `nowMs` on the clock that the walk was begun with. */
  steps(nowMs: number): Step[];
}

export function beginWalk<M extends Machine>(machine: M, state: string, actor: Actor, clockMs: () => number): Walk<M> {
  const taken: { from: string; to: string; at: number }[] = [];
  let at = state;
  return {
    get state() {
      return at;
    },
    take(edge) {
      const { from, to } = edge as { from: string; to: string };
      if (from !== at || !mayMove(machine, from, to, actor)) {
        throw new Error(`machine ${machine.name}: ${actor} may not go from '${from}' to '${to}' while in '${at}'`);
      }
      at = to;
      taken.push({ from, to, at: clockMs() });
    },
    steps: (nowMs) => taken.map((step) => ({ from: step.from, to: step.to, ageMs: Math.max(0, nowMs - step.at) })),
  };
}
