import { type Block, blocksToMarkdown, type Cell, type Span } from '../blocks.ts';
import { broken, type Meter } from '../budgets.ts';
import { formulaText } from '../formula-text.ts';
import { growMarkdown } from '../grow-markdown.ts';
import { countLeftOut, type LeftOutCount } from '../left-out.ts';
import { listNumber } from '../list-number.ts';
import { type OfficePackage, openOfficePackage, type Relation } from '../office-package.ts';
import { type PageRecord, recordPage } from '../page-record.ts';
import { childNamed, elementsBelow, elementsIn, textIn, type XmlElement } from '../read-xml.ts';
import type { Reading } from './reader.ts';

interface SlideContext extends Pick<LeftOutCount, 'leaveOut'> {
  readonly parts: OfficePackage;
  readonly relations: ReadonlyMap<string, Relation>;
}

/**
 * A presentation, each slide a page: its title as a heading, then texts, tables and diagrams in the order in which they
 * are read aloud, then the speaker's notes. Hidden slides are read and said.
 */
export function readPptx(bytes: Uint8Array, meter: Meter): Reading {
  const parts = openOfficePackage(bytes, meter);
  const list = childNamed(parts.read(parts.main), 'p:sldIdLst');
  const slides = list ? elementsIn(list) : [];
  meter.take('pages', slides.length);
  const relations = parts.relationsOf(parts.main);
  const whole = growMarkdown();
  const pages: PageRecord[] = [];
  const { leaveOut, warnings } = countLeftOut();
  for (const [index, { attributes }] of slides.entries()) {
    meter.checkTime();
    const part = relations.get(attributes['r:id'] ?? '')?.target;
    if (part === undefined) throw broken('the presentation lacks one of its slides: the file is damaged');
    const slide = parts.read(part);
    const context = { parts, relations: parts.relationsOf(part), leaveOut };
    const markdown = blocksToMarkdown([...readSlide(slide, context), ...readNotes(context)], meter);
    const hidden = /^(0|false)$/.test(slide.attributes.show ?? '') ? ['hidden_slide'] : [];
    pages.push(recordPage(index + 1, markdown, whole.add(markdown), hidden));
  }
  return { markdown: whole.text(), pages, warnings: warnings() };
}

function readSlide(slide: XmlElement, context: SlideContext): Block[] {
  for (const { kind, target } of context.relations.values()) {
    if (kind !== 'comments' || !context.parts.has(target)) continue;
    for (const _ of elementsIn(context.parts.read(target))) context.leaveOut('comments');
  }
  const [tree] = elementsBelow(slide, 'p:spTree');
  const shapes = tree ? readShapes(tree, context) : [];
  return [...shapes.filter(({ isTitle }) => isTitle), ...shapes.filter(({ isTitle }) => !isTitle)].flatMap(
    ({ blocks }) => blocks,
  );
}

function readNotes({ parts, relations }: SlideContext): Block[] {
  const part = [...relations.values()].find(({ kind }) => kind === 'notesSlide')?.target;
  if (part === undefined || !parts.has(part)) return [];
  const context = { parts, relations: parts.relationsOf(part), leaveOut: () => {} };
  const notes = [...elementsBelow(parts.read(part), 'p:sp')]
    .filter((shape) => placeOf(shape) === 'body')
    .flatMap((shape) => readText(shape, 'plain', context));
  return notes.length ? [{ kind: 'heading', level: 3, spans: [{ text: 'Notes' }] }, ...notes] : [];
}

interface Shape {
  readonly isTitle: boolean;
  readonly blocks: Block[];
}

function readShapes(parent: XmlElement, context: SlideContext): Shape[] {
  return elementsIn(parent).flatMap((element): Shape[] => {
    const text = (blocks: Block[]) => [{ isTitle: false, blocks }];
    switch (element.name) {
      case 'p:sp':
        return readTextShape(element, context);
      case 'p:grpSp':
        return readShapes(element, context);
      case 'p:graphicFrame':
        return text(readFrame(element, context));
      case 'mc:AlternateContent': {
        const [choice, fallback] = [childNamed(element, 'mc:Choice'), childNamed(element, 'mc:Fallback')];
        const shapes = choice ? readShapes(choice, context) : [];
        return shapes.some(({ blocks }) => blocks.length) || !fallback ? shapes : readShapes(fallback, context);
      }
      case 'p:pic':
        context.leaveOut('pictures');
        return [];
      default:
        return [];
    }
  });
}

/** The kind of place that a shape takes in the layout; null for a text box. */
function placeOf(shape: XmlElement): string | null {
  const [place] = elementsBelow(childNamed(shape, 'p:nvSpPr') ?? shape, 'p:ph');
  return place ? (place.attributes.type ?? 'obj') : null;
}

function readTextShape(shape: XmlElement, context: SlideContext): Shape[] {
  const place = placeOf(shape);
  if (place === 'title' || place === 'ctrTitle') {
    const lines = readText(shape, 'plain', context).flatMap((block) =>
      'spans' in block ? [...block.spans, { text: '\n' }] : [],
    );
    return [{ isTitle: true, blocks: lines.length ? [{ kind: 'heading', level: 2, spans: lines }] : [] }];
  }
  return [
    { isTitle: false, blocks: readText(shape, place === 'body' || place === 'obj' ? 'listed' : 'plain', context) },
  ];
}

