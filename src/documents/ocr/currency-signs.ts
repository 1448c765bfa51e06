import type { Strip } from './cut-out.ts';
import { INK, type Ink } from './ink.ts';
import type { Found } from './read-line.ts';

/** How wide and high the shapes below are, row by row, a figure from no ink (0) to all ink (f) each. */
const WIDTH = 12;
const HEIGHT = 16;
/** The mean of ten faces (Noto Sans and Serif, Arimo, Tinos, Cousine, regular and bold), each in the frame of its ink. */
const SHAPES = [
  [
    '£',
    '0014adedc830016eea88bea214be94225bc315ee6100156216ed5000001015ee5000000003ee6000000078dfa7773100cdefeddc8400117ea3111100006e92000000007e8200011103bc410002443ad844445687cfedddddddd9effffffffeb9',
  ],
  [
    '€',
    '00005adddb620008ed978be7005ed73236b901cfa300135504ee7100000038fd84443100cefedddda4103afc533321003afc63332000dfffeeeea30038fd7333210003ee7100000001bfa3000367005fe83236bb0007ee988bd800005addca52',
  ],
] as const;
/** Correlation with the shape of the same sign in a face that had no part in it: 0.82 and more; all other signs: 0.6 at most. */
const ALIKE = 0.7;
/** Widths of the signs, as parts of their height. */
const NARROW = 0.4;
const BROAD = 1.2;

interface Run {
  readonly from: number;
  readonly to: number;
}

/**
 * The network knows neither € nor £ and leaves them out: ink beside a figure that no character was found for, and that
 * looks like one of the two, is that sign.
 */
export function currencySigns(read: readonly Found[], ink: Ink, strip: Strip): Found[] {
  const runs = runsOf(ink.columns);
  if (!runs.length) return [];
  const places = read.map(({ at }) => nearest(runs, at));
  const signs: Found[] = [];
  for (let at = 0; at <= read.length; at += 1) {
    const isBesideFigure = /\d/.test(read[at - 1]?.character ?? '') || /\d/.test(read[at]?.character ?? '');
    if (!isBesideFigure) continue;
    const unread = runs.slice((places[at - 1] ?? -1) + 1, places[at] ?? runs.length);
    for (const run of unread) {
      const sign = signOf(run, ink, strip);
      if (sign) signs.push({ character: sign, at: (run.from + run.to) / 2 });
    }
  }
  return signs;
}

function runsOf(columns: Uint8Array): Run[] {
  const runs: Run[] = [];
  for (let from = columns.indexOf(1); from >= 0; from = columns.indexOf(1, from)) {
    const end = columns.indexOf(0, from);
    const to = end < 0 ? columns.length : end;
    runs.push({ from, to });
    from = to;
  }
  return runs;
}

function nearest(runs: readonly Run[], at: number): number {
  const distances = runs.map(({ from, to }) => Math.max(0, from - at, at - to));
  return distances.indexOf(Math.min(...distances));
}

function signOf({ from, to }: Run, { darkness }: Ink, { width, height }: Strip): string | null {
  const rows: number[] = [];
  // The edges of the strip may show rules of a table.
  for (let y = Math.floor(height * 0.08); y < height * 0.92; y += 1)
    if (darkness.subarray(y * width + from, y * width + to).some((one) => one > INK)) rows.push(y);
  const [top, bottom] = [rows[0] ?? 0, (rows.at(-1) ?? 0) + 1];
  const aspect = (to - from) / (bottom - top);
  if (bottom - top < height * 0.35 || aspect < NARROW || aspect > BROAD) return null;
  const shape = Array.from({ length: WIDTH * HEIGHT }, (_, at) => {
    const left = from + ((at % WIDTH) * (to - from)) / WIDTH;
    const upper = top + (Math.floor(at / WIDTH) * (bottom - top)) / HEIGHT;
    return meanOf(darkness, width, left, left + (to - from) / WIDTH, upper, upper + (bottom - top) / HEIGHT);
  });
  const likely = SHAPES.map(([sign, figures]) => ({
    sign,
    fit: correlation(
      shape,
      [...figures].map((one) => Number.parseInt(one, 16)),
    ),
  }));
  const best = likely.reduce((one, other) => (other.fit > one.fit ? other : one));
  return best.fit > ALIKE ? best.sign : null;
}

/** Of a part of a grid whose edges may fall between places, weighted by what lies inside. */
function meanOf(values: Float32Array, width: number, left: number, right: number, top: number, bottom: number): number {
  let [sum, weight] = [0, 0];
  for (let y = Math.floor(top); y < bottom; y += 1) {
    for (let x = Math.floor(left); x < right; x += 1) {
      const inside = (Math.min(x + 1, right) - Math.max(x, left)) * (Math.min(y + 1, bottom) - Math.max(y, top));
      sum += values[y * width + x]! * inside;
      weight += inside;
    }
  }
  return sum / weight;
}

/** Pearson's coefficient. */
function correlation(one: readonly number[], other: readonly number[]): number {
  const mean = (list: readonly number[]) => list.reduce((sum, value) => sum + value, 0) / list.length;
  const [a, b] = [mean(one), mean(other)];
  let [both, first, second] = [0, 0, 0];
  for (const [at, value] of one.entries()) {
    both += (value - a) * (other[at]! - b);
    first += (value - a) ** 2;
    second += (other[at]! - b) ** 2;
  }
  return both / Math.sqrt(first * second || 1);
}
