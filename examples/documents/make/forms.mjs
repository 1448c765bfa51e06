// The kinds of files: each takes pages (or contents) and gives the file's ending, its kind and how to make it.
import { docx, eml, workbook } from './office.mjs';
import { pdf } from './pdf.mjs';
import { png, scan } from './scan.mjs';

const file = (ext, kind, ocr, make) => ({ ext, kind, ocr, make });

export const textPdf = (pages) =>
  file('pdf', 'text-pdf', false, ({ seed, made }) =>
    pdf(
      pages.map((page) => ({ page })),
      seed,
      made,
    ),
  );

export const scannedPdf = (pages, scanner = {}) =>
  file('pdf', 'scanned-pdf', true, ({ seed, made }) =>
    pdf(
      pages.map((page) => ({ page, scan: scanner })),
      seed,
      made,
    ),
  );

/** Pages with a text layer, and as scans those whose index is named. */
export const mixedPdf = (pages, scanned, scanner = {}) =>
  file('pdf', 'mixed-pdf', true, ({ seed, made }) =>
    pdf(
      pages.map((page, i) => (scanned.includes(i) ? { page, scan: scanner } : { page })),
      seed,
      made,
    ),
  );

/** Turned pages: `turns` a page; `flag` whether /Rotate says so; `scanner` for a scan. */
export const rotatedPdf = (pages, turns, { flag = true, scanner } = {}) =>
  file('pdf', 'rotated-pdf', Boolean(scanner), ({ seed, made }) =>
    pdf(
      pages.map((page, i) => ({ page, scan: scanner, turn: turns[i], flag: flag && turns[i] !== 0 })),
      seed,
      made,
    ),
  );

export const pngImage = (page, dpi = 130) => file('png', 'image', true, () => png(page, dpi));

export const jpegImage = (page, scanner = {}) =>
  file('jpg', 'image', true, ({ seed }) => scan(page, { seed, ...scanner }));

export const wordFile = (children, options) => file('docx', 'docx', false, ({ made }) => docx(children, made, options));

export const excelFile = (sheets) => file('xlsx', 'xlsx', false, ({ made }) => workbook(sheets, made));

/** A mail whose attachments are forms themselves: {name, form}. `ocr` if a value stands only in a scanned attachment. */
export const mail = (message, attachments = []) =>
  file(
    'eml',
    'eml',
    attachments.some(({ form }) => form.ocr),
    async ({ seed, made }) => {
      const data = [];
      for (const { name, form } of attachments) data.push({ name, data: await form.make({ seed, made }) });
      return eml({ ...message, attachments: data, seed });
    },
  );
