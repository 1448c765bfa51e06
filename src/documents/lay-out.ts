import { markdownTable } from './markdown-table.ts';

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
  const lines = linesOf(glyphs);
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

function segmentsOf(row: readonly Glyphs[]): Segment[] {
  const segments: Segment[] = [];
  for (const one of row) {
    const last = segments.at(-1);
    const gap = last ? one.x - last.end : Number.POSITIVE_INFINITY;
    if (!last || gap > one.size * 1.5) segments.push({ text: one.text.trim(), x: one.x, end: one.x + one.width });
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

/** Lines from here on that have the same two or more segments, each below the one before at its left or right end. */
function alignedRun(lines: readonly Line[], from: number): Line[] {
  const run = [lines[from]!];
  if (run[0]!.segments.length < 2) return run;
  for (const line of lines.slice(from + 1)) {
    const last = run.at(-1)!;
    const near = line.y - last.y < last.size * 4;
    const aligned = line.segments.every((one, at) => {
      const above = last.segments[at];
      const most = line.size;
      return above && (Math.abs(one.x - above.x) < most || Math.abs(one.end - above.end) < most);
    });
    if (!near || !aligned || line.segments.length !== last.segments.length) break;
    run.push(line);
  }
  return run;
}

/** Two columns of running text look like a table of two columns; their cells are long. */
function isProse(run: readonly Line[]): boolean {
  const cells = run.flatMap((line) => line.segments.map((one) => one.text));
  const width = (text: string) => [...text].reduce((sum, one) => sum + (WIDE.test(one) ? 2 : 1), 0);
  return run.length > 3 && cells.reduce((sum, one) => sum + width(one), 0) / cells.length > 28;
}

function columns(run: readonly Line[]): string {
  return run[0]!.segments.map((_, at) => run.map((line) => line.segments[at]!.text.trim()).join('\n')).join('\n\n');
}

const tableOf = (run: readonly Line[]): string =>
  markdownTable(run.map((line) => line.segments.map((one) => one.text)));

const plainLine = (line: Line): string => line.segments.map((one) => one.text.trim()).join('   ');

const isSameParagraph = (above: Line, below: Line): boolean =>
  below.y - above.y < Math.max(above.size, below.size) * 1.9;
