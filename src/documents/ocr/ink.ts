import type { Strip } from './cut-out.ts';

/** The rows of a strip that are looked at: rules of tables and underlines run above and below them. */
const TOP = 0.2;
const BOTTOM = 0.8;
/** What differs from paper by less than this part of the strongest difference is paper. */
const INK = 0.4;

/**
 * Which columns of a strip have ink (1) and which none (0). Paper is the middle value of all: letters cover less than half
 * of their line, and may be lighter than their paper.
 */
export function inkColumns({ width, height, planes }: Strip): Uint8Array {
  const [top, bottom] = [Math.floor(height * TOP), Math.ceil(height * BOTTOM)];
  const size = width * height;
  const grey = new Float32Array(width * (bottom - top));
  for (let at = 0; at < grey.length; at += 1) {
    const from = at + top * width;
    grey[at] = (planes[from]! + planes[size + from]! + planes[2 * size + from]!) / 3;
  }
  const paper = grey.toSorted()[grey.length >> 1]!;
  const differences = grey.map((one) => Math.abs(one - paper));
  const strongest = differences.toSorted()[Math.floor(grey.length * 0.98)]!;
  const columns = new Uint8Array(width);
  for (let at = 0; at < grey.length; at += 1) {
    if (differences[at]! > strongest * INK) columns[at % width] = 1;
  }
  return columns;
}

/** The widest run without ink between two columns; as wide as nothing where there is none. */
export function widestGap(ink: Uint8Array, from: number, to: number): { readonly from: number; readonly to: number } {
  let best = { from, to: from };
  let start = Math.round(from);
  for (let at = start; at <= to; at += 1) {
    if (!ink[at] && at < to) continue;
    if (at - start > best.to - best.from) best = { from: start, to: at };
    start = at + 1;
  }
  return best;
}
