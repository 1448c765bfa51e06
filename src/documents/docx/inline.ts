import { hex } from 'dingbat-to-unicode';
import type { Block, Span } from '../blocks.ts';
import { formulaText } from '../formula-text.ts';
import type { LeftOutCount } from '../left-out.ts';
import type { Relation } from '../office-package.ts';
import { raised } from '../raised.ts';
import { childNamed, elementsBelow, elementsIn, textIn, type XmlElement } from '../read-xml.ts';
import { attributeOf, isOn } from './styles.ts';

/** A field shows its result; what computes it is an instruction (ECMA-376 part 1, 17.16). */
interface Field {
  instruction: string;
  inResult: boolean;
}

export interface InlineContext extends Pick<LeftOutCount, 'leaveOut'> {
  readonly relations: ReadonlyMap<string, Relation>;
  /** Fields that are open: they may end in another paragraph. */
  readonly fields: Field[];
  /** The mark of a note in the text. */
  noteMark(kind: 'footnote' | 'endnote', id: string): string;
  /** The blocks of a text box. */
  boxed(content: XmlElement): readonly Block[];
}

export interface Inline {
  readonly spans: Span[];
  /** Text boxes that are anchored here. */
  readonly boxes: Block[];
}

interface Style extends Omit<Span, 'text'> {
  readonly place?: 'superscript' | 'subscript';
}

const PASSED = new Set(
  'w:ins w:moveTo w:smartTag w:customXml w:bdo w:dir w:fldSimple w:sdtContent w:rubyBase w:oMathPara'.split(' '),
);

/** The text of a paragraph as it reads with all tracked changes accepted, without hidden text. */
export function readInline(paragraph: XmlElement, context: InlineContext): Inline {
  const into: Inline = { spans: [], boxes: [] };
  walk(paragraph, {}, context, into);
  return into;
}

function walk(parent: XmlElement, style: Style, context: InlineContext, into: Inline): void {
  for (const element of elementsIn(parent)) {
    const { name, attributes } = element;
    if (name === 'w:r') readRun(element, style, context, into);
    else if (name === 'w:hyperlink') {
      const relation = context.relations.get(attributes['r:id'] ?? '');
      walk(element, relation?.isOutside ? { ...style, href: relation.target } : style, context, into);
    } else if (name === 'w:sdt') {
      // What tells people to type something is not what they typed.
      if (!isOn(childNamed(element, 'w:sdtPr'), 'w:showingPlcHdr')) walk(element, style, context, into);
    } else if (name === 'w:del' || name === 'w:moveFrom') context.leaveOut('changes');
    else if (name === 'm:oMath' || name === 'm:oMathPara') add(` ${formulaText(element)} `, style, context, into);
    else if (PASSED.has(name)) {
      if (name === 'w:ins' || name === 'w:moveTo') context.leaveOut('changes');
      walk(element, style, context, into);
    }
  }
}

function readRun(run: XmlElement, outer: Style, context: InlineContext, into: Inline): void {
  const properties = childNamed(run, 'w:rPr');
  if (isOn(properties, 'w:vanish')) {
    if (childNamed(run, 'w:t')) context.leaveOut('hidden');
    return;
  }
  const place = attributeOf(properties, 'w:vertAlign');
  const style: Style = {
    ...outer,
    ...(isOn(properties, 'w:b') && { bold: true }),
    ...((isOn(properties, 'w:strike') || isOn(properties, 'w:dstrike')) && { struck: true }),
    ...((place === 'superscript' || place === 'subscript') && { place }),
  };
  for (const element of elementsIn(run)) readPiece(element, style, context, into);
}

const SIGNS: Readonly<Record<string, string>> = {
  'w:tab': '\t',
  'w:ptab': '\t',
  'w:br': '\n',
  'w:cr': '\n',
  'w:noBreakHyphen': '-',
};

