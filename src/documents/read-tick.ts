import type { Candidate, ReadingContext } from './candidate.ts';
import type { DocumentLine } from './document-lines.ts';
import type { FieldRule } from './document-types.ts';
import { readValue } from './normalise-value.ts';
import { plainLabel } from './plain-label.ts';

const WORD = { inCell: 0.5, inText: 0.3 };
const MAX_CELL = 30;
/** In longer texts a word may stand for anything. */
const SHORT = 1_500;

/**
 * A value of an enum that is printed without a label of its own (`现金 实收 200.00`, `本人申请事假`), where no other value
 * of it is printed: in a cell, in a short text anywhere.
 */
export function readTick(field: FieldRule, lines: readonly DocumentLine[], context: ReadingContext): Candidate[] {
  if (field.type !== 'enum') return [];
  const isShort = context.markdown.length <= SHORT;
  const found = lines.flatMap(({ cells }) =>
    cells.flatMap((cell) => {
      const isCell = cell.text.length <= MAX_CELL;
      if ((!isCell && !isShort) || plainLabel(cell.text).length < 2) return [];
      const reading = readValue(field, cell.text, context);
      return reading === null
        ? []
        : [{ score: isCell ? WORD.inCell : WORD.inText, reading, start: cell.start, end: cell.end }];
    }),
  );
  return new Set(found.map(({ reading }) => reading.value)).size === 1
    ? found.sort((a, b) => b.score - a.score).slice(0, 1)
    : [];
}
