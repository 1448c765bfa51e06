/** What a single line of Markdown is: the marks of bullets, rules, headings, fences, and the cells of table rows. */

export const isBlankCode = (c: number): boolean => c === 0x20 || c === 0x09 || c === 0x0d || c === 0x3000 || c === 0xa0;

/** Offset behind a bullet (`-`, `*`, `+`, `–` with a space, `•` and the like with or without) and its spaces, or -1. */
export function bulletEnd(text: string, at: number, end: number): number {
  const c = text.charCodeAt(at);
  const needsSpace = c === 0x2d || c === 0x2a || c === 0x2b || c === 0x2013;
  const standsAlone = c === 0x2022 || c === 0x25cf || c === 0x25cb || c === 0x25aa || c === 0x25e6 || c === 0xb7;
  if (!needsSpace && !standsAlone) return -1;
  let behind = at + 1;
  while (behind < end && isBlankCode(text.charCodeAt(behind))) behind++;
  return needsSpace && behind === at + 1 && behind < end ? -1 : behind;
}

/** Offset behind the box of a task (`[ ] `, `[x] `), or `at` where none stands. */
export function taskBoxEnd(text: string, at: number, end: number): number {
  if (text.charCodeAt(at) !== 0x5b || text.charCodeAt(at + 2) !== 0x5d || at + 3 >= end) return at;
  return ' xX'.includes(text[at + 1]!) && isBlankCode(text.charCodeAt(at + 3)) ? at + 4 : at;
}

/** `---`, `***`, `___`, alone in the line. */
export function isRule(text: string, at: number, end: number): boolean {
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

/** `===` or `---` without spaces between. */
export function isUnderline(text: string, at: number, end: number): boolean {
  const sign = text.charCodeAt(at);
  if (sign !== 0x3d && sign !== 0x2d) return false;
  for (let i = at; i < end; i++) if (text.charCodeAt(i) !== sign) return false;
  return end - at >= 3;
}

/** `**推荐**` or `**推荐**：` alone in the line. */
export function isBoldLine(text: string, at: number, end: number): boolean {
  if (!text.startsWith('**', at) || end - at > 120) return false;
  const close = text.indexOf('**', at + 2);
  return (
    close !== -1 && close > at + 2 && (close + 2 === end || (close + 3 === end && '：:'.includes(text[close + 2]!)))
  );
}

/**
 * The level of a heading that begins at `at` and where its text begins and ends, or null. Chinese may follow the signs
 * without a space (`##标题`); `#豆包 #Kimi` and `#豆包#` are hashtags.
 */
export function readHeadingLine(
  text: string,
  at: number,
  end: number,
): { level: number; content: number; end: number } | null {
  let content = at;
  while (content < end && text.charCodeAt(content) === 0x23) content++;
  const level = content - at;
  if (level > 6) return null;
  if (content < end && !isBlankCode(text.charCodeAt(content))) {
    if (text.charCodeAt(content) < 0x2e80) return null;
    const other = level === 1 ? text.indexOf('#', content) : -1;
    if (other !== -1 && other < end) return null;
  }
  while (content < end && isBlankCode(text.charCodeAt(content))) content++;
  let close = end;
  while (close > content && text.charCodeAt(close - 1) === 0x23) close--;
  // The signs that close a heading stand apart: `## C#` is about C#.
  if (close > content && !isBlankCode(text.charCodeAt(close - 1))) close = end;
  while (close > content && isBlankCode(text.charCodeAt(close - 1))) close--;
  return { level, content, end: close };
}

/** The signs of an opening code fence at `at`; empty where a line only begins with code (```` ```x``` is ````). */
export function fenceAt(text: string, at: number, end: number): string {
  const sign = text[at]!;
  let behind = at;
  while (behind < end && text[behind] === sign) behind++;
  if (behind - at < 3) return '';
  const close = sign === '`' ? text.indexOf('`', behind) : -1;
  return close !== -1 && close < end ? '' : text.slice(at, behind);
}

/** Whether the line is nothing but at least as many signs as `fence` has. */
export function closesFence(text: string, at: number, end: number, fence: string): boolean {
  if (!text.startsWith(fence, at)) return false;
  let behind = at + fence.length;
  while (behind < end && text[behind] === fence[0]) behind++;
  return behind === end;
}

/** `|:--|--:|`: dashes, colons and bars only, with at least one dash and one bar. */
export function isDelimiterRow(text: string, at: number, end: number): boolean {
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

/** The cells of a table row without their outer spaces. */
export function readCells(text: string, at: number, end: number): { start: number; end: number }[] {
  const cells: { start: number; end: number }[] = [];
  let cellStart = text.charCodeAt(at) === 0x7c ? at + 1 : at;
  for (let i = cellStart; i < end; i++) {
    const c = text.charCodeAt(i);
    if (c === 0x5c) i++;
    else if (c === 0x7c) {
      cells.push(trimmed(text, cellStart, i));
      cellStart = i + 1;
    }
  }
  if (cellStart < end) cells.push(trimmed(text, cellStart, end));
  return cells;
}

function trimmed(text: string, start: number, end: number): { start: number; end: number } {
  let from = start;
  let to = end;
  while (from < to && isBlankCode(text.charCodeAt(from))) from++;
  while (to > from && isBlankCode(text.charCodeAt(to - 1))) to--;
  return { start: from, end: to };
}
