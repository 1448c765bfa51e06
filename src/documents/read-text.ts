import { CodedError } from '../errors/coded-error.ts';
import { type Budgets, DEFAULT_BUDGETS, type Meter, startMeter, tooLarge } from './budgets.ts';
import { type PageWork, WITHOUT_OCR } from './page-work.ts';
import { readCsv } from './readers/csv.ts';
import { readDocx } from './readers/docx.ts';
import { readEml } from './readers/eml.ts';
import { readHtml } from './readers/html.ts';
import { readImage } from './readers/image.ts';
import { readMarkdown } from './readers/markdown.ts';
import { readOdp } from './readers/odp.ts';
import { readOds } from './readers/ods.ts';
import { readOdt } from './readers/odt.ts';
import { readPdf } from './readers/pdf.ts';
import { readPlainText } from './readers/plain-text.ts';
import { readPptx } from './readers/pptx.ts';
import type { Reader, Reading } from './readers/reader.ts';
import { readRtf } from './readers/rtf.ts';
import { readXls, readXlsx } from './readers/spreadsheet.ts';
import { type DocumentType, sniffType } from './sniff-type.ts';

export interface DocumentText extends Reading {
  readonly type: DocumentType;
}

const READERS: Readonly<Record<Exclude<DocumentType, 'eml'>, Reader>> = {
  pdf: readPdf,
  docx: readDocx,
  pptx: readPptx,
  xlsx: readXlsx,
  xls: readXls,
  odt: readOdt,
  ods: readOds,
  odp: readOdp,
  rtf: readRtf,
  csv: readCsv,
  html: readHtml,
  markdown: readMarkdown,
  text: readPlainText,
  png: readImage,
  jpeg: readImage,
  tiff: readImage,
  webp: readImage,
  gif: readImage,
  bmp: readImage,
};

/**
 * A file to Markdown with a record for each page. The content decides what the file is; a name that says something
 * else is a warning. Without `work` that recognises, a page that is a picture has no text and says `needs_ocr`.
 * @throws file.empty, file.unsupported, file.password_required, file.invalid, pdf.invalid, file.too_large,
 * file.too_slow, file.too_deep, all permanent
 */
export async function readText(
  bytes: Uint8Array,
  name: string,
  budgets: Budgets = DEFAULT_BUDGETS,
  now: () => number = Date.now,
  work: PageWork = WITHOUT_OCR,
): Promise<DocumentText> {
  if (bytes.length > budgets.bytes) throw tooLarge(`more than ${budgets.bytes} bytes`, { budget: 'bytes' });
  return readAt(bytes, name, { meter: startMeter(budgets, now), work }, 0);
}

interface Means {
  readonly meter: Meter;
  readonly work: PageWork;
}

async function readAt(bytes: Uint8Array, name: string, means: Means, depth: number): Promise<DocumentText> {
  const { meter, work } = means;
  if (depth > meter.budgets.depth)
    throw new CodedError('file.too_deep', 'permanent', `files inside files deeper than ${meter.budgets.depth}`);
  const { type, named } = await sniffType(bytes, name);
  const reading =
    type === 'eml'
      ? await readEml(bytes, meter, (inner, innerName) => readAt(inner, innerName, means, depth + 1))
      : await READERS[type](bytes, meter, work);
  const disagreement = named === null ? [] : [`name_disagrees: the name ends with .${named}, the content is ${type}`];
  return { ...reading, type, warnings: [...disagreement, ...reading.warnings] };
}
