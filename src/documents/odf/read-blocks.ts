import type { Block, Cell, Span } from '../blocks.ts';
import type { Meter } from '../budgets.ts';
import { formulaText } from '../formula-text.ts';
import type { LeftOutCount } from '../left-out.ts';
import { childNamed, elementsIn, type XmlElement } from '../read-xml.ts';
import { type ItemNumbers, numberItems } from './number-items.ts';
import type { OpenDocument } from './open.ts';

export interface OdfContext extends Pick<LeftOutCount, 'leaveOut'> {
  readonly document: OpenDocument;
  readonly meter: Meter;
  readonly numbers: ItemNumbers;
  /** Notes so far, in the order of their marks. */
  readonly notes: Block[][];
}

export const startReading = (
  document: OpenDocument,
  meter: Meter,
  { leaveOut }: Pick<LeftOutCount, 'leaveOut'>,
): OdfContext => ({
  document,
  meter,
  leaveOut,
  numbers: numberItems(document.styles),
  notes: [],
});

/** Runs of blanks count as one; more are written as an element (ODF 1.3 part 3, 6.1.2). */
const MOST_BLANKS = 100;
const SKIPPED = new Set([
  'text:tracked-changes',
  'office:forms',
  'text:sequence-decls',
  'presentation:notes',
  'svg:title',
  'svg:desc',
]);

/** The blocks within an element: paragraphs, headings, lists, tables, and text boxes behind what they hang on. */
export function readBlocks(parent: XmlElement, context: OdfContext): Block[] {
  return elementsIn(parent).flatMap((element) => readBlock(element, context));
}

function readBlock(element: XmlElement, context: OdfContext): Block[] {
  const { name, attributes } = element;
  if (name === 'text:p' || name === 'text:h') return readParagraph(element, context);
  if (name === 'text:list') {
    context.numbers.begin(element);
    return readList(element, attributes['text:style-name'], 1, context);
  }
  if (name === 'table:table') return [readTable(element, context)];
  if (name === 'text:tracked-changes') for (const _ of elementsIn(element)) context.leaveOut('changes');
  if (name === 'text:section' && attributes['text:display'] === 'none') context.leaveOut('hidden');
  if (SKIPPED.has(name) || attributes['text:display'] === 'none') return [];
  if (name === 'office:annotation') {
    context.leaveOut('comments');
    return [];
  }
  if (name.startsWith('draw:')) return readDrawn(element, context);
  return readBlocks(element, context);
}

function readParagraph(element: XmlElement, context: OdfContext): Block[] {
  context.meter.checkTime();
  const boxes: Block[] = [];
  const { spans, hidden } = readSpans(element, context, boxes);
  if (hidden || !spans.some(({ text }) => text.trim())) return boxes;
  const level = Number(element.attributes['text:outline-level'] ?? 1);
  if (context.document.styles.isTitle(element.attributes['text:style-name']))
    return [{ kind: 'heading', level: 1, spans }, ...boxes];
  if (element.name !== 'text:h') return [{ kind: 'paragraph', spans }, ...boxes];
  const label = element.attributes['text:is-list-header'] === 'true' ? '' : context.numbers.heading(level);
  const numbered = label && label !== '-' ? [{ text: `${label} ` }, ...spans] : spans;
  return [{ kind: 'heading', level, spans: numbered }, ...boxes];
}

function readList(list: XmlElement, style: string | undefined, level: number, context: OdfContext): Block[] {
  return elementsIn(list).flatMap((item) => {
    if (item.name !== 'text:list-item' && item.name !== 'text:list-header') return [];
    const blocks: Block[] = [];
    let isLabelled = item.name === 'text:list-header';
    for (const element of elementsIn(item)) {
      if (element.name === 'text:list') {
        const inner = element.attributes['text:style-name'] ?? style;
        for (const block of readList(element, inner, level + 1, context)) blocks.push(block);
        continue;
      }
      for (const block of readBlock(element, context)) {
        const used = style ?? context.document.styles.listOf(element.attributes['text:style-name']);
        const label = isLabelled ? '' : context.numbers.label(used, level, item.attributes['text:start-value']);
        isLabelled = true;
        blocks.push(block.kind === 'paragraph' ? { kind: 'item', level: level - 1, label, spans: block.spans } : block);
      }
    }
    return blocks;
  });
}

