import { createHash } from 'node:crypto';

/**
 * Randomness without state: the same seed and labels always give the same number, in whatever order they are asked.
 * That is why a hash and no running generator: two requests that arrive in another order keep their answers.
 *
 * @returns a number in [0, 1)
 */
export function unit(seed: string, ...labels: readonly (string | number)[]): number {
  const digest = createHash('sha256')
    .update(JSON.stringify([seed, ...labels]))
    .digest();
  return digest.readUIntBE(0, 6) / 2 ** 48;
}

/** A whole number in [low, high], both included. */
export function wholeBetween(low: number, high: number, seed: string, ...labels: readonly (string | number)[]): number {
  return low + Math.floor(unit(seed, ...labels) * (high - low + 1));
}

/** One member of a list that is not empty. */
export function pick<T>(list: readonly T[], seed: string, ...labels: readonly (string | number)[]): T {
  return list[wholeBetween(0, list.length - 1, seed, ...labels)] as T;
}

/** The first `length` hexadecimal digits of the SHA-256 of a JSON value. */
export function shortHash(value: unknown, length: number): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, length);
}
