/** Chance from one printed seed: every draw of a proof comes from here, so that a seed brings everything back. */
export class Chance {
  readonly random: () => number;

  constructor(random: () => number) {
    this.random = random;
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.random() * (high - low + 1));
  }

  /** Small numbers often, large ones seldom: spread evenly over the orders of magnitude. */
  magnitude(low: number, high: number): number {
    return Math.round(low * (high / low) ** this.random());
  }

  pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.random() * from.length)]!;
  }

  happens(probability: number): boolean {
    return this.random() < probability;
  }

  shuffled<T>(from: readonly T[]): T[] {
    const out = [...from];
    for (let i = out.length - 1; i > 0; i--) {
      const j = this.between(0, i);
      [out[i], out[j]] = [out[j]!, out[i]!];
    }
    return out;
  }
}
