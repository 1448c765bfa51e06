import type { Meter } from '../budgets.ts';
import { decodeText, encodingWarning } from '../decode-text.ts';
import { markdownTable } from '../markdown-table.ts';
import { recordPage } from '../page-record.ts';
import type { Reading } from './reader.ts';

/** Those that stand in texts least come first: where two fit as well, the rarer one is it. */
const DELIMITERS = ['\t', ';', '|', ','];

/** Separated values to a table; encoding and delimiter are found out. Quotes as in RFC 4180. */
export function readCsv(bytes: Uint8Array, meter: Meter): Reading {
  const { text, encoding } = decodeText(bytes);
  const said = /^sep=(.)\r?\n/i.exec(text);
  const body = said ? text.slice(said[0].length) : text;
  const unclosed: string[] = [];
  const onUnclosed = () => unclosed.push('unclosed_quote: what follows it is read without quotes');
  const rows = [...splitRows(body, said?.[1] ?? findDelimiter(body), meter, onUnclosed)];
  const widths = rows.map((row) => row.length);
  const [least, most] = widths.reduce(([low, high], one) => [Math.min(low, one), Math.max(high, one)], [Infinity, 0]);
  // Short rows are filled up in the table: one wide row among many narrow ones takes room in all.
  meter.take(
    'cells',
    widths.reduce((sum, one) => sum + most - one, 0),
  );
  const markdown = markdownTable(rows);
  const ragged = rows.length && least !== most ? [`ragged_rows: rows have ${least} to ${most} cells`] : [];
  const warnings = [...encodingWarning(encoding), ...ragged, ...unclosed];
  return { markdown, pages: [recordPage(1, markdown, 0)], warnings };
}

/** The delimiter that splits most of the first lines into the same number of cells, more than one. */
function findDelimiter(text: string): string {
  const head = text.slice(0, 20_000);
  let best = { delimiter: ',', score: 0 };
  for (const delimiter of DELIMITERS) {
    const rows = [...splitRows(head, delimiter, null, () => {})].slice(0, 50);
    const counts = Map.groupBy(rows, (row) => row.length);
    for (const [cells, same] of counts) {
      const score = cells > 1 ? same.length * 1000 + Math.min(cells, 999) : 0;
      if (score > best.score) best = { delimiter, score };
    }
  }
  return best.delimiter;
}

function* splitRows(text: string, delimiter: string, meter: Meter | null, onUnclosed: () => void): Generator<string[]> {
  let row: string[] = [];
  let cell = '';
  let quotedFrom = -1;
  let begun = false;
  let withQuotes = true;
  for (let at = 0; at < text.length || quotedFrom >= 0; at += 1) {
    const one = text[at];
    if (one === undefined) {
      // A quote that is never closed would swallow the rest of the file.
      onUnclosed();
      withQuotes = false;
      cell = '"';
      at = quotedFrom;
      quotedFrom = -1;
    } else if (quotedFrom >= 0) {
      if (one !== '"') cell += one;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else quotedFrom = -1;
    } else if (one === '"' && !cell && withQuotes) {
      quotedFrom = at;
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
  if (begun || cell) {
    meter?.take('cells', 1);
    yield [...row, cell];
  }
}
