import { posix } from 'node:path';
import { broken, type Meter } from './budgets.ts';
import { elementsIn, readXml, type XmlElement } from './read-xml.ts';
import { readZip } from './zip.ts';

/** What a part refers to. */
export interface Relation {
  /** The last word of the relation's type, which both forms of Office Open XML share: `header`, `slide`, … */
  readonly kind: string;
  /** The name of a part, or an address outside of the file. */
  readonly target: string;
  readonly isOutside: boolean;
}

/** A file of Office Open XML (ECMA-376 part 2): parts that refer to one another. */
export interface OfficePackage {
  /** The parts in XML, by the names that the archive has for them. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** The part with the document itself. */
  readonly main: string;
  /** @throws file.invalid where there is no such part or its XML is broken */
  read(part: string): XmlElement;
  has(part: string): boolean;
  relationsOf(part: string): ReadonlyMap<string, Relation>;
}

/** @throws file.invalid, file.too_large, file.password_required */
export function openOfficePackage(bytes: Uint8Array, meter: Meter): OfficePackage {
  const files = readZip(bytes, meter, (one) => /\.(xml|rels)$/i.test(one));
  const contents = new Map([...files].map(([name, content]) => [plainName(name), content]));
  const read = (part: string) => {
    const content = contents.get(plainName(part));
    if (!content) throw broken(`the file has no part ${part}: it is damaged`);
    return readXml(content, meter);
  };
  const relationsOf = (part: string): ReadonlyMap<string, Relation> => {
    const name = posix.join(posix.dirname(part), '_rels', `${posix.basename(part)}.rels`);
    if (!contents.has(plainName(name))) return new Map();
    return new Map(
      elementsIn(read(name)).map(({ attributes: { Id = '', Type = '', Target = '', TargetMode } }) => {
        const isOutside = TargetMode === 'External';
        const target = isOutside ? Target : posix.resolve('/', posix.dirname(part), Target).slice(1);
        return [Id, { kind: Type.split('/').at(-1)!, target, isOutside }];
      }),
    );
  };
  const main = [...relationsOf('').values()].find(({ kind }) => kind === 'officeDocument')?.target;
  if (main === undefined) throw broken('the file does not say which of its parts is the document');
  return { files, main, read, has: (part) => contents.has(plainName(part)), relationsOf };
}

/** Names of parts do not depend on case (ECMA-376 part 2, 6.2.2.3). */
const plainName = (name: string): string => name.toLowerCase().replace(/^\/+/, '');