function readSpans(parent: XmlElement, context: OdfContext, boxes: Block[]): { spans: Span[]; hidden: boolean } {
  const look = context.document.styles.lookOf(parent.attributes['text:style-name']);
  const style = { ...(look.bold && { bold: true }), ...(look.struck && { struck: true }) };
  const spans: Span[] = [];
  for (const child of parent.children) {
    if (typeof child === 'string') spans.push({ ...style, text: child.replace(/[\t\r\n ]+/g, ' ') });
    else for (const one of readPiece(child, context, boxes)) spans.push({ ...style, ...one });
  }
  if (look.hidden && spans.length) context.leaveOut('hidden');
  return { spans: look.hidden ? [] : spans, hidden: look.hidden };
}

function readPiece(element: XmlElement, context: OdfContext, boxes: Block[]): Span[] {
  const { name, attributes } = element;
  switch (name) {
    case 'text:s':
      return [{ text: ' '.repeat(Math.min(Number(attributes['text:c'] ?? 1) || 1, MOST_BLANKS)) }];
    case 'text:tab':
      return [{ text: '\t' }];
    case 'text:line-break':
      return [{ text: '\n' }];
    case 'text:a': {
      const href = attributes['xlink:href'];
      return readSpans(element, context, boxes).spans.map((one) => ({ ...one, ...(href !== undefined && { href }) }));
    }
    case 'text:note':
      return [{ text: readNote(element, context) }];
    case 'office:annotation':
      context.leaveOut('comments');
      return [];
    case 'text:ruby':
      return readSpans(childNamed(element, 'text:ruby-base') ?? element, context, boxes).spans;
    case 'text:hidden-text':
    case 'office:annotation-end':
      return [];
    default: {
      if (!name.startsWith('draw:')) return readSpans(element, context, boxes).spans;
      const formula = readInlineObject(element, context);
      if (!formula) for (const block of readDrawn(element, context)) boxes.push(block);
      return formula ?? [];
    }
  }
}

function readNote(note: XmlElement, context: OdfContext): string {
  const mark = `[${context.notes.length + 1}]`;
  const blocks: Block[] = [];
  // Its place is taken before it is read: a note may have notes.
  context.notes.push(blocks);
  const body = childNamed(note, 'text:note-body');
  const [first, ...more] = body ? readBlocks(body, context) : [];
  const spans = first && first.kind !== 'table' ? first.spans : [];
  blocks.push({ kind: 'item', level: 0, label: mark, spans }, ...(first?.kind === 'table' ? [first] : []), ...more);
  return mark;
}

/** A formula stands in the line; null for anything else that is drawn. */
function readInlineObject(frame: XmlElement, context: OdfContext): Span[] | null {
  const object = childNamed(frame, 'draw:object');
  if (!object) return null;
  const root = childNamed(object, 'math:math') ?? context.document.object(object.attributes['xlink:href'] ?? '');
  return root?.name === 'math:math' ? [{ text: ` ${formulaText(root)} ` }] : null;
}

/** Text boxes and shapes with text; of pictures, charts and embedded files that there are some. */
export function readDrawn(element: XmlElement, context: OdfContext): Block[] {
  const object = childNamed(element, 'draw:object') ?? childNamed(element, 'draw:object-ole');
  if (object) {
    const formula = readInlineObject(element, context);
    if (formula) return [{ kind: 'paragraph', spans: formula }];
    const root = context.document.object(object.attributes['xlink:href'] ?? '');
    const isChart = childNamed(childNamed(root ?? undefined, 'office:body'), 'office:chart') !== undefined;
    context.leaveOut(isChart ? 'charts' : 'embedded');
    return [];
  }
  if (element.name === 'draw:image') {
    context.leaveOut('pictures');
    return [];
  }
  return readBlocks(element, context);
}

function readTable(table: XmlElement, context: OdfContext): Block {
  const rows: Cell[][] = [];
  const visit = (parent: XmlElement) => {
    for (const element of elementsIn(parent)) {
      if (element.name === 'table:table-row') rows.push(readRow(element, context));
      else if (/^table:(table-header-rows|table-rows|table-row-group)$/.test(element.name)) visit(element);
    }
  };
  visit(table);
  return { kind: 'table', rows };
}

const readRow = (row: XmlElement, context: OdfContext): Cell[] =>
  elementsIn(row)
    .filter(({ name }) => name === 'table:table-cell' || name === 'table:covered-table-cell')
    .map((cell) => ({
      blocks: readBlocks(cell, context),
      columns: Number(cell.attributes['table:number-columns-repeated'] ?? 1) || 1,
    }));
