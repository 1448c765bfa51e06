import { markdownTable } from './markdown-table.ts';
import { joinStacked } from './stacked-words.ts';

/** A piece of text on a page: its left end, its base line (downwards), its width and the size of its font. */
export interface Glyphs {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly size: number;
}

/** Text of one line without a wide gap in it. */
interface Segment {
  text: string;
  readonly x: number;
  end: number;
}

interface Line {
  readonly y: number;
  readonly size: number;
  readonly segments: readonly Segment[];
}

/** Pieces of text in any order to Markdown: lines by position, plain tables, columns one after the other. */
export function layOut(glyphs: readonly Glyphs[]): string {
  const blocks: string[] = [];
  const lines = linesOf(joinStacked(glyphs));
  for (let at = 0; at < lines.length; ) {
    const run = alignedRun(lines, at);
    if (run.length > 1) blocks.push(isProse(run) ? columns(run) : tableOf(run));
    else {
      let end = at + 1;
      while (end < lines.length && isSameParagraph(lines[end - 1]!, lines[end]!) && alignedRun(lines, end).length < 2)
        end += 1;
      blocks.push(lines.slice(at, end).map(plainLine).join('\n'));
      at = end;
      continue;
    }
    at += run.length;
  }
  return blocks.join('\n\n');
}

function linesOf(glyphs: readonly Glyphs[]): Line[] {
  const rows: Glyphs[][] = [];
  for (const one of glyphs.toSorted((a, b) => a.y - b.y || a.x - b.x)) {
    const row = rows.at(-1);
    if (row && one.y - row[0]!.y < Math.min(one.size, row[0]!.size) * 0.5) row.push(one);
    else rows.push([one]);
  }
  return rows.map((row) => {
    const size = Math.max(...row.map((one) => one.size));
    return { y: row[0]!.y, size, segments: segmentsOf(row.sort((a, b) => a.x - b.x)) };
  });
}

const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u;

const HAN = /^\p{Script=Han}$/u;
/** Two single Chinese characters that are no further apart, in sizes of the font, are one word: 账　号, 合　计. */
const LETTERSPACED = 3;

function segmentsOf(row: readonly Glyphs[]): Segment[] {
  const segments: Segment[] = [];
  for (const one of row) {
    const last = segments.at(-1);
    const gap = last ? one.x - last.end : Number.POSITIVE_INFINITY;
    if (last && gap < one.size * LETTERSPACED && HAN.test(last.text) && HAN.test(one.text.trim())) {
      last.text += one.text.trim();
      last.end = one.x + one.width;
    } else if (!last || gap > one.size * 1.5)
      segments.push({ text: one.text.trim(), x: one.x, end: one.x + one.width });
    else {
      // Between Chinese characters a narrow gap is justified setting, not a space.
      const wide = WIDE.test(last.text.at(-1) ?? '') && WIDE.test(one.text.trim()[0] ?? '');
      const spaced = !wide && (gap > one.size * 0.15 || /^\s/.test(one.text));
      last.text += (spaced && !last.text.endsWith(' ') ? ' ' : '') + (wide ? one.text.trim() : one.text.trimStart());
      last.end = Math.max(last.end, one.x + one.width);
    }
  }
  return segments;
}

/** A line of a table: its segments by column, undefined where it has none. */
interface Row extends Line {
  readonly cells: readonly (Segment | undefined)[];
}

/**
 * Lines from here on whose two or more segments stand in the same columns. Of three and more columns a line may leave
 * some out, as statements do where money went only one way.
 */
function alignedRun(lines: readonly Line[], from: number): Row[] {
  const first = lines[from]!;
  const run: Row[] = [{ ...first, cells: first.segments }];
  if (first.segments.length < 2) return run;
  for (const line of lines.slice(from + 1)) {
    const last = run.at(-1)!;
    const cells = line.y - last.y < last.size * 4 ? cellsOf(line, run) : null;
    if (!cells) break;
    run.push({ ...line, cells });
  }
  return run;
}

function cellsOf(line: Line, run: readonly Row[]): (Segment | undefined)[] | null {
  const width = run[0]!.cells.length;
  const { length } = line.segments;
  if (length < 2 || length > width || (length < width && width < 3)) return null;
  const cells = new Array<Segment | undefined>(width);
  let column = 0;
  for (const segment of line.segments) {
    while (column < width && !isBelow(segment, column, run, line.size)) column += 1;
    if (column === width) return null;
    cells[column] = segment;
    column += 1;
  }
  return cells;
}

/** Whether a segment begins or ends where one of the column does; in wide tables also, whether it lies within the column alone. */
function isBelow(segment: Segment, column: number, run: readonly Row[], most: number): boolean {
  const above = run.flatMap(({ cells }) => cells[column] ?? []);
  if (above.some((one) => Math.abs(one.x - segment.x) < most || Math.abs(one.end - segment.end) < most)) return true;
  const reaches = (cells: Row['cells']) =>
    cells.flatMap((one, at) => (one && one.x < segment.end && segment.x < one.end ? [at] : []));
  return (
    run[0]!.cells.length > 2 &&
    run.every(({ cells }) => reaches(cells).every((at) => at === column)) &&
    run.some(({ cells }) => reaches(cells).length > 0)
  );
}

/** Two columns of running text look like a table of two columns; their cells are long. */
function isProse(run: readonly Row[]): boolean {
  const cells = run.flatMap((line) => line.segments.map((one) => one.text));
  const width = (text: string) => [...text].reduce((sum, one) => sum + (WIDE.test(one) ? 2 : 1), 0);
  return run.length > 3 && cells.reduce((sum, one) => sum + width(one), 0) / cells.length > 28;
}

function columns(run: readonly Row[]): string {
  return run[0]!.segments
    .map((_, at) => run.flatMap(({ cells }) => cells[at]?.text.trim() ?? []).join('\n'))
    .join('\n\n');
}

const tableOf = (run: readonly Row[]): string =>
  markdownTable(run.map(({ cells }) => Array.from(cells, (one) => one?.text ?? '')));

const plainLine = (line: Line): string => line.segments.map((one) => one.text.trim()).join('   ');

const isSameParagraph = (above: Line, below: Line): boolean =>
  below.y - above.y < Math.max(above.size, below.size) * 1.9;
