// Pages to PDF: drawn with a text layer, or as a scan; upright or turned.
import { readFileSync } from 'node:fs';
import fontkit from '@pdf-lib/fontkit';
import {
  concatTransformationMatrix,
  degrees,
  PDFDocument,
  popGraphicsState,
  pushGraphicsState,
  rgb,
  StandardFonts,
} from 'pdf-lib';
import subsetFont from 'subset-font';
import { FONT_FILES } from './page.mjs';
import { random } from './random.mjs';
import { scan } from './scan.mjs';

const STANDARD = {
  'en-sans': StandardFonts.Helvetica,
  'en-sans-bold': StandardFonts.HelveticaBold,
  'en-serif': StandardFonts.TimesRoman,
  'en-serif-bold': StandardFonts.TimesRomanBold,
  'en-mono': StandardFonts.Courier,
  'en-mono-bold': StandardFonts.CourierBold,
};
const TURNS = {
  0: () => [1, 0, 0, 1, 0, 0],
  90: (_w, h) => [0, 1, -1, 0, h, 0],
  180: (w, h) => [-1, 0, 0, -1, w, h],
  270: (w) => [0, -1, 1, 0, 0, w],
};

/**
 * `pages` are {page, scan?, turn?, flag?}: `scan` are the options of the scanner (absent: a text layer); `turn` turns the
 * content by quarter turns, and `flag` says so in /Rotate, so that a viewer shows it upright.
 */
export async function pdf(pages, seed, made) {
  // pdf-lib names fonts with Math.random; a fixed one gives the same bytes each time. Its own subsets of Chinese fonts
  // lose glyphs, so the fonts are cut down before.
  Math.random = random(seed);
  const document = await PDFDocument.create();
  document.registerFontkit(fontkit);
  document.setCreationDate(new Date(made));
  document.setModificationDate(new Date(made));
  document.setProducer('Signalbox example documents');
  document.setCreator('');
  const used = new Map();
  for (const op of pages.flatMap(({ page, scan: scanner }) => (scanner ? [] : page.ops)))
    if (op.op === 'text') used.set(op.font, (used.get(op.font) ?? '') + op.string);
  const fonts = new Map();
  for (const [name, text] of used) {
    const font =
      STANDARD[name] ?? (await subsetFont(readFileSync(FONT_FILES[name]), text, { targetFormat: 'truetype' }));
    fonts.set(
      name,
      await document.embedFont(font, { features: { calt: false, ccmp: false, locl: false, kern: false } }),
    );
  }
  for (const [n, { page, scan: scanner, turn = 0, flag = false }] of pages.entries()) {
    const swap = turn % 180 !== 0;
    const size = swap ? [page.height, page.width] : [page.width, page.height];
    const sheet = document.addPage(size);
    if (flag) sheet.setRotation(degrees(turn));
    if (scanner) {
      // /Rotate turns clockwise, so a flagged scan is laid in the other way round.
      const laid = flag ? (360 - turn) % 360 : turn;
      const picture = await document.embedJpg(scan(page, { seed: seed * 31 + n, ...scanner, turn: laid }));
      sheet.drawImage(picture, { x: 0, y: 0, width: size[0], height: size[1] });
      continue;
    }
    sheet.pushOperators(pushGraphicsState(), concatTransformationMatrix(...TURNS[turn](page.width, page.height)));
    for (const op of page.ops) {
      if (op.op === 'text') {
        const g = op.grey / 255;
        const options = {
          x: op.x,
          y: page.height - op.y,
          size: op.size,
          font: fonts.get(op.font),
          color: rgb(g, g, g),
        };
        sheet.drawText(op.string, options);
      } else if (op.op === 'line') {
        const start = { x: op.x1, y: page.height - op.y1 };
        const end = { x: op.x2, y: page.height - op.y2 };
        sheet.drawLine({ start, end, thickness: op.width });
      } else {
        const g = (op.fill ?? 255) / 255;
        sheet.drawRectangle({
          x: op.x,
          y: page.height - op.y - op.height,
          width: op.width,
          height: op.height,
          ...(op.fill === null ? { borderWidth: 0.7, borderColor: rgb(0, 0, 0) } : { color: rgb(g, g, g) }),
        });
      }
    }
    sheet.pushOperators(popGraphicsState());
  }
  // Without object streams a reader of the bytes sees pages, fonts and pictures.
  return Buffer.from(await document.save({ useObjectStreams: false }));
}
