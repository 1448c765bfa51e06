import { type Block, blocksToMarkdown } from '../blocks.ts';
import { broken, type Meter } from '../budgets.ts';
import { readNumbering } from '../docx/numbering.ts';
import { readStory, type StoryContext } from '../docx/story.ts';
import { isOn, readStyles } from '../docx/styles.ts';
import { countLeftOut } from '../left-out.ts';
import { type OfficePackage, openOfficePackage } from '../office-package.ts';
import { recordPage } from '../page-record.ts';
import { childNamed, elementsBelow, elementsIn, type XmlElement } from '../read-xml.ts';
import type { Reading } from './reader.ts';

type NoteKind = 'footnote' | 'endnote';

/**
 * A Word document as it reads with all tracked changes accepted: headers before the text; notes and then footers after
 * it. Comments, pictures, charts and embedded files are left out, and that is said.
 */
export function readDocx(bytes: Uint8Array, meter: Meter): Reading {
  const parts = openOfficePackage(bytes, meter);
  const body = childNamed(parts.read(parts.main), 'w:body');
  if (!body) throw broken('the Word document has no text');
  const { leaveOut, warnings } = countLeftOut();
  const notes = new Map<string, { readonly kind: NoteKind; readonly id: string; readonly mark: string }>();
  const context: StoryContext = {
    styles: readStyles(rootOf(parts, 'styles')),
    labelOf: readNumbering(rootOf(parts, 'numbering')),
    meter,
    leaveOut,
    noteMark(kind, id) {
      const known = notes.get(`${kind} ${id}`);
      const mark = known?.mark ?? `[${notes.size + 1}]`;
      if (!known) notes.set(`${kind} ${id}`, { kind, id, mark });
      return mark;
    },
  };
  const headers = readMargins('header', body, parts, context);
  const text = readStory(body, parts.relationsOf(parts.main), context);
  const readNote = { footnote: noteReader('footnote', parts, context), endnote: noteReader('endnote', parts, context) };
  // Notes may refer to further notes, which the map then goes on with.
  const below: Block[] = [];
  for (const { kind, id, mark } of notes.values()) for (const block of readNote[kind](id, mark)) below.push(block);
  const footers = readMargins('footer', body, parts, context);
  const markdown = blocksToMarkdown([...headers, ...text, ...below, ...footers], meter);
  return { markdown, pages: [recordPage(1, markdown, 0)], warnings: warnings() };
}

function partOf(parts: OfficePackage, kind: string): string | undefined {
  const target = [...parts.relationsOf(parts.main).values()].find((one) => one.kind === kind)?.target;
  return target !== undefined && parts.has(target) ? target : undefined;
}

function rootOf(parts: OfficePackage, kind: string): XmlElement | undefined {
  const part = partOf(parts, kind);
  return part === undefined ? undefined : parts.read(part);
}

/**
 * The headers (or footers) that are shown, the same text once: each section has one, and perhaps others for its first
 * page and for even pages, which count only where they are switched on (ECMA-376 part 1, 17.10).
 */
function readMargins(
  kind: 'header' | 'footer',
  body: XmlElement,
  parts: OfficePackage,
  context: StoryContext,
): Block[] {
  const relations = parts.relationsOf(parts.main);
  const even = isOn(rootOf(parts, 'settings'), 'w:evenAndOddHeaders');
  const shown = new Set<string>();
  for (const section of elementsBelow(body, 'w:sectPr')) {
    const first = isOn(section, 'w:titlePg');
    const wanted = elementsIn(section).filter(
      ({ name, attributes: { 'w:type': type } }) =>
        name === `w:${kind}Reference` && !((type === 'first' && !first) || (type === 'even' && !even)),
    );
    for (const { attributes } of wanted) {
      const part = relations.get(attributes['r:id'] ?? '')?.target;
      if (part !== undefined && parts.has(part)) shown.add(part);
    }
  }
  const stories = [...shown].map((part) => readStory(parts.read(part), parts.relationsOf(part), context));
  return [...new Map(stories.map((blocks) => [JSON.stringify(blocks), blocks])).values()].flat();
}

function noteReader(
  kind: NoteKind,
  parts: OfficePackage,
  context: StoryContext,
): (id: string, mark: string) => Block[] {
  const part = partOf(parts, `${kind}s`);
  if (part === undefined) return () => [];
  const notes = new Map(elementsIn(parts.read(part)).map((one) => [one.attributes['w:id'], one]));
  const relations = parts.relationsOf(part);
  return (id, mark) => {
    const note = notes.get(id);
    const [first, ...more] = note ? readStory(note, relations, context) : [];
    if (first === undefined) return [];
    return first.kind === 'table'
      ? [{ kind: 'item', level: 0, label: mark, spans: [] }, first, ...more]
      : [{ kind: 'item', level: 0, label: mark, spans: first.spans }, ...more];
  };
}
