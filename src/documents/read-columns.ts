import type { Candidate, ReadingContext } from './candidate.ts';
import type { Cell } from './document-lines.ts';
import type { FieldRule } from './document-types.ts';
import { readField } from './field-nature.ts';
import { SURE_FIT } from './label-book.ts';
import { isHan, plainLabel } from './plain-label.ts';
import type { Grid } from './table-columns.ts';

/** What a field's label must fit, for each printed label. */
export type Fit = (label: string) => number;

const TOTAL_ROW = 0.25;
const COLUMN = 0.2;

/** The amount of a column in the row that sums it up: 税额 above, 合计 to the left. */
export function readTotals(field: FieldRule, grids: readonly Grid[], fitOf: Fit, context: ReadingContext): Candidate[] {
  if (field.type !== 'money') return [];
  return grids.flatMap((grid) =>
    grid.head.flatMap((label, column) => {
      const sure = fitOf(plainLabel(label.text));
      if (sure < SURE_FIT) return [];
      return grid.totals.flatMap((row) => {
        const cell = cellOfColumn(grid, row, column);
        const reading = cell === undefined ? null : readField(field, cell.text, context);
        return reading === null ? [] : [{ score: sure + TOTAL_ROW, reading, start: row[0]!.start, end: cell!.end }];
      });
    }),
  );
}

/** By its place; in a row with fewer cells by its place from the right, among the columns that hold amounts. */
function cellOfColumn({ head, rows }: Grid, row: readonly Cell[], column: number): Cell | undefined {
  if (row.length === head.length) return row[column];
  const isAmount = (text: string | undefined) =>
    text !== undefined && /^[\s¥￥$€£-]*\d[\d.,' ]*(?:元|[€£])?$/.test(text);
  const columns = head
    .map((_, at) => at)
    .filter((at) => isAmount(rows[0]?.[at]?.text) || (rows.length === 0 && at > 0));
  const place = columns.length - columns.indexOf(column);
  const amounts = row.filter(({ text }) => isAmount(text));
  return columns.includes(column) && place <= amounts.length ? amounts[amounts.length - place] : undefined;
}

/** The values of a column, one a row. */
export function readColumn(field: FieldRule, grids: readonly Grid[], fitOf: Fit, context: ReadingContext): Candidate[] {
  return grids.flatMap((grid) =>
    grid.head.flatMap((label, column) => {
      const sure = fitOf(plainLabel(label.text));
      if (sure < SURE_FIT) return [];
      const cells = grid.rows.map((row) => row[column]!).filter(({ text }) => text !== '' && text !== label.text);
      const list = listOf(field, cells, context);
      return list === null ? [] : [{ ...list, score: sure + COLUMN + 0.01 * cells.length, start: label.start }];
    }),
  );
}

/** Items that stand each in a place of its own; null where none can be read. */
export function listOf(field: FieldRule, cells: readonly Cell[], context: ReadingContext): Candidate | null {
  const read = cells.flatMap((cell) => {
    const reading = readField(field, cell.text.replace(/^(?:\d{1,2}[.)、](?!\d)|[-*•·](?!\d))\s*/, ''), context);
    return reading === null ? [] : [{ cell, reading }];
  });
  if (!read.length) return null;
  const currencies = new Set(read.map(({ reading }) => reading.currency));
  const [currency] = currencies;
  return {
    score: 0,
    reading: {
      value: read.map(({ reading }) => reading.value),
      raw: read.map(({ reading }) => reading.raw).join('\n'),
      ...(field.items === 'money' ? { currency: currencies.size === 1 ? (currency ?? null) : null } : {}),
      warnings: [...new Set(read.flatMap(({ reading }) => reading.warnings))],
    },
    start: read[0]!.cell.start,
    end: read.at(-1)!.cell.end,
  };
}

const SEPARATORS = /[、;；|]|[,，](?!\d{3})\s*|\s+[/·•]\s+/;

/** One text that lists its items: `电镜分析、热处理工艺、Python`; as it is where it does not. */
export function splitItems(cell: Cell, markdown: string): Cell[] {
  const raw = markdown.slice(cell.start, cell.end);
  const strong = isHan(raw) ? /[、;；|]/ : /[;|]/;
  const by = strong.test(raw) ? strong : SEPARATORS;
  const items: Cell[] = [];
  let from = 0;
  for (const part of raw.split(new RegExp(by, 'u'))) {
    const at = raw.indexOf(part, from);
    from = at + part.length;
    const text = part.trim().replace(/[。.]$/, '');
    if (text !== '') items.push({ text, start: cell.start + at, end: cell.start + from });
  }
  return items;
}
