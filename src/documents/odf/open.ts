import { broken, locked, type Meter } from '../budgets.ts';
import { childNamed, elementsBelow, readXml, type XmlElement } from '../read-xml.ts';
import { readZip } from '../zip.ts';
import { readStyles, type Styles } from './styles.ts';

/** An OpenDocument file (OASIS ODF 1.3). */
export interface OpenDocument {
  /** `office:text`, `office:spreadsheet` or `office:presentation`. */
  readonly body: XmlElement;
  readonly styles: Styles;
  /** The root of an object within the file, such as a formula; null where there is none. */
  object(href: string): XmlElement | null;
}

/** @throws file.password_required, file.invalid, file.too_large, file.too_deep */
export function openDocument(bytes: Uint8Array, meter: Meter, kind: string): OpenDocument {
  const files = readZip(bytes, meter, (name) => name.endsWith('.xml'));
  const rootOf = (name: string) => {
    const content = files.get(name);
    return content ? readXml(content, meter) : null;
  };
  const manifest = rootOf('META-INF/manifest.xml');
  if (manifest && [...elementsBelow(manifest, 'manifest:encryption-data')].length) throw locked('the file');
  const content = rootOf('content.xml');
  const body = childNamed(childNamed(content ?? undefined, 'office:body'), `office:${kind}`);
  if (!content || !body) throw broken('the file has no content: it is damaged');
  return {
    body,
    styles: readStyles(content, rootOf('styles.xml')),
    object: (href) => rootOf(`${href.replace(/^\.\//, '')}/content.xml`),
  };
}
