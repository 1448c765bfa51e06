import { growMarkdown } from './grow-markdown.ts';
import { markdownTable } from './markdown-table.ts';

/** A cell that has text; rows and columns are counted from 0. */
export interface PlacedCell {
  readonly row: number;
  readonly column: number;
  readonly text: string;
}

/**
 * The cells of one sheet, row by row, to a table; rows and columns without any are left out: one far cell costs as much
 * as a near one. Cells that would make a table that is nearly all holes are listed by their address.
 */
export function cellsToMarkdown(cells: readonly PlacedCell[]): { markdown: string; warnings: string[] } {
  const rows = [...new Set(cells.map((one) => one.row))];
  const columns = [...new Set(cells.map((one) => one.column))].sort((a, b) => a - b);
  if (rows.length * columns.length > Math.max(1_000, cells.length * 20)) {
    const lines = cells.map((one) => `- ${addressOf(one)}: ${one.text}`);
    return { markdown: lines.join('\n'), warnings: ['scattered_cells'] };
  }
  const columnAt = new Map(columns.map((column, at) => [column, at]));
  const table = Map.groupBy(cells, (one) => one.row);
  const filled = [...table.values()].map((row) => {
    const line = new Array<string>(columns.length).fill('');
    for (const one of row) line[columnAt.get(one.column)!] = one.text;
    return line;
  });
  const gaps = spread(rows) > rows.length || spread(columns) > columns.length;
  return { markdown: markdownTable(filled), warnings: gaps ? ['empty_rows_or_columns_left_out'] : [] };
}

const spread = (sorted: readonly number[]): number => (sorted.length ? sorted.at(-1)! - sorted[0]! + 1 : 0);

function addressOf({ row, column }: PlacedCell): string {
  let letters = '';
  for (let left = column + 1; left > 0; left = Math.floor((left - 1) / 26))
    letters = String.fromCharCode(65 + ((left - 1) % 26)) + letters;
  return `${letters}${row + 1}`;
}

/** A sheet as it goes into the document: its name is a heading. */
export const sheetToMarkdown = (name: string, ...parts: readonly string[]): string => {
  const whole = growMarkdown();
  for (const part of [`## ${name}`, ...parts]) whole.add(part);
  return whole.text();
};
