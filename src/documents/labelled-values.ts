import { type Cell, type DocumentLine, unmarked } from './document-lines.ts';
import { plainLabel } from './plain-label.ts';

/** Something printed beside, behind or below a label. */
export interface LabelledValue {
  readonly label: string;
  readonly value: string;
  /** How the two stand together: the surest first. `after`: behind a label that is known, without a colon. */
  readonly how: 'colon' | 'after' | 'cell' | 'below';
  /** From the label to the end of the value, in the Markdown; the value alone where others stand between. */
  readonly start: number;
  readonly end: number;
  readonly valueStart: number;
  /** The number of the line of the label. */
  readonly line: number;
  /** The label heads a column that has several values. */
  readonly isColumn: boolean;
}

const MAX_LABEL = 40;
/** In a list of movements the day stands before what the line is about. */
const LEADING_DATE = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}\s+/;
/** Behind so much no other label is looked for, in UTF-16 units. */
const MAX_VALUE = 300;
/** A colon that divides a label from a value: none within a time of day or an address. */
const COLON = /：|(?<!\d):(?!\/\/)|(?<=\d):(?![\d/])/g;
/** What goes on in the next line or cell: `1 March 2026 to`. */
const GOES_ON = /(?:至|到|[-–—~～]|\b(?:to|until|through|and|of|for))$/i;

/**
 * Pairs of a label and a value: `label: value`, a known label and what is printed behind it, two cells of a row, a cell
 * above another, a line above another.
 * @param isLabel whether a piece of text is known to be a label, word for word
 */
export function labelledValues(
  markdown: string,
  lines: readonly DocumentLine[],
  isLabel: (plain: string) => boolean,
): LabelledValue[] {
  const pairs: LabelledValue[] = [];
  const isLabelText = (text: string) => isLabel(plainLabel(text)) || /[:：]$/.test(text);
  for (const [number, line] of lines.entries()) {
    const below = lines[number + 1];
    for (const [at, cell] of line.cells.entries()) {
      if (cell.text === '') continue;
      const raw = markdown.slice(cell.start, cell.end);
      const under = cellBelow(line, below, at);
      const add = (label: string, from: number, to: number, how: LabelledValue['how'], isColumn = false) => {
        const plain = plainLabel(unmarked(label).replace(LEADING_DATE, ''));
        const value = unmarked(markdown.slice(from, to));
        if (plain === '' || plain.length > MAX_LABEL || value === '' || !/\p{L}/u.test(plain)) return;
        // In a table other cells stand between a label and what is below it.
        const start = how === 'below' && line.cells.length > 1 ? from : Math.min(cell.start, from);
        pairs.push({ label: plain, value, how, start, end: to, valueStart: from, line: number, isColumn });
      };
      const parts = withinCell(raw, isLabel);
      for (const [label, from, to] of parts) {
        if (raw.slice(from, to).trim() !== '') {
          const goesOn = GOES_ON.test(raw.slice(from, to).trim()) && to === raw.length ? under : undefined;
          const end = goesOn?.end ?? cell.start + to;
          add(label, cell.start + from, end, 'colon');
          const group = groupOf(lines, number, at);
          if (group !== null)
            add(`${group}${/\p{Script=Han}$/u.test(group) ? '' : ' '}${label}`, cell.start + from, end, 'colon');
        }
      }
      const isOpen = parts.length > 0 && raw.slice(parts.at(-1)![1]).trim() === '';
      if (parts.length > 0 && !isOpen) continue;
      const label = isOpen ? parts.at(-1)![0] : raw;
      const next = line.cells.slice(at + 1).find(({ text }) => text !== '');
      const isNextLabel = next !== undefined && isLabelText(next.text);
      if (next !== undefined && !isNextLabel) add(label, next.start, next.end, isOpen ? 'colon' : 'cell');
      if (under !== undefined && !isLabelText(under.text)) {
        const isColumn = hasColumn(lines, number, at, isLabelText);
        add(label, under.start, under.end, isOpen && (next === undefined || isNextLabel) ? 'colon' : 'below', isColumn);
      }
      const known = knownPrefix(raw, isLabel);
      if (known !== null) {
        const rest = raw.slice(known);
        const end = nextLabel(rest, isLabel);
        add(raw.slice(0, known), cell.start + known, cell.start + known + end, 'after');
      }
    }
  }
  return pairs;
}

/**
 * The cell of the next line that stands under this one: the same place in a row of as many, in plain text the one that
 * begins where this one does, else the first.
 */
function cellBelow(line: DocumentLine, below: DocumentLine | undefined, at: number): Cell | undefined {
  if (below === undefined) return undefined;
  const cell = line.cells[at]!;
  const isAlike = below.cells.length === line.cells.length;
  const isPlain = line.table === null && below.table === null;
  const column = cell.start - line.start;
  const aligned =
    isPlain && below.cells.length <= MAX_ALIGNED
      ? below.cells.find((one) => Math.abs(one.start - below.start - column) <= ALIGNED)
      : undefined;
  const isFirst = at === 0 && (line.cells.length === 1 || below.cells.length === 1);
  const under = isAlike ? below.cells[at] : (aligned ?? (isFirst ? below.cells[0] : undefined));
  return under?.text === '' ? undefined : under;
}

/** Two pieces of plain text stand one above the other if their columns differ by no more. */
const ALIGNED = 2;
/** More pieces in one line are no columns. */
const MAX_ALIGNED = 30;

const GROUP_END = /\s*(?:信息|资料|details|information|info)$/i;
const MAX_GROUP = 20;

