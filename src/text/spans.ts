/** A half-open range of UTF-16 offsets. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The index of the span that holds `at` among ascending, disjoint spans, or -1. */
export function spanAt(spans: readonly Span[], at: number): number {
  let low = 0;
  let high = spans.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const span = spans[middle]!;
    if (at < span.start) high = middle - 1;
    else if (at >= span.end) low = middle + 1;
    else return middle;
  }
  return -1;
}

/** The index of the last span that starts at or before `at`, or -1; spans ascending by start. */
export function lastStartAt(spans: readonly { readonly start: number }[], at: number): number {
  let low = 0;
  let high = spans.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (spans[middle]!.start <= at) low = middle + 1;
    else high = middle - 1;
  }
  return high;
}
