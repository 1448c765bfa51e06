/** A piece of a line that stands by itself: a cell of a table, or what wide gaps divide. */
export interface Cell {
  /** Without marks of Markdown. */
  readonly text: string;
  /** Where it stands in the Markdown, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

export interface DocumentLine {
  /** Where it begins in the Markdown. */
  readonly start: number;
  readonly cells: readonly Cell[];
  /** The table that it is a row of, counted from 0; null outside of tables. */
  readonly table: number | null;
  /** A heading, or bold from end to end. */
  readonly isHeading: boolean;
  readonly isItem: boolean;
  /** Whether nothing but white space stands between it and the line before. */
  readonly isBlockStart: boolean;
}

/** Who writes to whom, of a mail. */
export interface MailHeader {
  readonly from: string | null;
  readonly to: string | null;
  readonly subject: string | null;
}

export interface DocumentLines {
  readonly markdown: string;
  /** All lines that have text, in order. */
  readonly all: readonly DocumentLine[];
  /** Of a mail that only carries a document that document, else what is not the header of a mail. */
  readonly main: readonly DocumentLine[];
  readonly mail: MailHeader | null;
  /** Whether the mail only carries it. */
  readonly isAttached: boolean;
}

/** A mail whose attachments have fewer characters is no mere envelope. */
const CARRIED = 80;
const ATTACHMENT = /^## Attachment: .*$/gm;
const HEADER = /^- (From|To|Cc|Date|Subject): (.*)$/;
const WIDE_GAP = /\s{3,}|\t|\u3000{2,}/g;

/** Divides Markdown into lines and cells and remembers where each stands. */
export function documentLines(markdown: string): DocumentLines {
  const all: DocumentLine[] = [];
  const header = new Map<string, string>();
  let headerEnd = 0;
  let table = -1;
  let inTable = false;
  let afterGap = true;
  let from = 0;
  for (const line of markdown.split('\n')) {
    const start = from;
    from += line.length + 1;
    if (line.trim() === '') {
      afterGap = true;
      inTable = false;
      continue;
    }
    const isRow = /^\s*\|.*\|\s*$/.test(line);
    if (isRow && /^[\s|:-]+$/.test(line)) continue;
    if (isRow && !inTable) table += 1;
    inTable = isRow;
    const said = start === headerEnd ? HEADER.exec(line) : null;
    if (said !== null) {
      header.set(said[1]!, said[2]!);
      headerEnd = from;
    }
    const cells = isRow ? cellsOfRow(line, start) : cellsOfLine(line, start);
    if (cells.every(({ text }) => text === '')) continue;
    const trimmed = line.trim();
    all.push({
      start,
      cells,
      table: isRow ? table : null,
      isHeading: !isRow && /^(?:#{1,6}\s|\*\*(?:(?!\*\*).)+\*\*$)/.test(trimmed),
      isItem: !isRow && /^(?:[-*+•·●▪○]|\d{1,2}\\?[.)])\s/.test(trimmed),
      isBlockStart: afterGap && !isRow,
    });
    afterGap = false;
  }
  const isMail = header.has('From') || header.has('Subject');
  const carried = isMail ? attachedFrom(markdown) : null;
  return {
    markdown,
    all,
    main: isMail ? mainOf(markdown, all, carried ?? headerEnd) : all,
    isAttached: carried !== null,
    mail: isMail
      ? { from: header.get('From') ?? null, to: header.get('To') ?? null, subject: header.get('Subject') ?? null }
      : null,
  };
}

/** Where the attachments of a mail begin, if there is a document in them; null where the mail itself is what there is. */
function attachedFrom(markdown: string): number | null {
  const first = markdown.search(ATTACHMENT);
  if (first === -1) return null;
  const carried = markdown.slice(first).replace(ATTACHMENT, '').replace(/\s+/g, '');
  return carried.length >= CARRIED ? first : null;
}

function mainOf(markdown: string, all: readonly DocumentLine[], from: number): readonly DocumentLine[] {
  const titles = new Set([...markdown.matchAll(ATTACHMENT)].map(({ index }) => index + '## '.length));
  return all.filter(({ cells }) => cells[0]!.start >= from && !titles.has(cells[0]!.start));
}

function cellsOfRow(line: string, start: number): Cell[] {
  const cells: Cell[] = [];
  let from = line.indexOf('|') + 1;
  for (let at = from; at < line.length; at += 1) {
    if (line[at] === '\\') at += 1;
    else if (line[at] === '|') {
      cells.push(cellAt(line, from, at, start));
      from = at + 1;
    }
  }
  return cells;
}

function cellsOfLine(line: string, start: number): Cell[] {
  const cells: Cell[] = [];
  let from = /^\s*(?:#{1,6}\s+|>\s*|[-*+•·●▪○]\s+)?/.exec(line)![0].length;
  for (const { 0: gap, index } of line.matchAll(WIDE_GAP)) {
    if (index > from) cells.push(cellAt(line, from, index, start));
    from = Math.max(from, index + gap.length);
  }
  if (from < line.length) cells.push(cellAt(line, from, line.length, start));
  return joinSpread(cells);
}

/** `合   计` is one word that was set wide. */
function joinSpread(cells: readonly Cell[]): Cell[] {
  const joined: Cell[] = [];
  for (const cell of cells) {
    const last = joined.at(-1);
    if (last && /^\p{Script=Han}$/u.test(last.text) && /^\p{Script=Han}(?:[:：].*)?$/u.test(cell.text))
      joined[joined.length - 1] = { text: last.text + cell.text, start: last.start, end: cell.end };
    else joined.push(cell);
  }
  return joined;
}

function cellAt(line: string, from: number, to: number, start: number): Cell {
  const raw = line.slice(from, to);
  const begin = from + (raw.length - raw.trimStart().length);
  const end = from + raw.trimEnd().length;
  return { text: unmarked(raw), start: start + begin, end: start + Math.max(begin, end) };
}

/** Text without marks of Markdown: emphasis, links, backslashes. */
export function unmarked(raw: string): string {
  return raw
    .replace(/\[([^[\]]{0,300})\]\([^()\s]{0,2000}\)/g, '$1')
    .replace(/\*\*|(?<!\\)`|\\$/g, '')
    .replace(/\\([\\`*_{}[\]()#+\-.!|<>~&$@])/g, '$1')
    .trim();
}
