import {
  bulletEnd,
  closesFence,
  fenceAt,
  isBlankCode,
  isBoldLine,
  isDelimiterRow,
  isRule,
  isUnderline,
  readCells,
  readHeadingLine,
  taskBoxEnd,
} from './markdown-lines.ts';
import { type Ordinal, readOrdinal } from './ordinal.ts';

/**
 * The block structure of Markdown as assistants write it, read line by line with offsets into the original text.
 *
 * It follows CommonMark and GFM where answers do, and the answers where they do not:
 * - `1、豆包`, `（1）`, `①`, `第一名：` and `🥇` open items, `1.豆包` needs no space; numbers are those of the source;
 * - two columns of indent make a child of an item, and bullets written directly under a numbered item belong to it;
 * - a line in bold alone is a heading, and so is `##标题`; `---` under a sentence is a rule;
 * - nothing is code by its indent, a fence in an item lasts to its closing fence, a table to the first line without bars;
 * - lines of HTML are read like any other.
 */
export interface Block {
  readonly kind: 'paragraph' | 'heading' | 'item' | 'row' | 'code';
  readonly start: number;
  /** Exclusive, without the line end; grows while continuation lines are read. */
  end: number;
  /** Where the prose begins: behind `#`, bullet or number. */
  readonly content: number;
  /** Heading level (7 for a bold line), nesting of an item (0 = outermost), 0 otherwise. */
  readonly level: number;
  /** The number in the source and how it is written; null for bullets and everything unnumbered. */
  readonly ordinal: Ordinal | null;
  /** Whether an enclosing item is numbered. */
  readonly underOrdered: boolean;
  /** Index of the enclosing item, -1 for none. */
  readonly parent: number;
  /** Index of the heading above, -1 for none. */
  readonly heading: number;
  /** Cells of a table row, without their outer spaces. */
  readonly cells: readonly { start: number; end: number }[];
  /** Running number of the table, -1 outside; its first row is the header. */
  readonly table: number;
  /** What stands behind an opening code fence; empty otherwise. */
  readonly info: { start: number; end: number };
}

/** An item that the next blocks may belong to. */
interface OpenItem {
  /** Column of its mark, the marks of quotes included. */
  readonly indent: number;
  readonly ordered: boolean;
  readonly index: number;
  /** How many quotes it stands in. */
  readonly quotes: number;
  /** The heading above it, which holds again behind it. */
  readonly heading: number;
}

/** Columns by which what belongs to an item is indented, at least. */
const CHILD_INDENT = 2;
/** No heading that is underlined is longer. In UTF-16 units. */
const MAX_UNDERLINED = 60;
const noCells: readonly { start: number; end: number }[] = [];

