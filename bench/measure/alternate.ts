import { median, printTable } from './report.ts';
import type { Timing } from './runs.ts';

/** What one contender did in one repetition. */
export interface Turn extends Timing {
  readonly items: number;
  /** Anything that the table is to say beside the rate. */
  readonly remark?: string;
}

export const rate = ({ items, ms }: Turn): number => (items / ms) * 1000;

export interface Alternated {
  readonly repetitions: readonly Readonly<Record<string, Turn>>[];
  /**
   * The median over the repetitions of one contender's rate over another's (with several: the fastest of them). Both
   * of a repetition ran one after the other under the same load, so this is steadier than the ratio of two medians.
   */
  ratio(of: string, ...to: readonly string[]): number;
  /** Every repetition, the medians, and what an item costs on the processor. */
  print(): void;
}

/** Runs the contenders in turns, so that a machine that gets slower gets slower for all of them. */
export async function alternate(
  repetitions: number,
  contenders: Readonly<Record<string, (repetition: number) => Promise<Turn>>>,
): Promise<Alternated> {
  const done: Record<string, Turn>[] = [];
  for (let n = 0; n < repetitions; n += 1) {
    const turns: Record<string, Turn> = {};
    // Every second repetition backwards: who goes last meets the other's dirty pages.
    const order = Object.entries(contenders);
    for (const [name, run] of n % 2 ? order.reverse() : order) turns[name] = await run(n);
    done.push(turns);
  }
  const names = Object.keys(contenders);
  return {
    repetitions: done,
    ratio: (of, ...to) =>
      median(done.map((turns) => rate(turns[of]!) / Math.max(...to.map((name) => rate(turns[name]!))))),
    print: () => {
      const of = (name: string, value: (turn: Turn) => number) => median(done.map((turns) => value(turns[name]!)));
      printTable(
        ['items/s', ...done.map((_, n) => `repetition ${n + 1}`), 'median', 'µs processor an item', 'of it server'],
        names.map((name) => [
          name,
          ...done.map((turns) => rate(turns[name]!)),
          of(name, rate),
          of(name, ({ cpuMs, serverCpuMs, items }) => ((cpuMs + serverCpuMs) / items) * 1000),
          of(name, ({ serverCpuMs, items }) => (serverCpuMs / items) * 1000),
        ]),
      );
      const remarks = done.flatMap((turns, n) =>
        names.flatMap((name) => (turns[name]?.remark ? [`repetition ${n + 1}, ${name}: ${turns[name].remark}`] : [])),
      );
      if (remarks.length) console.log(`\n${remarks.join('\n')}`);
    },
  };
}
