import { Parser } from 'htmlparser2';
import { CodedError } from '../errors/coded-error.ts';
import { broken, type Meter } from './budgets.ts';
import { decodeText } from './decode-text.ts';

/** An element; its name and those of its attributes have the prefix of `PREFIXES`, whatever the file calls it. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlNode[];
}
export type XmlNode = XmlElement | string;

/** Deeper nesting than programs write; far below where the call stack ends for those who walk the tree. */
const DEEPEST = 400;
/** How many elements are read between two looks at the clock. */
const BETWEEN_LOOKS = 10_000;

/** The namespaces that are read; those of Office Open XML in both of its forms, transitional and strict. */
const PREFIXES: Readonly<Record<string, string>> = {
  ...ofOffice('wordprocessingml/2006/main', 'wordprocessingml/main', 'w'),
  ...ofOffice('drawingml/2006/main', 'drawingml/main', 'a'),
  ...ofOffice('drawingml/2006/chart', 'drawingml/chart', 'c'),
  ...ofOffice('drawingml/2006/diagram', 'drawingml/diagram', 'dgm'),
  ...ofOffice('drawingml/2006/spreadsheetDrawing', 'drawingml/spreadsheetDrawing', 'xdr'),
  ...ofOffice('drawingml/2006/picture', 'drawingml/picture', 'pic'),
  ...ofOffice('presentationml/2006/main', 'presentationml/main', 'p'),
  ...ofOffice('spreadsheetml/2006/main', 'spreadsheetml/main', 'x'),
  ...ofOffice('officeDocument/2006/relationships', 'officeDocument/relationships', 'r'),
  ...ofOffice('officeDocument/2006/math', 'officeDocument/math', 'm'),
  'http://schemas.openxmlformats.org/package/2006/relationships': 'rel',
  'http://schemas.openxmlformats.org/markup-compatibility/2006': 'mc',
  'http://schemas.microsoft.com/office/word/2010/wordml': 'w14',
  'http://schemas.microsoft.com/office/word/2010/wordprocessingShape': 'wps',
  'urn:schemas-microsoft-com:vml': 'v',
  'urn:schemas-microsoft-com:office:office': 'o',
  'urn:oasis:names:tc:opendocument:xmlns:manifest:1.0': 'manifest',
  'urn:oasis:names:tc:opendocument:xmlns:office:1.0': 'office',
  'urn:oasis:names:tc:opendocument:xmlns:text:1.0': 'text',
  'urn:oasis:names:tc:opendocument:xmlns:table:1.0': 'table',
  'urn:oasis:names:tc:opendocument:xmlns:drawing:1.0': 'draw',
  'urn:oasis:names:tc:opendocument:xmlns:style:1.0': 'style',
  'urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0': 'svg',
  'urn:oasis:names:tc:opendocument:xmlns:presentation:1.0': 'presentation',
  'urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0': 'fo',
  'http://www.w3.org/1999/xlink': 'xlink',
  'http://www.w3.org/1998/Math/MathML': 'math',
};

function ofOffice(transitional: string, strict: string, prefix: string): Record<string, string> {
  return {
    [`http://schemas.openxmlformats.org/${transitional}`]: prefix,
    [`http://purl.oclc.org/ooxml/${strict}`]: prefix,
  };
}

/**
 * XML to a tree. Entities that a file declares itself are not expanded, and nothing that it refers to is fetched.
 * @throws file.invalid where elements are not closed, file.too_deep, file.too_large, file.too_slow
 */
export function readXml(bytes: Uint8Array, meter: Meter): XmlElement {
  const { text: xml } = decodeText(bytes);
  const root = { name: '', attributes: {}, children: [] as XmlNode[] };
  const open = [{ element: root, scope: newScope(new Map([['xml', 'xml']])) }];
  let elements = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        elements += 1;
        if (elements % BETWEEN_LOOKS === 0) {
          meter.take('elements', BETWEEN_LOOKS);
          meter.checkTime();
        }
        if (open.length > DEEPEST)
          throw new CodedError('file.too_deep', 'permanent', 'the file nests its elements too deep');
        const { element, scope: outer } = open.at(-1)!;
        const scope = scopeOf(attributes, outer);
        const child = { name: scope.nameOf(name, true), attributes: {} as Record<string, string>, children: [] };
        for (const [key, value] of Object.entries(attributes))
          if (!key.startsWith('xmlns')) child.attributes[scope.nameOf(key, false)] = value;
        element.children.push(child);
        open.push({ element: child, scope });
      },
      ontext(text) {
        const { children } = open.at(-1)!.element;
        if (typeof children.at(-1) === 'string') children[children.length - 1] += text;
        else children.push(text);
      },
      onclosetag(_, isImplied) {
        // The library calls it implied as well where an element closes itself.
        const closesItself = xml[parser.endIndex] === '>' && xml[parser.endIndex - 1] === '/';
        if (isImplied && !closesItself) throw broken('the file has XML that ends too early: it is damaged');
        open.pop();
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(xml);
  meter.take('elements', elements % BETWEEN_LOOKS);
  const top = root.children.find((one) => typeof one !== 'string');
  if (!top) throw broken('the file has XML without an element: it is damaged');
  return top;
}

interface Scope {
  readonly prefixes: ReadonlyMap<string, string>;
  nameOf(name: string, isElement: boolean): string;
}

function newScope(prefixes: ReadonlyMap<string, string>): Scope {
  const known = { true: new Map<string, string>(), false: new Map<string, string>() };
  return {
    prefixes,
    nameOf(name, isElement) {
      const names = known[`${isElement}`];
      let full = names.get(name);
      if (full === undefined) {
        const colon = name.indexOf(':');
        // An attribute without a prefix belongs to its element, not to the namespace that elements without one have.
        const prefix = colon < 0 ? (isElement ? prefixes.get('') : '') : (prefixes.get(name.slice(0, colon)) ?? '?');
        full = prefix ? `${prefix}:${name.slice(colon + 1)}` : name;
        names.set(name, full);
      }
      return full;
    },
  };
}

function scopeOf(attributes: Readonly<Record<string, string>>, outer: Scope): Scope {
  let prefixes: Map<string, string> | null = null;
  for (const [key, value] of Object.entries(attributes)) {
    if (key !== 'xmlns' && !key.startsWith('xmlns:')) continue;
    prefixes ??= new Map(outer.prefixes);
    prefixes.set(key.slice('xmlns:'.length), Object.hasOwn(PREFIXES, value) ? PREFIXES[value]! : '?');
  }
  return prefixes ? newScope(prefixes) : outer;
}

export const elementsIn = (element: XmlElement): XmlElement[] =>
  element.children.filter((one): one is XmlElement => typeof one !== 'string');

export const childNamed = (element: XmlElement | undefined, name: string): XmlElement | undefined =>
  element?.children.find((one): one is XmlElement => typeof one !== 'string' && one.name === name);

/** All elements below this one that have one of these names, in their order; not those within others of them. */
export function* elementsBelow(element: XmlElement, ...names: readonly string[]): Generator<XmlElement> {
  for (const child of element.children) {
    if (typeof child === 'string') continue;
    if (names.includes(child.name)) yield child;
    else yield* elementsBelow(child, ...names);
  }
}

/** All text within, in order. */
export const textIn = (element: XmlElement): string =>
  element.children.map((one) => (typeof one === 'string' ? one : textIn(one))).join('');
