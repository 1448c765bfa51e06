import type { Candidate, ReadingContext } from './candidate.ts';
import type { Cell, DocumentLine } from './document-lines.ts';
import type { FieldRule } from './document-types.ts';
import { SURE_FIT } from './label-book.ts';
import type { LabelledValue } from './labelled-values.ts';
import { plainLabel } from './plain-label.ts';
import { type Fit, listOf, readColumn, splitItems } from './read-columns.ts';
import type { Grid } from './table-columns.ts';

const HOW = { colon: 0.3, after: 0.15, cell: 0.2, below: 0.1 };

/** The values of a list: a column of a table, a label that is repeated, what follows a heading, items in one text. */
export function readList(
  field: FieldRule,
  lines: readonly DocumentLine[],
  pairs: readonly LabelledValue[],
  grids: readonly Grid[],
  fitOf: Fit,
  context: ReadingContext,
): Candidate[] {
  return [
    ...readColumn(field, grids, fitOf, context),
    ...underHeading(field, lines, fitOf, context),
    ...behindLabel(field, pairs, fitOf, context),
  ];
}

function behindLabel(
  field: FieldRule,
  pairs: readonly LabelledValue[],
  fitOf: Fit,
  context: ReadingContext,
): Candidate[] {
  const fitting = pairs.filter(({ label, how }) => how !== 'below' && fitOf(label) >= SURE_FIT);
  return [...Map.groupBy(fitting, ({ label, how }) => `${how} ${label}`).values()].flatMap((same) => {
    const [first] = same;
    const cells = same.map(({ value, valueStart, end }): Cell => ({ text: value, start: valueStart, end }));
    const list = listOf(field, same.length === 1 ? splitItems(cells[0]!, context.markdown) : cells, context);
    if (list === null) return [];
    return [{ ...list, score: fitOf(first!.label) + HOW[first!.how], start: first!.start }];
  });
}

/** Lines below a heading or a label that stands alone: its items, else its first paragraph divided. */
function underHeading(
  field: FieldRule,
  lines: readonly DocumentLine[],
  fitOf: Fit,
  context: ReadingContext,
): Candidate[] {
  return lines.flatMap((line, at) => {
    const [cell] = line.cells;
    if (line.cells.length !== 1 || line.table !== null || cell!.text.length > 40) return [];
    const sure = fitOf(plainLabel(cell!.text));
    const below = lines[at + 1];
    if (sure < SURE_FIT || below === undefined || below.table !== null || below.isHeading) return [];
    const cells = below.isItem ? itemsFrom(lines, at + 1) : paragraph(lines, at + 1, context.markdown);
    const list = listOf(field, cells, context);
    return list === null ? [] : [{ ...list, score: sure + HOW.colon, start: cell!.start }];
  });
}

function itemsFrom(lines: readonly DocumentLine[], at: number): Cell[] {
  const end = lines.findIndex((line, n) => n > at && !line.isItem);
  return lines.slice(at, end === -1 ? undefined : end).map(({ cells }) => cells[0]!);
}

/** One line is divided by its commas; several short ones are an item each. */
function paragraph(lines: readonly DocumentLine[], at: number, markdown: string): Cell[] {
  const end = lines.findIndex((line, n) => n > at && (line.isBlockStart || line.isHeading || line.table !== null));
  const block = lines.slice(at, end === -1 ? undefined : end);
  const cells = block.flatMap((line) => line.cells);
  if (cells.some(({ text }) => /[、,，;；]/.test(text))) return cells.flatMap((cell) => splitItems(cell, markdown));
  return cells;
}
