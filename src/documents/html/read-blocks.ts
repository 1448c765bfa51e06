import type { Block, Cell, Span } from '../blocks.ts';
import type { Meter } from '../budgets.ts';
import { formulaText } from '../formula-text.ts';
import { listNumber } from '../list-number.ts';
import { raised } from '../raised.ts';
import type { XmlElement } from '../read-xml.ts';
import { attributeOf, type HtmlElement, type HtmlNode, type HtmlParent, isElement, textOf } from './parse-tree.ts';

const BLOCKS = new Set(
  `address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer
  form header hgroup hr html legend main menu nav ol p pre section summary ul`.split(/\s+/),
);
const DROPPED = new Set(
  `script style noscript template iframe frameset object embed svg canvas audio video head link meta title datalist
  button map`.split(/\s+/),
);
const LIST_FORMS: Readonly<Record<string, string>> = {
  a: 'lowerLetter',
  A: 'upperLetter',
  i: 'lowerRoman',
  I: 'upperRoman',
};
const MOST_ROWS = 65_534;
const MOST_COLUMNS = 1_000;

/** What an element has from those around it. */
interface Context {
  readonly style: Omit<Span, 'text'>;
  readonly place: 'superscript' | 'subscript' | null;
  /** How many lists it is in. */
  readonly lists: number;
  /** How many quotations it is in. */
  readonly quotes: number;
  /** Blanks and line ends are kept. */
  readonly asTyped: boolean;
}

interface Open {
  readonly blocks: Block[];
  spans: Span[];
  heading: number | null;
  /** The item of a list that text belongs to; its label is used up by the first paragraph. */
  item: { readonly level: number; label: string } | null;
}

export interface HtmlReader {
  readonly meter: Meter;
  isHidden(element: HtmlElement): boolean;
}

/** What a reader of the page sees, as blocks: no scripts, no styles, nothing hidden. */
export function readBlocks(parent: HtmlParent, reader: HtmlReader): Block[] {
  return blocksOf(parent, { style: {}, place: null, lists: 0, quotes: 0, asTyped: false }, reader);
}

function blocksOf(parent: HtmlParent, context: Context, reader: HtmlReader): Block[] {
  const open: Open = { blocks: [], spans: [], heading: null, item: null };
  walk(parent.childNodes, context, open, reader);
  finish(open, context);
  return open.blocks;
}

function walk(nodes: readonly HtmlNode[], context: Context, open: Open, reader: HtmlReader): void {
  for (const node of nodes) {
    if (node.nodeName === '#text') addText(textOf(node), context, open);
    else if (isElement(node) && !DROPPED.has(node.tagName) && !reader.isHidden(node))
      readElement(node, context, open, reader);
  }
}

function addText(text: string, { style, place, asTyped }: Context, { spans }: Open): void {
  const folded = asTyped ? text.replace(/\r\n?/g, '\n') : text.replace(/[ \t\r\n\f]+/g, ' ');
  const isAfterBlank = !spans.length || ' \n'.includes(spans.at(-1)!.text.at(-1)!);
  const shown = isAfterBlank && !asTyped ? folded.replace(/^ /, '') : folded;
  if (shown) spans.push({ ...style, text: place ? raised(shown, place) : shown });
}

/** Ends the paragraph, heading or item that is open. */
function finish(open: Open, { quotes }: Context): void {
  const { blocks, heading, item } = open;
  const spans = quotes ? quoted(open.spans, quotes) : open.spans;
  if (open.spans.some(({ text }) => text.trim())) {
    if (heading !== null) blocks.push({ kind: 'heading', level: heading, spans });
    else if (item) blocks.push({ kind: 'item', level: item.level, label: item.label, spans });
    else blocks.push({ kind: 'paragraph', spans });
    if (item) item.label = '';
  }
  open.spans = [];
}

function quoted(spans: readonly Span[], depth: number): Span[] {
  const mark = '> '.repeat(depth);
  return [{ text: mark }, ...spans.map((span) => ({ ...span, text: span.text.replaceAll('\n', `\n${mark}`) }))];
}

function readElement(element: HtmlElement, context: Context, open: Open, reader: HtmlReader): void {
  const name = element.tagName;
  const heading = /^h([1-6])$/.exec(name)?.[1];
  const inner = contextIn(element, context);
  if (name === 'br') open.spans.push({ text: '\n' });
  else if (name === 'table') {
    finish(open, context);
    for (const block of readTable(element, context, reader)) open.blocks.push(block);
  } else if (name === 'li') {
    finish(open, context);
    const outer = open.item;
    open.item = { level: Math.max(0, context.lists - 1), label: labelOf(element) };
    walk(element.childNodes, inner, open, reader);
    finish(open, context);
    open.item = outer;
  } else if (heading) {
    finish(open, context);
    open.heading = Number(heading);
    walk(element.childNodes, inner, open, reader);
    finish(open, context);
    open.heading = null;
  } else if (BLOCKS.has(name)) {
    finish(open, context);
    walk(element.childNodes, inner, open, reader);
    finish(open, inner);
  } else {
    const text = replacedBy(element);
    if (text === null) walk(element.childNodes, inner, open, reader);
    else if (text) open.spans.push({ ...context.style, text });
  }
}

