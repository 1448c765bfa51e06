import type { Meter } from '../budgets.ts';
import { decodeText } from '../decode-text.ts';
import { markdownTable } from '../markdown-table.ts';
import { recordPage } from '../page-record.ts';
import type { Reading } from './reader.ts';

const DELIMITERS = [',', ';', '\t', '|'];

/** Separated values to a table; encoding and delimiter are found out. Quotes as in RFC 4180. */
export function readCsv(bytes: Uint8Array, meter: Meter): Reading {
  const { text, encoding } = decodeText(bytes);
  const said = /^sep=(.)\r?\n/i.exec(text);
  const body = said ? text.slice(said[0].length) : text;
  const rows = [...splitRows(body, said?.[1] ?? findDelimiter(body), meter)];
  // Short rows are filled up in the table: one wide row among many narrow ones takes room in all.
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  meter.take(
    'cells',
    rows.reduce((sum, row) => sum + width - row.length, 0),
  );
  const markdown = markdownTable(rows);
  const warnings = encoding === 'utf-8' ? [] : [`encoding: ${encoding}`];
  if (rows.some((row) => row.length !== width)) warnings.push('rows of different length');
  return { markdown, pages: [recordPage(1, markdown, 0)], warnings };
}

/** The delimiter that splits most of the first lines into the same number of cells, more than one. */
function findDelimiter(text: string): string {
  const head = text.slice(0, 20_000);
  let best = { delimiter: ',', score: 0 };
  for (const delimiter of DELIMITERS) {
    const rows = [...splitRows(head, delimiter, null)].slice(0, 50);
    const counts = Map.groupBy(rows, (row) => row.length);
    for (const [cells, same] of counts) {
      const score = cells > 1 ? same.length * 1000 + Math.min(cells, 999) : 0;
      if (score > best.score) best = { delimiter, score };
    }
  }
  return best.delimiter;
}

function* splitRows(text: string, delimiter: string, meter: Meter | null): Generator<string[]> {
  let row: string[] = [];
  let cell = '';
  let quoted = false;
  let begun = false;
  for (let at = 0; at < text.length; at += 1) {
    const one = text[at]!;
    if (quoted) {
      if (one !== '"') cell += one;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else quoted = false;
    } else if (one === '"' && !cell) {
      quoted = true;
      begun = true;
    } else if (one === delimiter) {
      row.push(cell);
      cell = '';
      begun = true;
      meter?.take('cells', 1);
    } else if (one === '\n' || one === '\r') {
      if (begun || cell) {
        row.push(cell);
        yield row;
        meter?.take('cells', 1);
        meter?.checkTime();
      }
      row = [];
      cell = '';
      begun = false;
    } else cell += one;
  }
  if (begun || cell) yield [...row, cell];
}
