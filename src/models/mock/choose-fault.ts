import type { ChatRequest } from './chat-request.ts';
import type { Fault } from './fault-kinds.ts';
import { matchesWhen } from './matches-when.ts';
import { unit } from './random.ts';
import type { Script } from './script.ts';

/** Decides what goes wrong with a request; asked once a request, in order of arrival. */
export type FaultChooser = (
  request: Pick<ChatRequest, 'text' | 'model'>,
  number: number,
  /** Requests in flight at its arrival, this one included. */
  inFlight: number,
) => Fault | null;

/**
 * Faults are tried in the script's order and the first that strikes is taken. Each counts for `first` and `every`
 * the matching requests that no earlier fault took, so that two faults with `first: 2` strike four requests in turn.
 * `rate` is drawn from the seed and the request's number: the same run strikes the same numbers.
 */
export function faultChooser(script: Pick<Script, 'seed' | 'faults'>): FaultChooser {
  const seen = script.faults.map(() => 0);
  return (request, number, inFlight) => {
    for (const [i, fault] of script.faults.entries()) {
      if (!matchesWhen(fault.when, request)) continue;
      if (fault.above !== undefined && inFlight <= fault.above) continue;
      const count = (seen[i] ?? 0) + 1;
      seen[i] = count;
      if (fault.first !== undefined && count > fault.first) continue;
      if (fault.every !== undefined && count % fault.every !== 0) continue;
      if (fault.rate < 1 && unit(script.seed, 'fault', i, number) >= fault.rate) continue;
      return fault;
    }
    return null;
  };
}
