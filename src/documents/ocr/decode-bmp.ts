import { broken, tooLarge } from '../budgets.ts';
import type { Picture } from './picture.ts';

/** Of the header (BITMAPINFOHEADER, Windows GDI). */
const UNCOMPRESSED = 0;
const BIT_FIELDS = 3;

/**
 * An uncompressed Windows bitmap with 1, 4, 8, 24 or 32 bits a pixel.
 * @throws file.invalid, file.too_large
 */
export function decodeBmp(bytes: Uint8Array, mostPixels: number): Picture {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (view.length < 54) throw cutOff();
  const [start, header, width, signed] = [10, 14, 18, 22].map((at) => view.readInt32LE(at)) as [
    number,
    number,
    number,
    number,
  ];
  const bits = view.readUInt16LE(28);
  const compression = view.readUInt32LE(30);
  const height = Math.abs(signed);
  const isKnown =
    [1, 4, 8, 24, 32].includes(bits) && (compression === UNCOMPRESSED || (compression === BIT_FIELDS && bits === 32));
  if (!isKnown || header < 40 || width < 1 || height < 1)
    throw broken('the bitmap is packed in a way that is not read');
  if (width * height > mostPixels)
    throw tooLarge(`a picture of more than ${mostPixels / 1e6} million pixels`, { budget: 'pixels' });
  const rowLength = Math.ceil((width * bits) / 32) * 4;
  const palette = 14 + header;
  if (
    start < 0 ||
    start + rowLength * height > view.length ||
    (bits <= 8 && palette + (4 << bits) > view.length + 1024)
  )
    throw cutOff();
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y += 1) {
    // A positive height means that the lowest row comes first.
    const row = start + (signed > 0 ? height - 1 - y : y) * rowLength;
    for (let x = 0; x < width; x += 1) {
      const from = bits <= 8 ? palette + 4 * indexAt(view, row, x, bits) : row + (x * bits) / 8;
      const to = (y * width + x) * 4;
      data[to] = view[from + 2] ?? 0;
      data[to + 1] = view[from + 1] ?? 0;
      data[to + 2] = view[from] ?? 0;
      data[to + 3] = 255;
    }
  }
  return { width, height, data };
}

const cutOff = () => broken('the bitmap is cut off');

function indexAt(view: Buffer, row: number, x: number, bits: number): number {
  const byte = view[row + Math.floor((x * bits) / 8)]!;
  return (byte >> (8 - bits - ((x * bits) % 8))) & ((1 << bits) - 1);
}
