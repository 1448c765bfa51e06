import { dirname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PDFPageProxy } from 'pdfjs-dist';
import { getDocument, PasswordException, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { CodedError } from '../../errors/coded-error.ts';
import { broken, locked, type Meter } from '../budgets.ts';
import { growMarkdown } from '../grow-markdown.ts';
import { type Glyphs, layOut } from '../lay-out.ts';
import { type PageRecord, recordPage } from '../page-record.ts';
import type { Reading } from './reader.ts';

const PDF_INVALID = 'pdf.invalid';
const library = `${dirname(fileURLToPath(import.meta.resolve('pdfjs-dist/package.json')))}${sep}`;

/** The text layer of a PDF, page by page. A page without one is not an error: its record says `needs_ocr`. */
export async function readPdf(bytes: Uint8Array, meter: Meter): Promise<Reading> {
  // The library takes the memory of what it is given.
  const task = getDocument({
    data: Uint8Array.from(bytes),
    // Without the maps, text in fonts with Chinese, Japanese or Korean encodings is lost without an error.
    cMapUrl: `${library}cmaps/`,
    cMapPacked: true,
    standardFontDataUrl: `${library}standard_fonts/`,
    wasmUrl: `${library}wasm/`,
    verbosity: VerbosityLevel.ERRORS,
  });
  try {
    const document = await task.promise;
    if (!document.numPages) throw broken('the PDF has no pages', undefined, PDF_INVALID);
    meter.take('pages', document.numPages);
    const pages: PageRecord[] = [];
    const whole = growMarkdown();
    for (let number = 1; number <= document.numPages; number += 1) {
      meter.checkTime();
      const page = await document.getPage(number);
      const text = await textOf(page);
      page.cleanup();
      pages.push(text ? recordPage(number, text, whole.add(text)) : withoutText(number));
    }
    return { markdown: whole.text(), pages, warnings: [] };
  } catch (error) {
    if (error instanceof PasswordException) throw locked('the PDF');
    if (error instanceof CodedError) throw error;
    throw broken('the PDF cannot be read: the file is damaged', error, PDF_INVALID);
  } finally {
    await task.destroy();
  }
}

function withoutText(page: number): PageRecord {
  return { page, start: null, method: 'none', characters: 0, score: null, warnings: ['needs_ocr'] };
}

/**
 * The text of a page in its own reading direction, whichever way the page lies: each direction is laid out by itself,
 * that with the most text first, so that a stamp or a side note does not fall into the lines.
 */
async function textOf(page: PDFPageProxy): Promise<string> {
  const { items, styles } = await page.getTextContent();
  const directions = new Map<number, Glyphs[]>();
  for (const item of items) {
    if (!('str' in item) || !item.str.trim()) continue;
    const [a, b, c, d, x, y] = item.transform as [number, number, number, number, number, number];
    const angle = Math.round((Math.atan2(b, a) / Math.PI) * 36);
    const size = Math.hypot(c, d) || item.height || 1;
    // Vertical writing: its columns are lines, from right to left.
    const glyphs = styles[item.fontName]?.vertical
      ? { text: item.str, x: -y, y: -x, width: item.height, size }
      : { text: item.str, ...along((angle / 36) * Math.PI, x, y), width: item.width, size };
    const same = directions.get(angle);
    if (same) same.push(glyphs);
    else directions.set(angle, [glyphs]);
  }
  const characters = (glyphs: readonly Glyphs[]) => glyphs.reduce((sum, one) => sum + one.text.length, 0);
  const byAmount = [...directions.values()].sort((one, other) => characters(other) - characters(one));
  return byAmount.map(layOut).join('\n\n');
}

/** A place on the page (upwards) as its way along lines of this angle, and down across them. */
function along(angle: number, x: number, y: number): { readonly x: number; readonly y: number } {
  return {
    x: x * Math.cos(angle) + y * Math.sin(angle),
    y: x * Math.sin(angle) - y * Math.cos(angle),
  };
}
