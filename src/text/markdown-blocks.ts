import { type Ordinal, readOrdinal } from './ordinal.ts';

/**
 * The block structure of Markdown as assistants write it, read line by line with offsets into the original text.
 *
 * It follows CommonMark and GFM where answers do, and the answers where they do not: `1、豆包`, `（1）`, `①`, `第一名：`
 * and `🥇` open items, `1.豆包` needs no space, bullets written directly under a numbered item belong to it, a line
 * in bold alone is a heading.
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

interface OpenItem {
  readonly indent: number;
  readonly ordered: boolean;
  readonly index: number;
}

const isBlankCode = (c: number): boolean => c === 0x20 || c === 0x09 || c === 0x0d || c === 0x3000 || c === 0xa0;
const noCells: readonly { start: number; end: number }[] = [];

/** Reads the blocks of `text` from offset `from` on; linear in its length. */
export function readBlocks(text: string, from = 0): Block[] {
  const blocks: Block[] = [];
  const open: OpenItem[] = [];
  let heading = -1;
  let table = -1;
  let tables = 0;
  let inTable = false;
  let continues = false; // whether a plain line would go on with the last block
  let fence = ''; // the closing fence that is waited for
  let nextBar = text.indexOf('|', from); // looked up once for each bar, which keeps long texts linear

  for (let lineStart = from; lineStart <= text.length; ) {
    let lineEnd = text.indexOf('\n', lineStart);
    if (lineEnd === -1) lineEnd = text.length;
    const nextLine = lineEnd + 1;
    let end = lineEnd;
    while (end > lineStart && isBlankCode(text.charCodeAt(end - 1))) end--;

    let at = lineStart;
    let indent = 0;
    for (; at < end; at++) {
      const c = text.charCodeAt(at);
      if (c === 0x20 || c === 0x3000 || c === 0xa0) indent++;
      else if (c === 0x09) indent += 4;
      else if (c === 0x3e) indent = text.charCodeAt(at + 1) === 0x20 ? -1 : 0;
      else break;
    }

    if (fence !== '') {
      const code = blocks[blocks.length - 1]!;
      code.end = end;
      if (text.startsWith(fence, at)) fence = '';
    } else if (at >= end) {
      continues = false;
      inTable = false;
    } else {
      readLine(at, end, indent, nextLine);
    }
    lineStart = nextLine;
  }
  return blocks;

  function push(kind: Block['kind'], start: number, end: number, content: number, more: Partial<Block> = {}): void {
    blocks.push({
      kind,
      start,
      end,
      content,
      level: 0,
      ordinal: null,
      underOrdered: false,
      parent: -1,
      heading,
      cells: noCells,
      table: -1,
      info: { start: end, end },
      ...more,
    });
  }

  function hasBar(at: number, end: number): boolean {
    if (nextBar !== -1 && nextBar < at) nextBar = text.indexOf('|', at);
    return nextBar !== -1 && nextBar < end;
  }

  function readLine(at: number, end: number, indent: number, nextLine: number): void {
    const c = text.charCodeAt(at);
    if (inTable && hasBar(at, end)) {
      if (!isDelimiterRow(text, at, end)) push('row', at, end, at, { cells: readCells(text, at, end), table });
      return;
    }
    inTable = false;
    if (c === 0x60 || c === 0x7e) {
      if (text.startsWith('```', at) || text.startsWith('~~~', at)) {
        openFence(at, end);
        return;
      }
    }
    if (c === 0x23 && readHeading(at, end)) return;
    if (isRule(text, at, end)) {
      continues = false;
      return;
    }
    if (startsTable(at, end, nextLine)) return;
    if (readItem(at, end, indent)) return;
    if (c === 0x2a && isBoldLine(text, at, end)) {
      open.length = 0;
      push('heading', at, end, at + 2, { level: 7 });
      heading = blocks.length - 1;
      continues = false;
      return;
    }
    readPlain(at, end, indent);
  }

  function openFence(at: number, end: number): void {
    const sign = text[at]!;
    let behind = at;
    while (text[behind] === sign) behind++;
    fence = text.slice(at, behind);
    push('code', at, end, end, { info: { start: behind, end }, parent: open.at(-1)?.index ?? -1 });
    continues = false;
  }

  function readHeading(at: number, end: number): boolean {
    let behind = at;
    while (text.charCodeAt(behind) === 0x23) behind++;
    const next = text.charCodeAt(behind);
    if (behind - at > 6 || behind >= end || (next !== 0x20 && next !== 0x09 && next < 0x2e80)) return false;
    while (isBlankCode(text.charCodeAt(behind))) behind++;
    const ordinal = readOrdinal(text, skipEmphasis(text, behind, end), end);
    open.length = 0;
    push('heading', at, end, ordinal?.end ?? behind, { level: Math.min(6, headingLevel(at)), ordinal });
    heading = blocks.length - 1;
    continues = false;
    return true;
  }

  function headingLevel(at: number): number {
    let level = 0;
    while (text.charCodeAt(at + level) === 0x23) level++;
    return level;
  }

  function startsTable(at: number, end: number, nextLine: number): boolean {
    if (!hasBar(at, end)) return false;
    let nextEnd = text.indexOf('\n', nextLine);
    if (nextEnd === -1) nextEnd = text.length;
    if (nextLine >= text.length || !isDelimiterRow(text, nextLine, nextEnd)) return false;
    inTable = true;
    table = tables++;
    open.length = 0;
    continues = false;
    push('row', at, end, at, { cells: readCells(text, at, end), table });
    return true;
  }

  function readItem(at: number, end: number, indent: number): boolean {
    let content = bulletEnd(text, at, end);
    const isBullet = content !== -1;
    const markAt = skipEmphasis(text, isBullet ? content : at, end);
    let ordinal = readOrdinal(text, markAt, end);
    // Behind a bullet only marks that cannot be the beginning of prose count: medals, ①, 第一名.
    if (isBullet && (ordinal?.style === 'arabic' || ordinal?.style === 'han')) ordinal = null;
    if (!isBullet && ordinal === null) return false;
    if (ordinal !== null) content = ordinal.end;
    const bullet = ordinal === null;
    for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
      const sameLevel = indent < top.indent + 2 && !(bullet && top.ordered);
      if (indent >= top.indent && !sameLevel) break;
      open.pop();
    }
    const underOrdered = open.some((item) => item.ordered);
    push('item', at, end, content, { level: open.length, ordinal, underOrdered, parent: open.at(-1)?.index ?? -1 });
    open.push({ indent, ordered: !bullet, index: blocks.length - 1 });
    continues = true;
    return true;
  }

  function readPlain(at: number, end: number, indent: number): void {
    const last = blocks[blocks.length - 1];
    if (continues && last !== undefined) {
      last.end = end;
      return;
    }
    while (open.length > 0 && indent < open.at(-1)!.indent + 2) open.pop();
    const parent = open.at(-1)?.index ?? -1;
    push('paragraph', at, end, at, { parent, underOrdered: open.some((item) => item.ordered) });
    continues = true;
  }
}

