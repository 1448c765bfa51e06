import { type CellObject, read, utils, type WorkBook, type WorkSheet } from '@e965/xlsx';
import { broken, type Meter, tooLarge } from '../budgets.ts';
import { growMarkdown } from '../grow-markdown.ts';
import { markdownTable } from '../markdown-table.ts';
import { type PageRecord, recordPage } from '../page-record.ts';
import { readZip } from '../zip.ts';
import type { Reading } from './reader.ts';

interface Placed {
  readonly row: number;
  readonly column: number;
  readonly text: string;
}

/**
 * A workbook to one table a sheet. Only cells that exist are visited, and rows and columns without any are left out:
 * one far cell costs as much as a near one.
 */
export function readSpreadsheet(bytes: Uint8Array, meter: Meter): Reading {
  refuseManyCells(readZip(bytes, meter), meter);
  const pages: PageRecord[] = [];
  const whole = growMarkdown();
  const book = parse(bytes);
  for (const [index, name] of book.SheetNames.entries()) {
    meter.checkTime();
    const sheet = book.Sheets[name];
    if (!sheet) throw broken('the workbook lacks one of its sheets: the file is damaged');
    const { markdown, warnings } = sheetToMarkdown(sheet, meter);
    const hidden = book.Workbook?.Sheets?.[index]?.Hidden ? ['hidden_sheet'] : [];
    const start = whole.add(`## ${name}\n\n${markdown}`.trimEnd());
    pages.push(recordPage(index + 1, markdown, start, [...warnings, ...hidden]));
  }
  return { markdown: whole.text(), pages, warnings: [] };
}

/** Counted before parsing, formatted but empty ones too: the library makes an object of each. */
function refuseManyCells(files: ReadonlyMap<string, Uint8Array>, { budgets }: Meter): void {
  let cells = 0;
  for (const [name, content] of files) {
    if (!name.endsWith('.xml')) continue;
    const xml = Buffer.from(content.buffer, content.byteOffset, content.length);
    for (let at = xml.indexOf('<c '); at >= 0; at = xml.indexOf('<c ', at + 3)) {
      cells += 1;
      if (cells > budgets.cells) throw tooLarge(`more than ${budgets.cells} cells`, { budget: 'cells' });
    }
  }
}

function parse(bytes: Uint8Array): WorkBook {
  try {
    return read(bytes, { type: 'array', dense: true, cellFormula: false, cellHTML: false, dateNF: 'yyyy-mm-dd' });
  } catch (error) {
    throw broken('the workbook cannot be read: the file is damaged', error);
  }
}

function sheetToMarkdown(sheet: WorkSheet, meter: Meter): { markdown: string; warnings: string[] } {
  const cells = existingCells(sheet, meter);
  const rows = [...new Set(cells.map((one) => one.row))];
  const columns = [...new Set(cells.map((one) => one.column))].sort((a, b) => a - b);
  // Scattered cells would make a table that is nearly all holes: they are listed by their address.
  if (rows.length * columns.length > Math.max(1_000, cells.length * 20)) {
    const lines = cells.map((one) => `- ${utils.encode_cell({ r: one.row, c: one.column })}: ${one.text}`);
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

function existingCells(sheet: WorkSheet, meter: Meter): Placed[] {
  const found: Placed[] = [];
  const data = (sheet['!data'] ?? []) as readonly (readonly CellObject[])[];
  for (const row of Object.keys(data).map(Number)) {
    for (const column of Object.keys(data[row] ?? []).map(Number)) {
      const text = cellText(data[row]![column]!).trim();
      if (!text) continue;
      meter.take('cells', 1);
      found.push({ row, column, text });
    }
  }
  return found;
}

/** The text that a spreadsheet program shows. */
function cellText(cell: CellObject): string {
  return cell.w ?? (cell.v === undefined || cell.v === null ? '' : String(cell.v));
}
