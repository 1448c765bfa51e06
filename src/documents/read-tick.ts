import type { Candidate, ReadingContext } from './candidate.ts';
import type { DocumentLine } from './document-lines.ts';
import type { FieldRule } from './document-types.ts';
import { readValue } from './normalise-value.ts';
import { plainLabel } from './plain-label.ts';

const WORD = 0.5;
const MAX_CELL = 30;

/** A value of an enum that is printed without a label of its own (`现金 实收 200.00`), where no other value is. */
export function readTick(field: FieldRule, lines: readonly DocumentLine[], context: ReadingContext): Candidate[] {
  if (field.type !== 'enum') return [];
  const found = lines.flatMap(({ cells }) =>
    cells.flatMap((cell) => {
      if (cell.text.length > MAX_CELL || plainLabel(cell.text).length < 2) return [];
      const reading = readValue(field, cell.text, context);
      return reading === null ? [] : [{ score: WORD, reading, start: cell.start, end: cell.end }];
    }),
  );
  return new Set(found.map(({ reading }) => reading.value)).size === 1 ? found.slice(0, 1) : [];
}
