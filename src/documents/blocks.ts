import type { Meter } from './budgets.ts';
import { growMarkdown } from './grow-markdown.ts';
import { markdownLink } from './markdown-link.ts';
import { markdownTable } from './markdown-table.ts';

/** Text in one style. */
export interface Span {
  readonly text: string;
  readonly bold?: boolean;
  /** Shown, and crossed out. */
  readonly struck?: boolean;
  readonly href?: string;
}

/** What documents are made of. An item has its number or mark as it is printed; levels begin at 0, of headings at 1. */
export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly spans: readonly Span[] }
  | { readonly kind: 'paragraph'; readonly spans: readonly Span[] }
  | { readonly kind: 'item'; readonly level: number; readonly label: string; readonly spans: readonly Span[] }
  | { readonly kind: 'table'; readonly rows: readonly (readonly Cell[])[] };

export interface Cell {
  readonly blocks: readonly Block[];
  /** How many columns it takes. */
  readonly columns: number;
}

/** More columns than any program lets people make for one cell. */
const WIDEST_CELL = 1_000;

export const plain = (text: string): Block => ({ kind: 'paragraph', spans: [{ text }] });

/**
 * Blocks to Markdown that people and models read, and labels are looked for in: nothing is escaped but `|` in cells of
 * tables. A line break within a cell becomes two spaces. Tables in tables come after the row that they stand in; a table
 * of one column is no table.
 */
export function blocksToMarkdown(blocks: readonly Block[], meter: Meter): string {
  const whole = growMarkdown();
  for (let at = 0; at < blocks.length; ) {
    const run = itemsFrom(blocks, at);
    if (run.length) {
      whole.add(itemLines(run));
      at += run.length;
      continue;
    }
    const block = blocks[at]!;
    if (block.kind === 'table') whole.add(tableToMarkdown(block.rows, meter));
    else if (block.kind === 'heading') whole.add(headingLine(block.level, linesOf(textOf(block.spans)).join(' ')));
    else whole.add(linesOf(markdownOf(block.spans)).join('\n'));
    at += 1;
  }
  return whole.text();
}

type Item = Extract<Block, { kind: 'item' }>;

function itemsFrom(blocks: readonly Block[], from: number): Item[] {
  const run: Item[] = [];
  for (let at = from; blocks[at]?.kind === 'item'; at += 1) run.push(blocks[at] as Item);
  return run;
}

function itemLines(items: readonly Item[]): string {
  const least = items.reduce((low, { level }) => Math.min(low, level), items[0]!.level);
  const lines = items.flatMap(({ level, label, spans }) => {
    const indent = '  '.repeat(Math.min(level - least, 10));
    const [first = '', ...more] = linesOf(markdownOf(spans));
    return first || more.length
      ? [`${indent}${label}${label && ' '}${first}`.trimEnd(), ...more.map((one) => `${indent}  ${one}`)]
      : [];
  });
  return lines.join('\n');
}

const headingLine = (level: number, text: string): string => (text ? `${'#'.repeat(Math.min(level, 6))} ${text}` : '');

function tableToMarkdown(rows: readonly (readonly Cell[])[], meter: Meter): string {
  const width = rows.reduce(
    (most, row) =>
      Math.max(
        most,
        row.reduce((sum, one) => sum + columnsOf(one), 0),
      ),
    0,
  );
  // Counted before it is laid out: a span is written with a few bytes.
  meter.take('cells', rows.length * width);
  const grid = rows.map((row) => row.flatMap((cell) => [cell, ...new Array<Cell>(columnsOf(cell) - 1).fill(NOTHING)]));
  meter.checkTime();
  const used = Array.from({ length: width }, (_, column) => column).filter((column) =>
    grid.some((row) => row[column]?.blocks.length),
  );
  if (used.length < 2)
    return blocksToMarkdown(
      rows.flat().flatMap(({ blocks }) => blocks),
      meter,
    );
  const whole = growMarkdown();
  let plainRows: string[][] = [];
  const finish = () => {
    if (plainRows.length) whole.add(markdownTable(plainRows));
    plainRows = [];
  };
  for (const row of grid) {
    const cells = used.map((column) => row[column]?.blocks ?? []);
    if (cells.some((blocks) => blocks.some(({ kind }) => kind === 'table'))) {
      finish();
      whole.add(blocksToMarkdown(cells.flat(), meter));
    } else {
      const texts = cells.map(cellText);
      if (texts.some(Boolean)) plainRows.push(texts);
    }
  }
  finish();
  return whole.text();
}

const NOTHING: Cell = { blocks: [], columns: 1 };

const columnsOf = ({ columns }: Cell): number => Math.max(1, Math.min(columns, WIDEST_CELL));

/** The text of blocks in one cell of a table, each on a line of its own; tables among them are left out. */
export function cellText(blocks: readonly Block[]): string {
  return blocks
    .map((block) => {
      if (block.kind === 'table') return '';
      const text = textOf(block.spans);
      return block.kind === 'item' && block.label !== '-' ? `${block.label}${block.label && ' '}${text}` : text;
    })
    .filter((text) => text.trim())
    .join('\n');
}

/** Lines without blanks at their ends; those without text are left out, for an empty line ends a paragraph. */
const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** Spans as text, without what makes it bold. */
const textOf = (spans: readonly Span[]): string => markdownOf(spans.map(({ bold: _, ...span }) => span));

function markdownOf(spans: readonly Span[]): string {
  const runs = joined(
    spans.map(({ text, ...style }) => ({
      text: text.replace(UNSEEN, ''),
      ...(style.href === undefined ? style : { href: style.href }),
    })),
  );
  return runs
    .map(({ text, bold, struck, href }, at) => {
      if (href !== undefined) return markdownLink(text, href);
      const isWhole = !LETTERS.test(`${runs[at - 1]?.text.at(-1) ?? ''}${text[0]}`);
      const isEnded = !LETTERS.test(`${text.at(-1)}${runs[at + 1]?.text[0] ?? ''}`);
      return marked(struck ? marked(text, '~~') : text, bold && isWhole && isEnded ? '**' : '');
    })
    .join('');
}

/** Soft hyphens, spaces without width, marks of byte order: nobody sees them, and words with them are not found. */
const UNSEEN = /[\u00ad\u200b\ufeff]/g;

/** Two letters or digits: marks within a word would cut it. */
const LETTERS = /^[\p{Script=Latin}\p{N}]{2}$/u;

/** Programs cut text of one style into many pieces. */
function joined(spans: readonly Span[]): Span[] {
  const out: Span[] = [];
  for (const span of spans) {
    const last = out.at(-1);
    const same = last && !last.bold === !span.bold && !last.struck === !span.struck && last.href === span.href;
    if (same) out[out.length - 1] = { ...last, text: last.text + span.text };
    else if (span.text) out.push(span);
  }
  return out;
}

/** Marks stand around text, not around the blanks beside it. */
function marked(text: string, mark: string): string {
  const inner = text.trim();
  return inner && mark ? text.replace(inner, () => `${mark}${inner}${mark}`) : text;
}
