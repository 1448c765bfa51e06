/** An A4 page at 200 dots an inch has 3.9 million pixels. */
const MOST_PIXELS = 4_500_000;

/** By how much a picture of this size is made smaller (never larger) so that it can be recognised: at most 1. */
export function shrinkage(width: number, height: number): number {
  return Math.min(1, Math.sqrt(MOST_PIXELS / (width * height)));
}