function readPiece(element: XmlElement, style: Style, context: InlineContext, into: Inline): void {
  const { name, attributes } = element;
  if (name === 'w:t') add(textIn(element), style, context, into);
  else if (Object.hasOwn(SIGNS, name)) add(SIGNS[name]!, style, context, into);
  else if (name === 'w:sym') add(symbol(attributes), style, context, into);
  else if (name === 'w:footnoteReference' || name === 'w:endnoteReference') {
    const kind = name === 'w:footnoteReference' ? 'footnote' : 'endnote';
    add(context.noteMark(kind, attributes['w:id'] ?? ''), { ...style, place: undefined }, context, into);
  } else if (name === 'w:commentReference') context.leaveOut('comments');
  else if (name === 'w:instrText') {
    const field = context.fields.at(-1);
    if (field && !field.inResult) field.instruction += textIn(element);
  } else if (name === 'w:fldChar') readFieldMark(element, style, context, into);
  else if (name === 'w:ruby') walk(childNamed(element, 'w:rubyBase') ?? element, style, context, into);
  else if (name === 'w:drawing' || name === 'w:pict' || name === 'w:object') readDrawn(element, context, into);
  else if (name === 'mc:AlternateContent') readAlternative(element, style, context, into);
}

/** The same thing for newer and older programs: the newer form, unless only the older one holds text. */
function readAlternative(element: XmlElement, style: Style, context: InlineContext, into: Inline): void {
  const [choice, fallback] = [childNamed(element, 'mc:Choice'), childNamed(element, 'mc:Fallback')];
  const hasBox = (one: XmlElement | undefined) => one && [...elementsBelow(one, 'w:txbxContent')].length > 0;
  const taken = hasBox(choice) || !hasBox(fallback) ? (choice ?? fallback) : fallback;
  for (const child of taken ? elementsIn(taken) : []) readPiece(child, style, context, into);
}

function readDrawn(element: XmlElement, context: InlineContext, into: Inline): void {
  if (element.name === 'w:object') context.leaveOut('embedded');
  let boxes = 0;
  for (const found of elementsBelow(element, 'w:txbxContent', 'mc:AlternateContent')) {
    if (found.name === 'w:txbxContent') for (const block of context.boxed(found)) into.boxes.push(block);
    else readAlternative(found, {}, context, into);
    boxes += 1;
  }
  if (boxes || element.name === 'w:object') return;
  const [drawn] = elementsBelow(element, 'pic:pic', 'v:imagedata', 'c:chart');
  if (drawn) context.leaveOut(drawn.name === 'c:chart' ? 'charts' : 'pictures');
}

function readFieldMark(mark: XmlElement, style: Style, context: InlineContext, into: Inline): void {
  const type = mark.attributes['w:fldCharType'];
  if (type === 'begin') {
    const box = childNamed(childNamed(mark, 'w:ffData'), 'w:checkBox');
    if (box) add(isOn(box, childNamed(box, 'w:checked') ? 'w:checked' : 'w:default') ? '☑' : '☐', style, context, into);
    context.fields.push({ instruction: '', inResult: false });
  }
  const field = context.fields.at(-1);
  if (type === 'separate' && field) field.inResult = true;
  if (type === 'end') context.fields.pop();
}

/** Boxes of forms, ticked and empty: the usual signs for what the table has rarer ones for. */
const BOXES: Readonly<Record<string, string>> = {
  '🗹': '☑',
  '🗷': '☒',
  '⮽': '☒',
  '🗸': '✓',
  '🗶': '✗',
  '🗴': '✗',
  '🞎': '☐',
  '🞏': '☐',
  '□': '☐',
  '❑': '☐',
  '❒': '☐',
};

function symbol({ 'w:font': font = '', 'w:char': char = '' }: XmlElement['attributes']): string {
  // Symbol fonts have their signs at F000 and above (17.3.3.30).
  const code = char.replace(/^F0/i, '');
  const sign = hex(font, code)?.string;
  if (sign !== undefined) return BOXES[sign] ?? sign;
  return /^[0-9a-f]{1,4}$/i.test(char) ? String.fromCharCode(Number.parseInt(char, 16)) : '';
}

function add(text: string, { place, ...style }: Style, { fields }: InlineContext, { spans }: Inline): void {
  if (!text || fields.some(({ inResult }) => !inResult)) return;
  const link = fields.map(({ instruction }) => /^\s*HYPERLINK\s+"([^"]+)"/i.exec(instruction)?.[1]).find(Boolean);
  spans.push({ ...style, ...(link !== undefined && { href: link }), text: place ? raised(text, place) : text });
}
