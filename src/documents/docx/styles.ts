import { childNamed, elementsIn, type XmlElement } from '../read-xml.ts';

/** The number that a paragraph has in a list. */
export interface NumberProperties {
  /** `0`: none, even where the style has one. */
  readonly id: string;
  readonly level: number;
}

export interface Styles {
  /** The level of a heading, 1 to 9; null for other text. */
  headingLevel(paragraphProperties: XmlElement | undefined): number | null;
  numberProperties(paragraphProperties: XmlElement | undefined): NumberProperties | null;
}

interface Style {
  readonly name: string;
  readonly basedOn: string | undefined;
  readonly properties: XmlElement | undefined;
}

/** Styles may be based on one another in a circle. */
const LONGEST_CHAIN = 20;

/** The styles of a Word document, each with what it inherits (ECMA-376 part 1, 17.7). */
export function readStyles(root: XmlElement | undefined): Styles {
  const styles = new Map<string, Style>();
  for (const style of root ? elementsIn(root) : []) {
    const { 'w:styleId': id, 'w:type': type } = style.attributes;
    if (style.name !== 'w:style' || id === undefined || type !== 'paragraph') continue;
    styles.set(id, {
      name: attributeOf(style, 'w:name') ?? '',
      basedOn: attributeOf(style, 'w:basedOn'),
      properties: childNamed(style, 'w:pPr'),
    });
  }
  const chainOf = (id: string | undefined): Style[] => {
    const chain: Style[] = [];
    for (
      let style = styles.get(id ?? '');
      style && chain.length < LONGEST_CHAIN;
      style = styles.get(style.basedOn ?? '')
    )
      chain.push(style);
    return chain;
  };
  return {
    headingLevel(own) {
      const chain = chainOf(attributeOf(own, 'w:pStyle'));
      const said = [own, ...chain.map(({ properties }) => properties)].map((one) => attributeOf(one, 'w:outlineLvl'));
      const outline = said.find((one) => one !== undefined);
      // 9 is the level of text that is no heading.
      if (outline !== undefined) return Number(outline) < 9 ? Number(outline) + 1 : null;
      for (const { name } of chain) {
        if (/^title$/i.test(name)) return 1;
        const level = /^heading ([1-9])$/i.exec(name)?.[1];
        if (level) return Number(level);
      }
      return null;
    },
    numberProperties(own) {
      const chain = chainOf(attributeOf(own, 'w:pStyle'));
      const all = [own, ...chain.map(({ properties }) => properties)].map((one) => childNamed(one, 'w:numPr'));
      const id = firstOf(all, 'w:numId');
      return id === undefined ? null : { id, level: Number(firstOf(all, 'w:ilvl') ?? 0) };
    },
  };
}

const firstOf = (elements: readonly (XmlElement | undefined)[], child: string): string | undefined =>
  elements.map((one) => attributeOf(one, child)).find((one) => one !== undefined);

/** What a child says in its attribute `w:val`: most properties are written so. */
export const attributeOf = (element: XmlElement | undefined, child: string): string | undefined =>
  childNamed(element, child)?.attributes['w:val'];

/** Whether a property that is either on or off is on (17.17.4, ST_OnOff). */
export function isOn(properties: XmlElement | undefined, name: string): boolean {
  const property = childNamed(properties, name);
  return property !== undefined && !/^(0|false|off|none)$/.test(property.attributes['w:val'] ?? '');
}
