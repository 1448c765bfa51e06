import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';

/** A page of a made PDF: a picture that fills it (JPEG), a line of text in front of it, or both. */
export interface ScannedPage {
  readonly jpeg?: Uint8Array;
  readonly text?: string;
}

/** The bytes of one of the example documents. */
export const exampleDocument = (name: string): Buffer =>
  readFileSync(join(import.meta.dirname, '../../examples/documents', name));

/** A PDF of pages of this size in points (A4), in parts that the standard (ISO 32000-1) names. The same picture on several pages is kept once. */
export async function makeScannedPdf(
  pages: readonly ScannedPage[],
  [wide, high]: readonly [number, number] = [595, 842],
): Promise<Uint8Array> {
  const pictures = [...new Set(pages.flatMap(({ jpeg }) => jpeg ?? []))];
  const objects: (string | Buffer)[] = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ];
  const add = (object: string | Buffer) => `${objects.push(object)} 0 R`;
  const images = new Map<Uint8Array, string>();
  for (const jpeg of pictures) {
    const { width, height, channels } = await sharp(jpeg).metadata();
    const fields = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /${channels === 1 ? 'DeviceGray' : 'DeviceRGB'} /BitsPerComponent 8 /Filter /DCTDecode`;
    images.set(jpeg, add(stream(fields, Buffer.from(jpeg))));
  }
  const kids = pages.map(({ jpeg, text }) => {
    const drawn = [
      jpeg ? `q ${wide} 0 0 ${high} 0 0 cm /picture Do Q` : '',
      text ? `BT /font 12 Tf 50 800 Td (${text}) Tj ET` : '',
    ].join('\n');
    const resources = `/Font << /font 3 0 R >> ${jpeg ? `/XObject << /picture ${images.get(jpeg)} >>` : ''}`;
    const content = add(stream('', Buffer.from(drawn)));
    return add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${wide} ${high}] /Contents ${content} /Resources << ${resources} >> >>`,
    );
  });
  objects[1] = `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${pages.length} >>`;
  return assemble(objects);
}

function stream(fields: string, content: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`<< ${fields} /Length ${content.length} >>\nstream\n`),
    content,
    Buffer.from('\nendstream'),
  ]);
}

function assemble(objects: readonly (string | Buffer)[]): Uint8Array {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const offsets: number[] = [];
  let length = parts[0]!.length;
  for (const [at, object] of objects.entries()) {
    offsets.push(length);
    const part = Buffer.concat([Buffer.from(`${at + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')]);
    parts.push(part);
    length += part.length;
  }
  const lines = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`;
  parts.push(Buffer.from(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${lines}${trailer}`));
  return Buffer.concat(parts);
}