/** Places for content make lists of their paragraphs unless these say otherwise; text boxes do so where they say it. */
function readText(shape: XmlElement, otherwise: 'plain' | 'listed', context: SlideContext): Block[] {
  const body = childNamed(shape, 'p:txBody') ?? childNamed(shape, 'a:txBody');
  const counts: (number | undefined)[] = [];
  return (body ? elementsIn(body) : []).flatMap((paragraph): Block[] => {
    if (paragraph.name !== 'a:p') return [];
    const spans = readSpans(paragraph, context);
    if (!spans.some(({ text }) => text.trim())) return [];
    const properties = childNamed(paragraph, 'a:pPr');
    const level = Number(properties?.attributes.lvl ?? 0);
    const numbered = childNamed(properties, 'a:buAutoNum');
    counts.length = Math.min(counts.length, level + 1);
    if (numbered) {
      counts[level] = (counts[level] ?? Number(numbered.attributes.startAt ?? 1) - 1) + 1;
      return [{ kind: 'item', level, label: autoNumber(counts[level], numbered.attributes.type ?? ''), spans }];
    }
    counts[level] = undefined;
    const isListed =
      childNamed(properties, 'a:buChar') ?? childNamed(properties, 'a:buBlip') ?? (otherwise === 'listed' || level > 0);
    return isListed && !childNamed(properties, 'a:buNone')
      ? [{ kind: 'item', level, label: '-', spans }]
      : [{ kind: 'paragraph', spans }];
  });
}

const NUMBERED: readonly (readonly [RegExp, string])[] = [
  [/^alphaLc/, 'lowerLetter'],
  [/^alphaUc/, 'upperLetter'],
  [/^romanLc/, 'lowerRoman'],
  [/^romanUc/, 'upperRoman'],
  [/^circleNum/, 'decimalEnclosedCircle'],
  [/^ea1(Chs|Cht|Jpn)/, 'chineseCounting'],
];

/** ECMA-376 part 1, 20.1.10.61, ST_TextAutonumberScheme. */
function autoNumber(value: number, scheme: string): string {
  const number = listNumber(value, NUMBERED.find(([pattern]) => pattern.test(scheme))?.[1] ?? 'decimal');
  if (scheme.endsWith('ParenBoth')) return `(${number})`;
  if (scheme.endsWith('ParenR')) return `${number})`;
  return scheme.endsWith('Period') ? `${number}.` : number;
}

function readSpans(paragraph: XmlElement, context: SlideContext): Span[] {
  return elementsIn(paragraph).flatMap((element): Span[] => {
    if (element.name === 'a:br') return [{ text: '\n' }];
    if (element.name === 'mc:AlternateContent') return readSpans(childNamed(element, 'mc:Choice') ?? element, context);
    const [formula] = elementsBelow({ ...element, children: [element] }, 'm:oMath');
    if (formula) return [{ text: ` ${formulaText(formula)} ` }];
    // Numbers of slides and dates of today are no text of the slide.
    const isComputed = element.name === 'a:fld' && /^(slidenum|datetime)/.test(element.attributes.type ?? '');
    if ((element.name !== 'a:r' && element.name !== 'a:fld') || isComputed) return [];
    const properties = childNamed(element, 'a:rPr');
    const { b, strike } = properties?.attributes ?? {};
    const link = context.relations.get(childNamed(properties, 'a:hlinkClick')?.attributes['r:id'] ?? '');
    const text = childNamed(element, 'a:t');
    return [
      {
        text: text ? textIn(text) : '',
        bold: b === '1' || b === 'true',
        struck: strike !== undefined && strike !== 'noStrike',
        ...(link?.isOutside && { href: link.target }),
      },
    ];
  });
}

function readFrame(frame: XmlElement, context: SlideContext): Block[] {
  for (const found of elementsBelow(frame, 'a:tbl', 'c:chart', 'dgm:relIds', 'p:oleObj')) {
    if (found.name === 'a:tbl') return [readTable(found, context)];
    if (found.name === 'dgm:relIds') return readDiagram(found, context);
    context.leaveOut(found.name === 'c:chart' ? 'charts' : 'embedded');
    return [];
  }
  return [];
}

function readTable(table: XmlElement, context: SlideContext): Block {
  const rows = elementsIn(table)
    .filter(({ name }) => name === 'a:tr')
    .map((row) =>
      elementsIn(row)
        .filter(({ name }) => name === 'a:tc')
        // Cells that others cover are there and have nothing in them.
        .map((cell): Cell => ({ blocks: readText(cell, 'plain', context), columns: 1 })),
    );
  return { kind: 'table', rows };
}

/** The texts of a diagram, in the order in which they were typed. */
function readDiagram(ids: XmlElement, { parts, relations }: SlideContext): Block[] {
  const part = relations.get(ids.attributes['r:dm'] ?? '')?.target;
  if (part === undefined || !parts.has(part)) return [];
  return [...elementsBelow(parts.read(part), 'dgm:t')].map((point) => ({
    kind: 'item',
    level: 0,
    label: '-',
    spans: [{ text: [...elementsBelow(point, 'a:t')].map(textIn).join('') }],
  }));
}
