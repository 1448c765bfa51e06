import type { Span } from './spans.ts';

/**
 * Leftmost-longest selection among overlapping spans: from left to right the longest at each start wins, and what
 * overlaps a winner is covered by it. Spans that a boundary rejects must be left out beforehand: then a shorter or
 * later name takes the place of a longer one that was none (智谱清言大模型 fails, 清言 stands).
 */
/** Sorts `spans` in place by start, longer first; `covered` pairs each loser with the winner that it overlaps. */
export function selectLeftmostLongest<T extends Span>(spans: T[]): { kept: T[]; covered: { span: T; by: T }[] } {
  spans.sort((a, b) => a.start - b.start || b.end - a.end);
  const kept: T[] = [];
  const covered: { span: T; by: T }[] = [];
  let last: T | undefined;
  for (const span of spans) {
    if (last !== undefined && span.start < last.end) {
      covered.push({ span, by: last });
    } else {
      kept.push(span);
      last = span;
    }
  }
  return { kept, covered };
}
