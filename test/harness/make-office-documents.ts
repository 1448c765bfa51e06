import { CFB, utils, write } from '@e965/xlsx';
import { makeZip } from './make-documents.ts';

const XML = '<?xml version="1.0" encoding="UTF-8"?>';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const DRAWN = [
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"',
  'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"',
  `xmlns:r="${OFFICE}"`,
  'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"',
  'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram"',
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"',
  'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"',
].join(' ');

/** The relations of a part: the kind and the target of each by its id; addresses are outside of the file. */
export function relations(targets: Readonly<Record<string, readonly [kind: string, target: string]>>): string {
  const all = Object.entries(targets).map(([id, [kind, target]]) => {
    const mode = /^\w+:/.test(target) ? ' TargetMode="External"' : '';
    return `<Relationship Id="${id}" Type="${OFFICE}/${kind}" Target="${target}"${mode}/>`;
  });
  return `${XML}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all.join('')}</Relationships>`;
}

export interface MadeSlide {
  /** What is in its tree of shapes. */
  readonly shapes: string;
  readonly hidden?: boolean;
  /** Shapes of the page with the speaker's notes. */
  readonly notes?: string;
  readonly relations?: Readonly<Record<string, readonly [string, string]>>;
}

/** A presentation of these slides, and parts beside them by name. */
export function makePptx(slides: readonly MadeSlide[], parts: Readonly<Record<string, string>> = {}): Uint8Array {
  const tree = (shapes: string) => `<p:cSld><p:spTree>${shapes}</p:spTree></p:cSld>`;
  const files = slides.flatMap(({ shapes, hidden, notes, relations: own }, at): [string, string][] => [
    [`ppt/slides/slide${at}.xml`, `${XML}<p:sld ${DRAWN}${hidden ? ' show="0"' : ''}>${tree(shapes)}</p:sld>`],
    [
      `ppt/slides/_rels/slide${at}.xml.rels`,
      relations({ ...own, ...(notes && { notes: ['notesSlide', `../notesSlides/notes${at}.xml`] as const }) }),
    ],
    ...(notes
      ? [[`ppt/notesSlides/notes${at}.xml`, `${XML}<p:notes ${DRAWN}>${tree(notes)}</p:notes>`] as [string, string]]
      : []),
  ]);
  const ids = slides.map((_, at) => `<p:sldId r:id="s${at}"/>`).join('');
  return makeZip({
    '_rels/.rels': relations({ main: ['officeDocument', 'ppt/presentation.xml'] }),
    'ppt/presentation.xml': `${XML}<p:presentation ${DRAWN}><p:sldIdLst>${ids}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations(
      Object.fromEntries(slides.map((_, at) => [`s${at}`, ['slide', `slides/slide${at}.xml`]])),
    ),
    ...Object.fromEntries(files),
    ...parts,
  });
}

/** A shape with paragraphs, in a place of the layout where one is named. */
export function shape(paragraphs: string, place?: string): string {
  const named = place === undefined ? '' : `<p:ph type="${place}"/>`;
  return `<p:sp><p:nvSpPr><p:nvPr>${named}</p:nvPr></p:nvSpPr><p:txBody>${paragraphs}</p:txBody></p:sp>`;
}

const ODF = ['office', 'text', 'table', 'style', 'presentation']
  .map((one) => `xmlns:${one}="urn:oasis:names:tc:opendocument:xmlns:${one}:1.0"`)
  .concat(
    'xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"',
    'xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"',
    'xmlns:xlink="http://www.w3.org/1999/xlink"',
    'xmlns:math="http://www.w3.org/1998/Math/MathML"',
  )
  .join(' ');

interface OdfParts {
  /** Automatic styles of the content. */
  readonly automatic?: string;
  /** What is in `styles.xml`. */
  readonly common?: string;
  readonly files?: Readonly<Record<string, string>>;
}

/** An OpenDocument file of this kind with this content of its body. */
export function makeOdf(kind: 'text' | 'spreadsheet' | 'presentation', body: string, parts: OdfParts = {}): Uint8Array {
  const { automatic = '', common = '', files = {} } = parts;
  return makeZip({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'META-INF/manifest.xml': `${XML}<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>`,
    'content.xml': `${XML}<office:document-content ${ODF}><office:automatic-styles>${automatic}</office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    'styles.xml': `${XML}<office:document-styles ${ODF}>${common}</office:document-styles>`,
    ...files,
  });
}

