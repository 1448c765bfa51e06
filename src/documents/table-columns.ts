import type { Cell, DocumentLine } from './document-lines.ts';
import { plainLabel } from './plain-label.ts';

/** A row of labels above rows of values, drawn as a table or set with gaps. */
export interface Grid {
  readonly head: readonly Cell[];
  /** Rows of as many cells as the head has. */
  readonly rows: readonly (readonly Cell[])[];
  /** What a row is called that sums the others up, with its other cells. */
  readonly totals: readonly (readonly Cell[])[];
}

const TOTAL = /^(?:合计|总计|总共|共计|小计|total|totals|sum|grand total|subtotal)(?: ?\(.*\))?$/;
const MAX_HEAD_CELL = 24;

export const isTotal = (text: string): boolean =>
  TOTAL.test(plainLabel(text).replaceAll(' ', '').replace('grandtotal', 'grand total'));

/**
 * Finds rows of labels that have rows of values below them. Lines of another number of cells between them (a reader may
 * break a table where a cell is empty) end nothing; a line of one cell does, unless it is a total.
 * @param isLabel whether a piece of text is known to be a label, word for word
 */
export function grids(lines: readonly DocumentLine[], isLabel: (plain: string) => boolean): Grid[] {
  const found: Grid[] = [];
  for (const [at, line] of lines.entries()) {
    if (!isHead(line, isLabel)) continue;
    const rows: (readonly Cell[])[] = [];
    const totals: (readonly Cell[])[] = [];
    for (let below = at + 1; below < lines.length; below += 1) {
      const next = lines[below]!;
      if (isHead(next, isLabel)) break;
      if (next.cells.length < 2) {
        if (rows.length > 0 || next.isHeading) break;
        continue;
      }
      const filled = next.cells.filter(({ text }) => text !== '');
      if (filled.length > 0 && filled.some(({ text }, n) => n < filled.length - 1 && isTotal(text)))
        totals.push(next.cells);
      else if (next.cells.length === line.cells.length) rows.push(next.cells);
      else if (next.cells.length > line.cells.length || next.cells.length < line.cells.length - 2) break;
    }
    if (rows.length > 0 || totals.length > 0) found.push({ head: line.cells, rows, totals });
  }
  return found;
}

/** Two or more cells that are all short words, at least two of them known as labels. */
function isHead({ cells }: DocumentLine, isLabel: (plain: string) => boolean): boolean {
  if (cells.length < 2) return false;
  const filled = cells.filter(({ text }) => text !== '');
  if (filled.length < 2 || filled.some(({ text }) => text.length > MAX_HEAD_CELL || /\d{2}|[:：]/.test(text)))
    return false;
  return filled.filter(({ text }) => isLabel(plainLabel(text.replace(/[（(][^（）()]*[)）]/g, ' ')))).length >= 2;
}
