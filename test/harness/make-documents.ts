import { writeZip } from '../../src/documents/zip.ts';

/** A piece of text on a page of a made PDF; the origin is the lower left corner. */
export interface Drawn {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  /** `chinese`: a font that is not embedded and has a GBK encoding, readable with cMaps only; `vertical`: the same, written downwards. */
  readonly font?: 'latin' | 'chinese' | 'vertical';
  /** Written from the lower edge to the upper one. */
  readonly upwards?: boolean;
}

interface PdfOptions {
  readonly rotate?: number;
  readonly locked?: boolean;
}

/** A PDF of these pages, in parts that the standard (ISO 32000-1) names; a page of null is a picture of a scan. */
export function makePdf(pages: readonly (readonly Drawn[] | null)[], options: PdfOptions = {}): Uint8Array {
  const objects = new Map<number, string>();
  const pageNumber = (at: number) => 20 + at * 2;
  objects.set(1, '<< /Type /Catalog /Pages 2 0 R >>');
  const kids = pages.map((_, at) => `${pageNumber(at)} 0 R`).join(' ');
  objects.set(2, `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`);
  objects.set(3, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>');
  for (const [number, map] of [
    [4, 'GBK-EUC-H'],
    [5, 'GBK-EUC-V'],
  ] as const) {
    objects.set(
      number,
      `<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /${map} /DescendantFonts [6 0 R] >>`,
    );
  }
  objects.set(
    6,
    '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /DW 1000 /FontDescriptor 7 0 R /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> >>',
  );
  objects.set(
    7,
    '<< /Type /FontDescriptor /FontName /STSong-Light /Flags 6 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 700 /StemV 80 >>',
  );
  objects.set(
    8,
    stream('/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8', 'x'),
  );
  for (const [at, page] of pages.entries()) {
    const rotate = options.rotate ? `/Rotate ${options.rotate}` : '';
    objects.set(
      pageNumber(at),
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] ${rotate} /Contents ${pageNumber(at) + 1} 0 R /Resources << /Font << /latin 3 0 R /chinese 4 0 R /vertical 5 0 R >> /XObject << /scan 8 0 R >> >> >>`,
    );
    const drawn = page?.map(
      (one) =>
        `BT /${one.font ?? 'latin'} 12 Tf ${one.upwards ? '0 1 -1 0' : '1 0 0 1'} ${one.x} ${one.y} Tm ${shown(one)} Tj ET`,
    );
    objects.set(pageNumber(at) + 1, stream('', drawn?.join('\n') ?? 'q 595 0 0 842 0 0 cm /scan Do Q'));
  }
  return assemble(objects, options.locked ?? false);
}

const stream = (fields: string, content: string) =>
  `<< ${fields} /Length ${content.length} >>\nstream\n${content}\nendstream`;

/** The characters of the examples in GBK; there is no encoder for it at hand. */
const GBK: Readonly<Record<string, string>> = {
  可: 'BFC9',
  信: 'D0C5',
  数: 'CAFD',
  据: 'BEDD',
  空: 'BFD5',
  间: 'BCE4',
};

function shown({ text, font = 'latin' }: Drawn): string {
  if (font !== 'latin') return `<${[...text].map((one) => GBK[one]!).join('')}>`;
  return `(${text.replace(/[\\()]/g, '\\$&')})`;
}

function assemble(objects: ReadonlyMap<number, string>, locked: boolean): Uint8Array {
  let out = '%PDF-1.7\n';
  const offsets = new Map<number, number>();
  for (const [number, content] of objects) {
    offsets.set(number, out.length);
    out += `${number} 0 obj\n${content}\nendobj\n`;
  }
  const size = Math.max(...objects.keys()) + 1;
  const start = out.length;
  const lines = Array.from({ length: size }, (_, number) => {
    const offset = offsets.get(number);
    return offset === undefined ? '0000000000 65535 f \n' : `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const password = `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${'41'.repeat(32)}> /U <${'42'.repeat(32)}> /P -4 >> /ID [<00> <00>]`;
  out += `xref\n0 ${size}\n${lines.join('')}trailer\n<< /Size ${size} /Root 1 0 R ${locked ? password : ''} >>\n`;
  return Buffer.from(`${out}startxref\n${start}\n%%EOF\n`, 'latin1');
}

/** An archive of these files. */
export const makeZip = (files: Readonly<Record<string, string>>) =>
  writeZip(Object.entries(files).map(([name, content]) => [name, Buffer.from(content)] as const));

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const DRAWN =
  'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" xmlns:v="urn:schemas-microsoft-com:vml" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"';
const R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';

/**
 * A Word document with this content of its body, and parts beside it by name. The body refers to a part by its name
 * without folder and ending (`word/header1.xml` is `r:id="header1"`), to addresses by the names given in `links`.
 */
export function makeDocx(
  body: string,
  parts: Readonly<Record<string, string>> = {},
  links: Readonly<Record<string, string>> = {},
): Uint8Array {
  const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const relations = Object.keys(parts).flatMap((name) => {
    const [, base, kind] = /^word\/(([a-z]+)\d*)\.xml$/.exec(name) ?? [];
    return kind === undefined ? [] : `<Relationship Id="${base}" Type="${type}/${kind}" Target="${base}.xml"/>`;
  });
  for (const [id, target] of Object.entries(links))
    relations.push(`<Relationship Id="${id}" Type="${type}/hyperlink" Target="${target}" TargetMode="External"/>`);
  return makeZip({
    '[Content_Types].xml': `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    '_rels/.rels': `${XML}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${type}/officeDocument" Target="word/document.xml"/></Relationships>`,
    'word/_rels/document.xml.rels': `${XML}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relations.join('')}</Relationships>`,
    'word/document.xml': `${XML}<w:document ${W} ${R} ${DRAWN}><w:body>${body}</w:body></w:document>`,
    ...parts,
  });
}

/** A paragraph of a Word document. */
export const paragraph = (text: string) => `<w:p><w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;

/** A part beside the body of a Word document: a header, a footer, notes, styles, … */
export const wordPart = (kind: string, content: string) => `${XML}<w:${kind} ${W}>${content}</w:${kind}>`;

/** A workbook with one sheet that has these cells, by address. */
export function makeXlsx(cells: Readonly<Record<string, string | number>>): Uint8Array {
  const rows = Map.groupBy(Object.entries(cells), ([address]) => Number(/\d+$/.exec(address)![0]));
  const xml = [...rows].map(([row, inRow]) => `<row r="${row}">${inRow.map(cellXml).join('')}</row>`).join('');
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  return makeZip({
    '[Content_Types].xml': `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>`,
    '_rels/.rels': `${XML}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/_rels/workbook.xml.rels': `${XML}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>`,
    'xl/workbook.xml': `${XML}<workbook ${main} ${R}><sheets><sheet name="发票" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    // Style 1 is a date, style 2 a percentage.
    'xl/styles.xml': `${XML}<styleSheet ${main}><cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/><xf numFmtId="9" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `${XML}<worksheet ${main}><sheetData>${xml}</sheetData></worksheet>`,
  });
}

function cellXml([address, value]: [string, string | number]): string {
  if (typeof value === 'number') return `<c r="${address}"><v>${value}</v></c>`;
  const styled = /^(date|percent):(.+)$/.exec(value);
  if (styled) return `<c r="${address}" s="${styled[1] === 'date' ? 1 : 2}"><v>${styled[2]}</v></c>`;
  return `<c r="${address}" t="inlineStr"><is><t>${value}</t></is></c>`;
}