export interface MadeSheet {
  readonly name: string;
  /** Elements `row`. */
  readonly rows: string;
  readonly state?: 'hidden' | 'veryHidden';
  /** What stands before and behind the cells. */
  readonly before?: string;
  readonly behind?: string;
  readonly relations?: Readonly<Record<string, readonly [string, string]>>;
}

/** A workbook of these sheets, in the strict form where that is wanted; formats of cells are numbered from 1. */
export function makeWorkbook(
  sheets: readonly MadeSheet[],
  {
    formats = [],
    parts = {},
    strict = false,
  }: { formats?: readonly string[]; parts?: Readonly<Record<string, string>>; strict?: boolean } = {},
): Uint8Array {
  const main = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${OFFICE}"`;
  const escaped = formats.map(
    (code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${code.replaceAll('"', '&quot;')}"/>`,
  );
  const styles = formats.map((_, at) => `<xf numFmtId="${164 + at}" applyNumberFormat="1"/>`);
  const types = sheets.map(
    (_, at) =>
      `<Override PartName="/xl/worksheets/sheet${at}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`,
  );
  const files = {
    '[Content_Types].xml': `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/>${types.join('')}</Types>`,
    '_rels/.rels': relations({ main: ['officeDocument', 'xl/workbook.xml'] }),
    'xl/workbook.xml': `${XML}<workbook ${main}><sheets>${sheets.map(({ name, state }, at) => `<sheet name="${name}" sheetId="${at + 1}"${state ? ` state="${state}"` : ''} r:id="s${at}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations({
      styles: ['styles', 'styles.xml'],
      ...Object.fromEntries(sheets.map((_, at) => [`s${at}`, ['worksheet', `worksheets/sheet${at}.xml`] as const])),
    }),
    'xl/styles.xml': `${XML}<styleSheet ${main}><numFmts count="${formats.length}">${escaped.join('')}</numFmts><cellXfs><xf numFmtId="0"/>${styles.join('')}</cellXfs></styleSheet>`,
    ...Object.fromEntries<string>(
      sheets.flatMap(({ rows, before = '', behind = '', relations: own }, at): [string, string][] => [
        [
          `xl/worksheets/sheet${at}.xml`,
          `${XML}<worksheet ${main}>${before}<sheetData>${rows}</sheetData>${behind}</worksheet>`,
        ],
        ...(own ? [[`xl/worksheets/_rels/sheet${at}.xml.rels`, relations(own)] satisfies [string, string]] : []),
      ]),
    ),
    ...parts,
  };
  const inForm = (content: string) =>
    strict
      ? content
          .replaceAll(
            'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
            'http://purl.oclc.org/ooxml/spreadsheetml/main',
          )
          .replaceAll(OFFICE, 'http://purl.oclc.org/ooxml/officeDocument/relationships')
      : content;
  return makeZip(Object.fromEntries(Object.entries(files).map(([name, content]) => [name, inForm(content)])));
}

/** An old workbook: each sheet by its name with its rows. */
export function makeXls(sheets: Readonly<Record<string, readonly (readonly unknown[])[]>>): Uint8Array {
  const book = utils.book_new();
  for (const [name, rows] of Object.entries(sheets))
    utils.book_append_sheet(book, utils.aoa_to_sheet(rows as unknown[][]), name);
  return write(book, { type: 'buffer', bookType: 'biff8' });
}

/** An old workbook that begins with these records. */
export function makeXlsOf(records: readonly (readonly [type: number, content: Uint8Array])[]): Uint8Array {
  const stream = records.map(([type, content]) => {
    const head = Buffer.alloc(4);
    head.writeUInt16LE(type, 0);
    head.writeUInt16LE(content.length, 2);
    return Buffer.concat([head, content]);
  });
  const container = CFB.utils.cfb_new();
  CFB.utils.cfb_add(container, '/Workbook', Buffer.concat(stream));
  return CFB.write(container, { type: 'buffer' }) as Buffer;
}
