import { type CellObject, read, SSF, set_cptable, type WorkBook, type WorkSheet } from '@e965/xlsx';
import { cellText, plain } from '../blocks.ts';
import { broken, locked, type Meter } from '../budgets.ts';
import { cellsToMarkdown, type PlacedCell, sheetToMarkdown } from '../cells.ts';
import { countXlsCells } from '../count-xls-cells.ts';
import { growMarkdown } from '../grow-markdown.ts';
import { type OfficePackage, openOfficePackage } from '../office-package.ts';
import { type PageRecord, recordPage } from '../page-record.ts';
import { elementsBelow, elementsIn, textIn } from '../read-xml.ts';
import { listZip, writeZip } from '../zip.ts';
import type { Reading } from './reader.ts';

/**
 * A workbook, each sheet a page: its name as a heading, a table of the cells that there are, as a person sees them
 * (dates, percentages, results of formulas), then its text boxes. Hidden sheets are read and said; comments, pictures,
 * charts and embedded files are left out, and that is said.
 */
export function readXlsx(bytes: Uint8Array, meter: Meter): Reading {
  const parts = openOfficePackage(bytes, meter);
  const withoutValue = countCells(parts, meter);
  // The library unpacks what was counted here, not what it would find in the file itself.
  const book = parse(writeZip(parts.files));
  const { markdown, pages, warnings } = bookToReading(book, meter, readSheetParts(parts));
  const empty = withoutValue ? [`formulas_without_values: ${withoutValue}`] : [];
  return { markdown, pages, warnings: [...warnings, ...empty, ...leftOutIn(listZip(bytes) ?? [], parts)] };
}

/** An old workbook, as `readXlsx` reads a new one; what is beside its cells is not looked for. */
export async function readXls(bytes: Uint8Array, meter: Meter): Promise<Reading> {
  refuse(countXlsCells(bytes), meter);
  set_cptable(await import('@e965/xlsx/dist/cpexcel.full.mjs'));
  return bookToReading(parse(bytes), meter, new Map());
}

/** More than may be read is refused before parsing: the library makes an object of each cell, of empty ones too. */
function refuse(cells: number, meter: Meter): void {
  if (cells > meter.left('cells')) meter.take('cells', cells);
}

/** How many formulas have no value: programs that write them without computing leave it to whoever opens the file. */
function countCells({ files }: OfficePackage, meter: Meter): number {
  let cells = 0;
  let withoutValue = 0;
  for (const [name, content] of files) {
    if (!name.endsWith('.xml')) continue;
    const xml = Buffer.from(content.buffer, content.byteOffset, content.length);
    for (const start of ['<c ', '<c>', ':c ']) {
      for (let at = xml.indexOf(start); at >= 0; at = xml.indexOf(start, at + 3)) {
        cells += 1;
        refuse(cells, meter);
      }
    }
    for (let at = xml.indexOf('</f>'); at >= 0; at = xml.indexOf('</f>', at + 4))
      if (/^(<v\/>|<v><\/v>)?<\/c>/.test(xml.toString('latin1', at + 4, at + 20))) withoutValue += 1;
  }
  return withoutValue;
}

function parse(bytes: Uint8Array): WorkBook {
  try {
    const shown = { cellFormula: false, cellHTML: false, cellNF: true, dateNF: 'yyyy-mm-dd' };
    return read(bytes, { type: 'array', dense: true, ...shown });
  } catch (error) {
    if (/password/i.test(String(error))) throw locked('the workbook');
    throw broken('the workbook cannot be read: the file is damaged', error);
  }
}

function bookToReading(book: WorkBook, meter: Meter, beside: ReadonlyMap<string, SheetParts>): Reading {
  const pages: PageRecord[] = [];
  const whole = growMarkdown();
  for (const [index, name] of book.SheetNames.entries()) {
    meter.checkTime();
    const sheet = book.Sheets[name];
    if (!sheet) throw broken('the workbook lacks one of its sheets: the file is damaged');
    const { markdown: table, warnings } = cellsToMarkdown(existingCells(sheet, meter));
    const { boxes = [], warnings: more = [] } = beside.get(name) ?? {};
    const hidden = book.Workbook?.Sheets?.[index]?.Hidden ? ['hidden_sheet'] : [];
    const start = whole.add(sheetToMarkdown(name, table, ...boxes));
    pages.push(recordPage(index + 1, [table, ...boxes].join('\n'), start, [...warnings, ...hidden, ...more]));
  }
  return { markdown: whole.text(), pages, warnings: [] };
}

