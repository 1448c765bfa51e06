import { unit } from './random.ts';
import type { Script } from './script.ts';

/** How long request `number` waits for its answer, in milliseconds: fixed, or drawn from the seed and its number. */
export function latencyMs(script: Pick<Script, 'seed' | 'latency_ms'>, number: number): number {
  const latency = script.latency_ms;
  if (typeof latency === 'number') return latency;
  return latency.min + (latency.max - latency.min) * unit(script.seed, 'latency', number);
}
