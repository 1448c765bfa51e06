import { expect, test } from 'vitest';
import { selectLeftmostLongest } from './leftmost-longest.ts';

test('the longest at the leftmost start wins, and losers name their winner', () => {
  const spans = [
    { start: 4, end: 11 },
    { start: 0, end: 7 },
    { start: 0, end: 3 },
    { start: 12, end: 15 },
  ];
  const { kept, covered } = selectLeftmostLongest(spans);
  expect(kept.map((span) => [span.start, span.end])).toEqual([
    [0, 7],
    [12, 15],
  ]);
  expect(covered.map(({ span, by }) => [span.start, span.end, by.start])).toEqual([
    [0, 3, 0],
    [4, 11, 0],
  ]);
});
