import { childNamed, elementsBelow, elementsIn, type XmlElement } from '../read-xml.ts';

export interface TextLook {
  readonly bold: boolean;
  readonly struck: boolean;
  readonly hidden: boolean;
}

export interface Styles {
  /** What a style says of its text, without what it inherits: programs write what a person chose into own styles. */
  lookOf(style: string | undefined): TextLook;
  isTitle(style: string | undefined): boolean;
  /** Whether tables, slides and sections of a style are shown. */
  isShown(style: string | undefined): boolean;
  /** The levels of a list by its style, from 1. */
  listLevel(style: string | undefined, level: number): XmlElement | undefined;
  /** The list that the style of a paragraph puts it into. */
  listOf(style: string | undefined): string | undefined;
  /** How headings of a level are numbered. */
  outlineLevel(level: number): XmlElement | undefined;
  /** `style:header` or `style:footer` of all kinds of pages. */
  margins(kind: 'header' | 'footer'): XmlElement[];
}

const PLAIN: TextLook = { bold: false, struck: false, hidden: false };

export function readStyles(content: XmlElement, common: XmlElement | null): Styles {
  const styles = new Map<string, XmlElement>();
  const lists = new Map<string, XmlElement>();
  const outline: XmlElement[] = [];
  const pages: XmlElement[] = [];
  // Those of the content come last: they are what it refers to where both have a name.
  for (const root of [common, content]) {
    if (!root) continue;
    for (const style of elementsBelow(
      root,
      'style:style',
      'text:list-style',
      'text:outline-style',
      'style:master-page',
    )) {
      const name = style.attributes['style:name'] ?? '';
      if (style.name === 'style:style') styles.set(name, style);
      else if (style.name === 'text:list-style') lists.set(name, style);
      else if (style.name === 'text:outline-style') for (const level of elementsIn(style)) outline.push(level);
      else pages.push(style);
    }
  }
  const levelIn = (levels: readonly XmlElement[], level: number) =>
    levels.find(({ attributes }) => Number(attributes['text:level']) === level);
  return {
    lookOf(style) {
      const text = childNamed(styles.get(style ?? ''), 'style:text-properties')?.attributes;
      if (!text) return PLAIN;
      return {
        bold: text['fo:font-weight'] === 'bold',
        struck: (text['style:text-line-through-style'] ?? 'none') !== 'none',
        hidden: text['text:display'] === 'none',
      };
    },
    isTitle: (style) => [style, styles.get(style ?? '')?.attributes['style:parent-style-name']].includes('Title'),
    isShown(style) {
      const found = styles.get(style ?? '');
      const page = childNamed(found, 'style:drawing-page-properties')?.attributes['presentation:visibility'];
      return childNamed(found, 'style:table-properties')?.attributes['table:display'] !== 'false' && page !== 'hidden';
    },
    listLevel: (style, level) => levelIn(elementsIn(lists.get(style ?? '') ?? content), level),
    listOf: (style) => styles.get(style ?? '')?.attributes['style:list-style-name'],
    outlineLevel: (level) => levelIn(outline, level),
    margins: (kind) =>
      pages.flatMap((page) =>
        elementsIn(page).filter(
          ({ name, attributes }) => name.startsWith(`style:${kind}`) && attributes['style:display'] !== 'false',
        ),
      ),
  };
}