function existingCells(sheet: WorkSheet, meter: Meter): PlacedCell[] {
  const found: PlacedCell[] = [];
  const data = (sheet['!data'] ?? []) as readonly (readonly CellObject[])[];
  for (const row of Object.keys(data).map(Number)) {
    for (const column of Object.keys(data[row] ?? []).map(Number)) {
      const text = shownText(data[row]![column]!).trim();
      if (!text) continue;
      meter.take('cells', 1);
      meter.take('characters', text.length);
      found.push({ row, column, text });
    }
  }
  return found;
}

/**
 * The text that a spreadsheet program shows. Two exceptions: a date that it would show as the country has it is in the
 * form of ISO 8601, and a long whole number, such as that of an account, is not in powers of ten.
 */
function shownText({ w, v, t, z }: CellObject): string {
  if (t === 'n' && z === 'm/d/yy h:mm' && typeof v === 'number') return SSF.format('yyyy-mm-dd hh:mm', v);
  if (t === 'n' && z === 'General' && Number.isSafeInteger(v)) return String(v);
  return w ?? (v === undefined || v === null ? '' : String(v));
}

interface SheetParts {
  readonly boxes: readonly string[];
  readonly warnings: readonly string[];
}

/** What a sheet has beside its cells, by its name: texts of shapes, and whether rows or columns are hidden. */
function readSheetParts(parts: OfficePackage): ReadonlyMap<string, SheetParts> {
  const relations = parts.relationsOf(parts.main);
  const found = new Map<string, SheetParts>();
  for (const { attributes } of elementsBelow(parts.read(parts.main), 'x:sheet')) {
    const part = relations.get(attributes['r:id'] ?? '')?.target;
    if (part === undefined) continue;
    const boxes = [...parts.relationsOf(part).values()]
      .filter(({ kind, target }) => kind === 'drawing' && parts.has(target))
      .flatMap(({ target }) => [...elementsBelow(parts.read(target), 'xdr:txBody')])
      .map((body) => cellText(elementsIn(body).map((line) => plain(textIn(line)))))
      .filter(Boolean);
    const warnings = hidesSome(parts.files.get(part)) ? ['hidden_rows_or_columns'] : [];
    found.set(attributes.name ?? '', { boxes, warnings });
  }
  return found;
}

function hidesSome(content: Uint8Array | undefined): boolean {
  if (!content) return false;
  const xml = Buffer.from(content.buffer, content.byteOffset, content.length);
  for (const hidden of [' hidden="1"', ' hidden="true"'])
    for (let at = xml.indexOf(hidden); at >= 0; at = xml.indexOf(hidden, at + 1)) {
      const tag = xml.toString('latin1', xml.lastIndexOf('<', at), at);
      if (/^<(\w+:)?(row|col)\b/.test(tag)) return true;
    }
  return false;
}

function leftOutIn(names: readonly string[], { files, read: readPart }: OfficePackage): string[] {
  const count = (pattern: RegExp) => names.filter((name) => pattern.test(name)).length;
  const comments = [...files.keys()].filter((name) => /^xl\/comments[^/]*\.xml$/i.test(name));
  const counts = {
    comments_left_out: comments.reduce((sum, part) => sum + [...elementsBelow(readPart(part), 'x:comment')].length, 0),
    pictures_not_read: count(/^xl\/media\/[^/]+$/i),
    charts_not_read: count(/^xl\/charts\/chart[^/]*\.xml$/i),
    embedded_files_not_read: count(/^xl\/embeddings\/[^/]+$/i),
  };
  return Object.entries(counts).flatMap(([code, many]) => (many ? [`${code}: ${many}`] : []));
}