/** Offset behind a bullet and its spaces, or -1. */
function bulletEnd(text: string, at: number, end: number): number {
  const c = text.charCodeAt(at);
  const needsSpace = c === 0x2d || c === 0x2a || c === 0x2b || c === 0x2013;
  const standsAlone = c === 0x2022 || c === 0x25cf || c === 0x25cb || c === 0x25aa || c === 0x25e6 || c === 0xb7;
  if (!needsSpace && !standsAlone) return -1;
  let behind = at + 1;
  while (behind < end && isBlankCode(text.charCodeAt(behind))) behind++;
  return needsSpace && behind === at + 1 && behind < end ? -1 : behind;
}

function skipEmphasis(text: string, at: number, end: number): number {
  let behind = at;
  while (behind < end && behind - at < 3 && (text.charCodeAt(behind) === 0x2a || text.charCodeAt(behind) === 0x5f))
    behind++;
  return behind;
}

/** `---`, `***`, `___`, alone in the line. */
function isRule(text: string, at: number, end: number): boolean {
  const sign = text.charCodeAt(at);
  if (sign !== 0x2d && sign !== 0x2a && sign !== 0x5f) return false;
  let count = 0;
  for (let i = at; i < end; i++) {
    const c = text.charCodeAt(i);
    if (c === sign) count++;
    else if (!isBlankCode(c)) return false;
  }
  return count >= 3;
}

/** `**推荐**` or `**推荐**：` alone in the line. */
function isBoldLine(text: string, at: number, end: number): boolean {
  if (!text.startsWith('**', at) || end - at > 120) return false;
  const close = text.indexOf('**', at + 2);
  return (
    close !== -1 && close > at + 2 && (close + 2 === end || (close + 3 === end && '：:'.includes(text[close + 2]!)))
  );
}

/** `|:--|--:|`: dashes, colons and bars only, with at least one dash and one bar. */
function isDelimiterRow(text: string, at: number, end: number): boolean {
  let dashes = false;
  let bars = false;
  for (let i = at; i < end; i++) {
    const c = text.charCodeAt(i);
    if (c === 0x2d) dashes = true;
    else if (c === 0x7c) bars = true;
    else if (c !== 0x3a && c !== 0x3e && !isBlankCode(c)) return false;
  }
  return dashes && bars;
}

function readCells(text: string, at: number, end: number): { start: number; end: number }[] {
  const cells: { start: number; end: number }[] = [];
  let cellStart = text.charCodeAt(at) === 0x7c ? at + 1 : at;
  for (let i = cellStart; i <= end; i++) {
    const isBar = i < end && text.charCodeAt(i) === 0x7c && text.charCodeAt(i - 1) !== 0x5c;
    if (!isBar && i < end) continue;
    if (i === end && cellStart >= end) break;
    let from = cellStart;
    let to = i;
    while (from < to && isBlankCode(text.charCodeAt(from))) from++;
    while (to > from && isBlankCode(text.charCodeAt(to - 1))) to--;
    cells.push({ start: from, end: to });
    cellStart = i + 1;
  }
  return cells;
}
