import type { Meter } from '../budgets.ts';
import { growMarkdown } from '../grow-markdown.ts';
import { openPicture } from '../ocr/decode-picture.ts';
import { type PageRecord, recordRead } from '../page-record.ts';
import { type PageWork, WITHOUT_OCR } from '../page-work.ts';
import type { Reading } from './reader.ts';

/** A picture, or a TIFF with several, each of which is a page: what is recognised on it. */
export async function readImage(bytes: Uint8Array, meter: Meter, work: PageWork): Promise<Reading> {
  const file = await openPicture(bytes);
  const count = file?.pages ?? 1;
  meter.take('pages', count);
  const pages: PageRecord[] = [];
  const whole = growMarkdown();
  for (let at = 0; at < count; at += 1) {
    meter.checkTime();
    // Without the library that opens pictures nothing can be drawn, whatever recognises.
    const read = await (file ? work : WITHOUT_OCR).next((recognise) => recognise(() => file!.page(at)));
    pages.push(recordRead(at + 1, read, whole.add(read.text)));
  }
  return { markdown: whole.text(), pages, warnings: [] };
}
