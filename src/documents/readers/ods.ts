import { cellText } from '../blocks.ts';
import type { Meter } from '../budgets.ts';
import { cellsToMarkdown, type PlacedCell, sheetToMarkdown } from '../cells.ts';
import { growMarkdown } from '../grow-markdown.ts';
import { countLeftOut } from '../left-out.ts';
import { openDocument } from '../odf/open.ts';
import { type OdfContext, readBlocks, startReading } from '../odf/read-blocks.ts';
import { type PageRecord, recordPage } from '../page-record.ts';
import { childNamed, elementsIn, type XmlElement } from '../read-xml.ts';
import type { Reading } from './reader.ts';

/**
 * A workbook of OpenDocument, as `readXlsx` reads the other kind. The file keeps what each cell shows. A cell that is
 * repeated a million times is one element of it, so repeated ones are counted before anything is made of them.
 */
export function readOds(bytes: Uint8Array, meter: Meter): Reading {
  const document = openDocument(bytes, meter, 'spreadsheet');
  const leftOut = countLeftOut();
  const context = startReading(document, meter, leftOut);
  const whole = growMarkdown();
  const pages: PageRecord[] = [];
  for (const [index, sheet] of elementsIn(document.body)
    .filter(({ name }) => name === 'table:table')
    .entries()) {
    meter.checkTime();
    const { markdown: table, warnings } = cellsToMarkdown(readCells(sheet, context));
    const shapes = childNamed(sheet, 'table:shapes');
    const boxes = shapes ? [cellText(readBlocks(shapes, context))] : [];
    const hidden = document.styles.isShown(sheet.attributes['table:style-name']) ? [] : ['hidden_sheet'];
    const start = whole.add(sheetToMarkdown(sheet.attributes['table:name'] ?? `${index + 1}`, table, ...boxes));
    pages.push(recordPage(index + 1, [table, ...boxes].join('\n'), start, [...warnings, ...hidden]));
  }
  return { markdown: whole.text(), pages, warnings: leftOut.warnings() };
}

function readCells(sheet: XmlElement, context: OdfContext): PlacedCell[] {
  const cells: PlacedCell[] = [];
  let row = 0;
  const visit = (parent: XmlElement) => {
    for (const element of elementsIn(parent)) {
      if (element.name === 'table:table-row') {
        const times = repeated(element, 'table:number-rows-repeated');
        const inRow = readRow(element, context);
        context.meter.take('cells', inRow.length * times);
        context.meter.take('characters', inRow.reduce((sum, { text }) => sum + text.length, 0) * times);
        if (inRow.length)
          for (let at = 0; at < times; at += 1) for (const one of inRow) cells.push({ ...one, row: row + at });
        row += times;
      } else if (/^table:table-(header-rows|rows|row-group)$/.test(element.name)) visit(element);
    }
  };
  visit(sheet);
  return cells;
}

function readRow(row: XmlElement, context: OdfContext): { column: number; text: string }[] {
  const cells: { column: number; text: string }[] = [];
  let column = 0;
  for (const cell of elementsIn(row)) {
    if (cell.name !== 'table:table-cell' && cell.name !== 'table:covered-table-cell') continue;
    const times = repeated(cell, 'table:number-columns-repeated');
    const text = (cellText(readBlocks(cell, context)) || storedValue(cell)).trim();
    if (text) {
      context.meter.take('cells', times);
      for (let at = 0; at < times; at += 1) cells.push({ column: column + at, text });
    }
    column += times;
  }
  return cells;
}

const repeated = ({ attributes }: XmlElement, name: string): number => {
  const times = Number(attributes[name] ?? 1);
  return Number.isSafeInteger(times) && times > 0 ? times : 1;
};

/** Some programs write the value alone and leave it to others how it is shown. */
function storedValue({ attributes }: XmlElement): string {
  const value = attributes['office:value'] ?? '';
  switch (attributes['office:value-type']) {
    case 'percentage':
      return value && `${Number((Number(value) * 100).toPrecision(12))}%`;
    case 'currency':
      return `${value} ${attributes['office:currency'] ?? ''}`;
    case 'date':
      return (attributes['office:date-value'] ?? '').replace('T', ' ');
    case 'string':
      return attributes['office:string-value'] ?? '';
    case 'boolean':
      return (attributes['office:boolean-value'] ?? '').toUpperCase();
    default:
      return value;
  }
}