/** Reads the blocks of `text` from offset `from` on; linear in its length. */
export function readBlocks(text: string, from = 0): Block[] {
  const blocks: Block[] = [];
  const open: OpenItem[] = [];
  let heading = -1;
  let table = -1;
  let tables = 0;
  let inTable = false;
  let delimiterEnd = -1; // the end of the line under the table's header
  let continues = false; // whether a plain line would go on with the last block
  let fence = ''; // the signs that close the code block that is open
  let quotesOfLast = 0; // quotes around the last block
  let nextBar = text.indexOf('|', from); // looked up once for each bar, which keeps long texts linear
  // The line that is read: its first sign, its end without spaces, its column, the quotes around it.
  let at = from;
  let end = from;
  let indent = 0;
  let quotes = 0;
  const quoteColumns: number[] = [];
  let nextLine = from;

  while (nextLine <= text.length) {
    at = nextLine;
    let lineEnd = text.indexOf('\n', at);
    if (lineEnd === -1) lineEnd = text.length;
    nextLine = lineEnd + 1;
    end = lineEnd;
    while (end > at && isBlankCode(text.charCodeAt(end - 1))) end--;
    readIndent();
    if (quotes + quotesOfLast > 0) changeQuotes();
    if (fence !== '') {
      blocks[blocks.length - 1]!.end = end;
      if (closesFence(text, at, end, fence)) fence = '';
    } else if (at >= end) {
      continues = false;
      inTable = false;
    } else {
      readLine();
    }
  }
  return blocks;

  /** Moves to the first sign of the line. */
  function readIndent(): void {
    indent = 0;
    quotes = 0;
    for (; at < end; at++) {
      const c = text.charCodeAt(at);
      if (c === 0x20 || c === 0x3000 || c === 0xa0) indent++;
      else if (c === 0x09) indent += 4 - (indent & 3);
      else if (c === 0x3e && (fence === '' || quotes < quotesOfLast)) {
        quoteColumns[quotes++] = indent++;
      } else break;
    }
  }

  /** Ends what does not reach into, or out of, a quote; only a paragraph goes on without its quote mark. */
  function changeQuotes(): void {
    const outside = open.findIndex(
      (item) =>
        item.quotes > quotes || (item.quotes < quotes && quoteColumns[item.quotes]! < item.indent + CHILD_INDENT),
    );
    if (quotes === quotesOfLast && outside === -1) return;
    inTable = false;
    fence = '';
    if (quotes >= quotesOfLast) continues = false;
    while (outside !== -1 && open.length > outside) closeItem();
  }

  function closeItem(): void {
    heading = open.pop()!.heading;
  }

  /** Closes the items that a block in this column does not belong to. */
  function closeItems(): void {
    while (open.length > 0 && indent < open[open.length - 1]!.indent + CHILD_INDENT) closeItem();
  }

  function push(kind: Block['kind'], blockEnd: number, content: number, more: Partial<Block> = {}): void {
    blocks.push({
      kind,
      start: at,
      end: blockEnd,
      content,
      level: 0,
      ordinal: null,
      underOrdered: open.length > 0 && open.some((item) => item.ordered),
      parent: open.length > 0 ? open[open.length - 1]!.index : -1,
      heading,
      cells: noCells,
      table: -1,
      info: { start: end, end },
      ...more,
    });
    quotesOfLast = quotes;
  }

  function readLine(): void {
    const c = text.charCodeAt(at);
    if (inTable && readRow(c)) return;
    inTable = false;
    if ((c === 0x60 || c === 0x7e) && readFence()) return;
    if (c === 0x23 && readHeading()) return;
    if (continues && (c === 0x3d || c === 0x2d) && underlinesHeading(c)) return;
    if (isRule(text, at, end)) {
      closeItems();
      continues = false;
      return;
    }
    if (startsTable()) return;
    if (readItem()) return;
    if (c === 0x2a && readBoldLine()) return;
    readPlain();
  }

  function hasBar(): boolean {
    if (nextBar !== -1 && nextBar < at) nextBar = text.indexOf('|', at);
    return nextBar !== -1 && nextBar < end;
  }

  function startsTable(): boolean {
    if (!hasBar() || nextLine >= text.length) return false;
    let nextEnd = text.indexOf('\n', nextLine);
    if (nextEnd === -1) nextEnd = text.length;
    if (!isDelimiterRow(text, nextLine, nextEnd)) return false;
    closeItems();
    inTable = true;
    table = tables++;
    delimiterEnd = nextEnd;
    continues = false;
    push('row', end, at, { cells: readCells(text, at, end), table });
    return true;
  }

  function readRow(c: number): boolean {
    if (nextLine - 1 === delimiterEnd) return true;
    if (!hasBar() || c === 0x23 || bulletEnd(text, at, end) !== -1) return false;
    push('row', end, at, { cells: readCells(text, at, end), table });
    return true;
  }

  function readFence(): boolean {
    const signs = fenceAt(text, at, end);
    if (signs === '') return false;
    closeItems();
    fence = signs;
    push('code', end, end, { info: { start: at + signs.length, end } });
    continues = false;
    return true;
  }

  function readHeading(): boolean {
    const line = readHeadingLine(text, at, end);
    if (line === null) return false;
    closeItems();
    const ordinal = readOrdinal(text, skipEmphasis(text, line.content, line.end), line.end);
    pushHeading(line.end, ordinal?.end ?? line.content, line.level, ordinal);
    return true;
  }

  function readBoldLine(): boolean {
    if (!isBoldLine(text, at, end)) return false;
    const isInItem = open.length > 0 && indent >= open[open.length - 1]!.indent + CHILD_INDENT;
    if (isInItem) return false;
    closeItems();
    pushHeading(end, at + 2, 7, null);
    return true;
  }

  function pushHeading(headingEnd: number, content: number, level: number, ordinal: Ordinal | null): void {
    push('heading', headingEnd, content, { level, ordinal });
    heading = blocks.length - 1;
    continues = false;
  }

  /** `===` under a line makes it a heading, `---` only where the line is no sentence: answers divide sections by it. */
  function underlinesHeading(sign: number): boolean {
    const last = blocks[blocks.length - 1]!;
    if (last.kind !== 'paragraph' || last.parent !== -1 || quotes !== quotesOfLast) return false;
    if (!isUnderline(text, at, end) || last.end - last.start > MAX_UNDERLINED) return false;
    const title = text.slice(last.start, last.end);
    if (title.includes('\n') || (sign === 0x2d && /[。！？；：，、….!?;:,]$/.test(title))) return false;
    blocks[blocks.length - 1] = { ...last, kind: 'heading', level: sign === 0x3d ? 1 : 2 };
    heading = blocks.length - 1;
    continues = false;
    return true;
  }

  function readItem(): boolean {
    let content = bulletEnd(text, at, end);
    const isBullet = content !== -1;
    if (isBullet) content = taskBoxEnd(text, content, end);
    let ordinal = readOrdinal(text, skipEmphasis(text, isBullet ? content : at, end), end);
    // Behind a bullet only marks that cannot be the beginning of prose count: medals, ①, 第一名.
    if (isBullet && (ordinal?.style === 'arabic' || ordinal?.style === 'han')) ordinal = null;
    if (!isBullet && ordinal === null) return false;
    if (ordinal !== null) content = ordinal.end;
    const bullet = ordinal === null;
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const sameLevel = indent < top.indent + CHILD_INDENT && !(bullet && top.ordered);
      if (indent >= top.indent && !sameLevel) break;
      closeItem();
    }
    push('item', end, content, { level: open.length, ordinal });
    open.push({ indent, ordered: !bullet, index: blocks.length - 1, quotes, heading });
    continues = true;
    return true;
  }

  function readPlain(): void {
    const last = blocks[blocks.length - 1];
    if (continues && last !== undefined) {
      last.end = end;
      return;
    }
    closeItems();
    push('paragraph', end, at);
    continues = true;
  }
}

function skipEmphasis(text: string, at: number, end: number): number {
  let behind = at;
  while (behind < end && behind - at < 3 && (text.charCodeAt(behind) === 0x2a || text.charCodeAt(behind) === 0x5f))
    behind++;
  return behind;
}
