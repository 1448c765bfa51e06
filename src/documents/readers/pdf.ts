import { dirname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist';
import { getDocument, PasswordException, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { CodedError } from '../../errors/coded-error.ts';
import { broken, locked, type Meter } from '../budgets.ts';
import { growMarkdown } from '../grow-markdown.ts';
import {
  countCharacters,
  notRecognised,
  type PageRecord,
  type PageText,
  recordRead,
  textLayer,
} from '../page-record.ts';
import type { PageWork, Recognise } from '../page-work.ts';
import { drawPage } from '../pdf/draw-page.ts';
import { isCoveredByPictures, lacksPictures } from '../pdf/find-pictures.ts';
import { textOfPage } from '../pdf/text-of-page.ts';
import type { Reading } from './reader.ts';

const PDF_INVALID = 'pdf.invalid';
const library = `${dirname(fileURLToPath(import.meta.resolve('pdfjs-dist/package.json')))}${sep}`;

/** A PDF, page by page: its text layer, or what is recognised on the picture of a page that has none to be trusted. */
export async function readPdf(bytes: Uint8Array, meter: Meter, work: PageWork): Promise<Reading> {
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
      const read = await work.next((recognise) => readPage(document, number, recognise));
      pages.push(recordRead(number, read, whole.add(read.text)));
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

async function readPage(document: PDFDocumentProxy, number: number, recognise: Recognise): Promise<PageText> {
  const page = await document.getPage(number);
  try {
    const layer = textLayer(await textOfPage(page));
    if (!(await asksForOcr(layer, page))) return layer;
    const recognised = await recognise(() => drawPage(document, page));
    // A picture that cannot be decoded leaves the page white, and white paper is no failure.
    if (recognised.warnings.includes('blank_page') && (await lacksPictures(page))) return notRecognised('ocr_failed');
    return betterOf(layer, recognised);
  } finally {
    page.cleanup();
  }
}

/** Less than a few lines: the stamp of a scanner, a page number, a letterhead. */
const FEW_CHARACTERS = 150;

/** Whether what can be seen on a page is likely to be more than its text layer says. */
async function asksForOcr(layer: PageText, page: PDFPageProxy): Promise<boolean> {
  const characters = countCharacters(layer.text);
  if (!characters || layer.warnings.includes('unreadable_characters')) return true;
  return characters < FEW_CHARACTERS && (await isCoveredByPictures(page));
}

/** A text layer that can be read, and is no less, is surer than what is recognised. */
function betterOf(layer: PageText, recognised: PageText): PageText {
  if (!layer.text) return recognised;
  const readable = countCharacters(layer.text) * (layer.score ?? 0);
  return countCharacters(recognised.text) * (recognised.score ?? 0) > readable ? recognised : layer;
}
