import type { Strip } from './cut-out.ts';

/** The rows of a strip that are looked at: rules of tables and underlines run above and below them. */
const TOP = 0.2;
const BOTTOM = 0.8;
/** What differs from paper by less than this part of the strongest difference is paper. */
export const INK = 0.4;

export interface Ink {
  /** Which columns have ink (1) and which none (0). */
  readonly columns: Uint8Array;
  /** How much of the strongest ink each place has, 0 to 1, row by row. */
  readonly darkness: Float32Array;
}

/**
 * The ink of a strip. Paper is the middle value of all: letters cover less than half of their line, and may be lighter
 * than their paper.
 */
export function inkOf({ width, height, planes }: Strip): Ink {
  const size = width * height;
  const grey = planes.subarray(0, size).map((blue, at) => (blue + planes[size + at]! + planes[2 * size + at]!) / 3);
  const [top, bottom] = [Math.floor(height * TOP) * width, Math.ceil(height * BOTTOM) * width];
  const middle = grey.slice(top, bottom);
  const paper = middle.toSorted()[middle.length >> 1]!;
  const strongest = middle.map((one) => Math.abs(one - paper)).sort()[Math.floor(middle.length * 0.98)]!;
  const darkness = grey.map((one) => Math.min(1, Math.abs(one - paper) / (strongest || 1)));
  const columns = new Uint8Array(width);
  for (let at = top; at < bottom; at += 1) if (darkness[at]! > INK) columns[at % width] = 1;
  return { columns, darkness };
}

/** The widest run without ink between two columns; as wide as nothing where there is none. */
export function widestGap(
  columns: Uint8Array,
  from: number,
  to: number,
): { readonly from: number; readonly to: number } {
  let best = { from, to: from };
  let start = Math.round(from);
  for (let at = start; at <= to; at += 1) {
    if (!columns[at] && at < to) continue;
    if (at - start > best.to - best.from) best = { from: start, to: at };
    start = at + 1;
  }
  return best;
}
