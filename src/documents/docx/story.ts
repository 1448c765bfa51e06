import type { Block, Cell, Span } from '../blocks.ts';
import type { Meter } from '../budgets.ts';
import type { LeftOutCount } from '../left-out.ts';
import type { Relation } from '../office-package.ts';
import { childNamed, elementsIn, type XmlElement } from '../read-xml.ts';
import { type InlineContext, readInline } from './inline.ts';
import type { Label } from './numbering.ts';
import { attributeOf, isOn, type NumberProperties, type Styles } from './styles.ts';

/** What all parts of a Word document with text (body, headers, notes) are read with. */
export interface StoryContext extends Pick<LeftOutCount, 'leaveOut'> {
  readonly styles: Styles;
  readonly meter: Meter;
  labelOf(properties: NumberProperties): Label | null;
  noteMark: InlineContext['noteMark'];
}

/** The blocks of one part: paragraphs, headings, items of lists, tables, text boxes behind the paragraph they hang on. */
export function readStory(root: XmlElement, relations: ReadonlyMap<string, Relation>, context: StoryContext): Block[] {
  return readBlocks(root, relations, context, []);
}

function readBlocks(
  root: XmlElement,
  relations: ReadonlyMap<string, Relation>,
  context: StoryContext,
  fields: InlineContext['fields'],
): Block[] {
  const blocks: Block[] = [];
  const inline: InlineContext = {
    relations,
    fields,
    noteMark: context.noteMark,
    leaveOut: context.leaveOut,
    boxed: (content) => readBlocks(content, relations, context, []),
  };
  // Where the end of a paragraph was deleted, its text goes on in the next one.
  let carried: Span[] = [];
  const visit = (parent: XmlElement) => {
    for (const element of elementsIn(parent)) {
      if (element.name === 'w:p') {
        context.meter.checkTime();
        const { spans, boxes } = readInline(element, inline);
        const properties = childNamed(element, 'w:pPr');
        if (isEndDeleted(properties)) {
          carried = [...carried, ...spans];
          context.leaveOut('changes');
        } else {
          blocks.push(blockOf([...carried, ...spans], properties, context));
          carried = [];
        }
        for (const box of boxes) blocks.push(box);
      } else if (element.name === 'w:tbl')
        blocks.push(readTable(element, context, (cell) => readBlocks(cell, relations, context, fields)));
      else if (element.name === 'w:altChunk') context.leaveOut('embedded');
      else if (CONTAINERS.has(element.name)) visit(element);
      else if (element.name === 'w:sdt' && !isOn(childNamed(element, 'w:sdtPr'), 'w:showingPlcHdr')) visit(element);
    }
  };
  visit(root);
  if (carried.length) blocks.push({ kind: 'paragraph', spans: carried });
  return blocks.filter((block) => block.kind === 'table' || block.spans.some(({ text }) => text.trim()));
}

const CONTAINERS = new Set(['w:sdtContent', 'w:customXml', 'w:ins', 'w:moveTo', 'w:smartTag']);

function isEndDeleted(properties: XmlElement | undefined): boolean {
  const mark = childNamed(properties, 'w:rPr');
  return Boolean(childNamed(mark, 'w:del') ?? childNamed(mark, 'w:moveFrom'));
}

function blockOf(spans: readonly Span[], properties: XmlElement | undefined, context: StoryContext): Block {
  const heading = context.styles.headingLevel(properties);
  const numbered = context.styles.numberProperties(properties);
  // Empty paragraphs of a list have no number.
  const label = numbered && spans.some(({ text }) => text.trim()) ? context.labelOf(numbered) : null;
  const labelled = label?.text ? [{ text: `${label.text}${label.apart ? ' ' : ''}` }, ...spans] : spans;
  if (heading !== null) return { kind: 'heading', level: heading, spans: labelled };
  if (!label?.text) return { kind: 'paragraph', spans };
  if (!label.apart) return { kind: 'item', level: numbered!.level, label: '', spans: labelled };
  return { kind: 'item', level: numbered!.level, label: label.text, spans };
}

function readTable(table: XmlElement, context: StoryContext, readCell: (cell: XmlElement) => Block[]): Block {
  const rows: Cell[][] = [];
  const visit = (parent: XmlElement) => {
    for (const element of elementsIn(parent)) {
      if (element.name === 'w:tr') {
        const properties = childNamed(element, 'w:trPr');
        if (childNamed(properties, 'w:del')) context.leaveOut('changes');
        else rows.push(readRow(element, properties, readCell));
      } else if (element.name === 'w:sdt' || CONTAINERS.has(element.name)) visit(element);
    }
  };
  visit(table);
  return { kind: 'table', rows };
}

function readRow(row: XmlElement, properties: XmlElement | undefined, readCell: (cell: XmlElement) => Block[]): Cell[] {
  const before = Number(attributeOf(properties, 'w:gridBefore') ?? 0);
  const cells: Cell[] = before > 0 ? [{ blocks: [], columns: before }] : [];
  const visit = (parent: XmlElement) => {
    for (const element of elementsIn(parent)) {
      if (element.name === 'w:tc') {
        const own = childNamed(element, 'w:tcPr');
        const merge = childNamed(own, 'w:vMerge');
        const isCovered = merge !== undefined && merge.attributes['w:val'] !== 'restart';
        cells.push({
          blocks: isCovered ? [] : readCell(element),
          columns: Number(attributeOf(own, 'w:gridSpan') ?? 1) || 1,
        });
      } else if (element.name === 'w:sdt' || CONTAINERS.has(element.name)) visit(element);
    }
  };
  visit(row);
  return cells;
}