/** What stands for an element that is not shown by what is in it; null for all others. */
function replacedBy(element: HtmlElement): string | null {
  switch (element.tagName) {
    case 'img':
    case 'area':
      return attributeOf(element, 'alt')?.trim() ?? '';
    case 'math':
      return ` ${formulaText(asXml(element))} `;
    case 'select': {
      const options = element.childNodes.filter(isElement);
      const chosen = options.find((one) => attributeOf(one, 'selected') !== undefined) ?? options[0];
      return chosen ? textOf(chosen).trim() : '';
    }
    case 'input': {
      const type = (attributeOf(element, 'type') ?? 'text').toLowerCase();
      if (type === 'checkbox' || type === 'radio') return attributeOf(element, 'checked') === undefined ? '☐ ' : '☑ ';
      return /^(text|number|date|email|tel|url|search|time|month|week|datetime-local)$/.test(type)
        ? (attributeOf(element, 'value') ?? '')
        : '';
    }
    default:
      return null;
  }
}

function contextIn(element: HtmlElement, context: Context): Context {
  const { style } = context;
  switch (element.tagName) {
    case 'b':
    case 'strong':
      return { ...context, style: { ...style, bold: true } };
    case 's':
    case 'del':
    case 'strike':
      return { ...context, style: { ...style, struck: true } };
    case 'a': {
      const href = attributeOf(element, 'href');
      return href === undefined ? context : { ...context, style: { ...style, href } };
    }
    case 'sup':
    case 'sub':
      return { ...context, place: element.tagName === 'sup' ? 'superscript' : 'subscript' };
    case 'ul':
    case 'ol':
    case 'menu':
    case 'dir':
      return { ...context, lists: context.lists + 1 };
    case 'blockquote':
      return { ...context, quotes: context.quotes + 1 };
    case 'pre':
    case 'textarea':
      return { ...context, asTyped: true };
    default:
      return context;
  }
}

/** The number of an item as browsers count it. */
function labelOf(item: HtmlElement): string {
  const list = item.parentNode;
  if (!list || !('tagName' in list) || list.tagName !== 'ol') return '-';
  const items = itemsOf(list);
  const own = items.get(item) ?? 1;
  return `${listNumber(own, LIST_FORMS[attributeOf(list, 'type') ?? ''] ?? 'decimal')}.`;
}

const NUMBERS = new WeakMap<HtmlElement, ReadonlyMap<HtmlElement, number>>();

function itemsOf(list: HtmlElement): ReadonlyMap<HtmlElement, number> {
  const known = NUMBERS.get(list);
  if (known) return known;
  const items = list.childNodes.filter(isElement).filter(({ tagName }) => tagName === 'li');
  const step = attributeOf(list, 'reversed') === undefined ? 1 : -1;
  let next = wholeNumber(attributeOf(list, 'start')) ?? (step === 1 ? 1 : items.length);
  const numbers = new Map<HtmlElement, number>();
  for (const item of items) {
    next = wholeNumber(attributeOf(item, 'value')) ?? next;
    numbers.set(item, next);
    next += step;
  }
  NUMBERS.set(list, numbers);
  return numbers;
}

const wholeNumber = (text: string | undefined): number | null =>
  /^\s*-?\d{1,9}\s*$/.test(text ?? '') ? Number(text) : null;

function readTable(table: HtmlElement, context: Context, reader: HtmlReader): Block[] {
  const before: Block[] = [];
  const rows: Cell[][] = [];
  const taken: Taken = { columns: [], rows: 0 };
  const visit = (parent: HtmlElement) => {
    for (const element of parent.childNodes.filter(isElement)) {
      if (reader.isHidden(element)) continue;
      if (element.tagName === 'tr') rows.push(readRow(element, taken, context, reader));
      else if (element.tagName === 'caption')
        for (const block of blocksOf(element, context, reader)) before.push(block);
      else if (/^(thead|tbody|tfoot)$/.test(element.tagName)) {
        visit(element);
        taken.rows = 0;
      }
    }
  };
  visit(table);
  return [...before, { kind: 'table', rows }];
}

const NOTHING: Cell = { blocks: [], columns: 1 };

/** What cells from above take of the rows that follow. */
interface Taken {
  /** For how many further rows each column is taken. */
  columns: number[];
  /** How many further rows any column is. */
  rows: number;
}

function readRow(row: HtmlElement, taken: Taken, context: Context, reader: HtmlReader): Cell[] {
  reader.meter.checkTime();
  if (taken.rows === 0) taken.columns = [];
  // One cell may reach over many rows, which are written with a few bytes each.
  reader.meter.take('cells', taken.columns.length);
  taken.rows = Math.max(0, taken.rows - 1);
  const before = taken.columns;
  const after = before.map((rows) => Math.max(0, rows - 1));
  const cells: Cell[] = [];
  let column = 0;
  for (const element of row.childNodes.filter(isElement)) {
    if ((element.tagName !== 'td' && element.tagName !== 'th') || reader.isHidden(element)) continue;
    for (; (before[column] ?? 0) > 0; column += 1) cells.push(NOTHING);
    const columns = Math.min(wholeNumber(attributeOf(element, 'colspan')) || 1, MOST_COLUMNS);
    const rows = Math.min(wholeNumber(attributeOf(element, 'rowspan')) ?? 1, MOST_ROWS);
    cells.push({ blocks: blocksOf(element, { ...context, lists: 0, quotes: 0 }, reader), columns });
    if (rows > 1) for (let at = 0; at < columns; at += 1) after[column + at] = rows - 1;
    taken.rows = Math.max(taken.rows, rows - 1);
    column += columns;
  }
  taken.columns = Array.from(after, (rows) => rows ?? 0);
  return cells;
}

/** Formulas are read as they are read in XML. */
function asXml(element: HtmlElement): XmlElement {
  const children = element.childNodes.map((node) => (isElement(node) ? asXml(node) : textOf(node)));
  return { name: `math:${element.tagName}`, attributes: {}, children };
}