/** `Seller` to the left of `Name: …` or above it says whose name it is. */
function groupOf(lines: readonly DocumentLine[], number: number, at: number): string | null {
  const line = lines[number]!;
  const above = [lines[number - 1], lines[number - 2]].map((one) =>
    one !== undefined && line.cells.length > 1 && one.cells.length === line.cells.length ? one.cells[at] : undefined,
  );
  for (const cell of [line.cells[at - 1], ...above]) {
    if (cell === undefined || cell.text === '' || cell.text.length > MAX_GROUP || /[:：\d]/.test(cell.text)) continue;
    return cell.text.replace(GROUP_END, '');
  }
  return null;
}

/** Whether below the cell under this one there is another value of the same column. */
function hasColumn(
  lines: readonly DocumentLine[],
  number: number,
  at: number,
  isLabelText: (text: string) => boolean,
): boolean {
  const [head, second] = [lines[number]!, lines[number + 2]];
  if (second === undefined || head.cells.length < 2 || second.cells.length !== head.cells.length) return false;
  return second.table === head.table && !isLabelText(second.cells[at]!.text);
}

/** `Invoice No.: 17  Date: 3 May` holds two pairs, each as its label and where its value begins and ends. */
function withinCell(raw: string, isLabel: (plain: string) => boolean): [string, number, number][] {
  const colons = [...raw.matchAll(COLON)].map(({ index }) => index);
  const starts = colons.map((colon, n) => (n === 0 ? 0 : labelStart(raw, colons[n - 1]! + 1, colon, isLabel)));
  const pairs: [string, number, number][] = [];
  for (let n = colons.length - 1, end = raw.length; n >= 0; n -= 1) {
    if (starts[n] === -1) continue;
    pairs.push([raw.slice(starts[n], colons[n]), colons[n]! + 1, end]);
    end = starts[n]!;
  }
  return pairs.reverse();
}

/** Where the label before a colon begins, behind the value of the colon before; -1 where there is none. */
function labelStart(raw: string, from: number, colon: number, isLabel: (plain: string) => boolean): number {
  const between = raw.slice(from, colon);
  const divided = /(?:\s{2,}|[，,；;。|]\s*|\s(?=\p{Script=Han}))([^\s，,；;。]{1,20})$/u.exec(between);
  if (divided !== null) {
    // `销 名称`: one character by itself belongs to the label behind it.
    const before = between.slice(0, -divided[1]!.length);
    const single = /\s\p{Script=Han}\s+$/u.exec(before)?.[0].trimStart().length ?? 0;
    return colon - divided[1]!.length - single;
  }
  for (let length = Math.min(24, between.length); length > 1; length -= 1) {
    const at = between.length - length;
    if (/[\p{L}\p{N}]/u.test(between[at]!) && isWordStart(between, at) && isLabel(plainLabel(between.slice(at))))
      return from + at;
  }
  return -1;
}

const isWordStart = (text: string, at: number): boolean =>
  at === 0 || /\p{Script=Han}/u.test(text[at]!) || !/[\p{L}\p{N}]/u.test(text[at - 1]!);

const MAX_PREFIX_WORDS = 5;
const MAX_PREFIX_HAN = 10;

/** How long the known label is that a text begins with; null where there is none or nothing behind it. */
function knownPrefix(raw: string, isLabel: (plain: string) => boolean): number | null {
  const lead = /^[\s*#]*/.exec(raw)![0].length;
  let best: number | null = null;
  if (/^\p{Script=Han}/u.test(raw.slice(lead))) {
    const most = Math.min(MAX_PREFIX_HAN, raw.length - lead - 1);
    for (let length = 2; length <= most; length += 1) {
      const end = lead + length;
      if (!/[\sA-Za-z\d（(]/.test(raw[end]!) || !isLabel(plainLabel(raw.slice(lead, end)))) continue;
      const remark = /^\s*[（(][^（）()]{1,12}[)）](?=\s)/.exec(raw.slice(end))?.[0].length ?? 0;
      best = end + (raw.slice(end + remark).trim() === '' ? 0 : remark);
    }
    return best;
  }
  const ends: number[] = [];
  const words = new RegExp(LATIN_WORD, 'gy');
  words.lastIndex = lead;
  while (ends.length < MAX_PREFIX_WORDS && words.exec(raw) !== null && words.lastIndex < raw.length)
    ends.push(words.lastIndex);
  for (const [n, end] of ends.entries()) {
    if (isLabel(plainLabel(raw.slice(lead, end)))) best = end;
    // `Till receipt no. 000318`: the label of two words or more that the words before a figure end with.
    else if (n > 1 && /\d/.test(raw[end]!) && isLabel(plainLabel(raw.slice(ends[n - 2], end)))) best = end;
  }
  return best;
}

/** A word; `#` and `No.` before a figure are words of their own. */
const LATIN_WORD = /(?:#|[^\s#]*?\.(?=\d)|[^\s#]+)\s*/;

/** Where in the text behind a known label the next known label begins; its length where none does. */
function nextLabel(rest: string, isLabel: (plain: string) => boolean): number {
  const firstFigure = rest.search(/\d/);
  if (firstFigure === -1) return rest.length;
  for (const { index } of rest.slice(0, MAX_VALUE).matchAll(/\s+(?=\p{L})/gu))
    if (index > firstFigure && knownPrefix(rest.slice(index + 1, index + 60), isLabel) !== null) return index;
  return rest.length;
}
