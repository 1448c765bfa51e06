import { type CellObject, read, SSF, set_cptable, type WorkBook, type WorkSheet } from '@e965/xlsx';
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
  const boxes = textBoxes(parts);
  const { markdown, pages, warnings } = bookToReading(book, meter, (name) => boxes.get(name) ?? []);
  const empty = withoutValue ? [`formulas_without_values: ${withoutValue}`] : [];
  return { markdown, pages, warnings: [...warnings, ...empty, ...leftOutIn(listZip(bytes) ?? [], parts)] };
}

/** An old workbook, as `readXlsx` reads a new one; what is beside its cells is not looked for. */
export async function readXls(bytes: Uint8Array, meter: Meter): Promise<Reading> {
  refuse(countXlsCells(bytes), meter);
  set_cptable(await import('@e965/xlsx/dist/cpexcel.full.mjs'));
  return bookToReading(parse(bytes), meter, () => []);
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

function bookToReading(book: WorkBook, meter: Meter, textBoxesOf: (sheet: string) => readonly string[]): Reading {
  const pages: PageRecord[] = [];
  const whole = growMarkdown();
  for (const [index, name] of book.SheetNames.entries()) {
    meter.checkTime();
    const sheet = book.Sheets[name];
    if (!sheet) throw broken('the workbook lacks one of its sheets: the file is damaged');
    const { markdown: table, warnings } = cellsToMarkdown(existingCells(sheet, meter));
    const boxes = textBoxesOf(name);
    const hidden = book.Workbook?.Sheets?.[index]?.Hidden ? ['hidden_sheet'] : [];
    const start = whole.add(sheetToMarkdown(name, table, ...boxes));
    pages.push(recordPage(index + 1, [table, ...boxes].join('\n'), start, [...warnings, ...hidden]));
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

/** The text that a spreadsheet program shows; a date that it would show as the country has it, as ISO 8601 does. */
function shownText({ w, v, t, z }: CellObject): string {
  if (t === 'n' && z === 'm/d/yy h:mm' && typeof v === 'number') return SSF.format('yyyy-mm-dd hh:mm', v);
  return w ?? (v === undefined || v === null ? '' : String(v));
}

/** The texts of shapes, by the name of the sheet. */
function textBoxes(parts: OfficePackage): ReadonlyMap<string, string[]> {
  const relations = parts.relationsOf(parts.main);
  const found = new Map<string, string[]>();
  for (const sheet of elementsBelow(parts.read(parts.main), 'x:sheet')) {
    const part = relations.get(sheet.attributes['r:id'] ?? '')?.target;
    const drawings =
      part === undefined ? [] : [...parts.relationsOf(part).values()].filter(({ kind }) => kind === 'drawing');
    const texts = drawings
      .filter(({ target }) => parts.has(target))
      .flatMap(({ target }) => [...elementsBelow(parts.read(target), 'xdr:txBody')])
      .map((body) =>
        elementsIn(body)
          .map(textIn)
          .filter((line) => line.trim())
          .join('\n'),
      )
      .filter(Boolean);
    if (texts.length) found.set(sheet.attributes.name ?? '', texts);
  }
  return found;
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
