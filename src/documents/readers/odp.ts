import { type Block, blocksToMarkdown } from '../blocks.ts';
import type { Meter } from '../budgets.ts';
import { growMarkdown } from '../grow-markdown.ts';
import { countLeftOut } from '../left-out.ts';
import { openDocument } from '../odf/open.ts';
import { type OdfContext, readBlocks, readDrawn, startReading } from '../odf/read-blocks.ts';
import { type PageRecord, recordPage } from '../page-record.ts';
import { childNamed, elementsIn, type XmlElement } from '../read-xml.ts';
import type { Reading } from './reader.ts';

/** A presentation of OpenDocument, each slide a page, as `readPptx` reads the other kind. */
export function readOdp(bytes: Uint8Array, meter: Meter): Reading {
  const document = openDocument(bytes, meter, 'presentation');
  const slides = elementsIn(document.body).filter(({ name }) => name === 'draw:page');
  meter.take('pages', slides.length);
  const leftOut = countLeftOut();
  const context = startReading(document, meter, leftOut);
  const whole = growMarkdown();
  const pages: PageRecord[] = [];
  for (const [index, slide] of slides.entries()) {
    const markdown = blocksToMarkdown([...readSlide(slide, context), ...readNotes(slide, context)], meter);
    const hidden = document.styles.isShown(slide.attributes['draw:style-name']) ? [] : ['hidden_slide'];
    pages.push(recordPage(index + 1, markdown, whole.add(markdown), hidden));
  }
  return { markdown: whole.text(), pages, warnings: leftOut.warnings() };
}

const classOf = ({ attributes }: XmlElement): string | undefined => attributes['presentation:class'];

function readSlide(slide: XmlElement, context: OdfContext): Block[] {
  const shapes = elementsIn(slide).filter((one) => one.name.startsWith('draw:') && classOf(one) !== 'page-number');
  const titles = shapes.filter((one) => classOf(one) === 'title');
  const spans = titles
    .flatMap((one) => readDrawn(one, context))
    .flatMap((block) => ('spans' in block ? [...block.spans, { text: '\n' }] : []));
  const others = shapes.filter((one) => !titles.includes(one)).flatMap((one) => readDrawn(one, context));
  return spans.length ? [{ kind: 'heading', level: 2, spans }, ...others] : others;
}

function readNotes(slide: XmlElement, context: OdfContext): Block[] {
  const notes = childNamed(slide, 'presentation:notes');
  const frames = notes ? elementsIn(notes).filter((one) => classOf(one) === 'notes') : [];
  const blocks = frames
    .filter(({ attributes }) => attributes['presentation:placeholder'] !== 'true')
    .flatMap((one) => readBlocks(one, context));
  return blocks.length ? [{ kind: 'heading', level: 3, spans: [{ text: 'Notes' }] }, ...blocks] : [];
}
