import { layOut } from '../lay-out.ts';
import type { PageText } from '../page-record.ts';
import { lineGlyphs } from './line-glyphs.ts';
import type { Models } from './load-models.ts';
import type { Picture } from './picture.ts';
import { recognisePage } from './recognise-page.ts';

/** Clean print has 0.94 and more in the example scans; below this a person should look at the page. */
const SURE = 0.85;
/** A page with less ink than this share of its area holds nothing but dust. */
const DUST = 0.002;
/** How much darker or lighter than its paper ink is, of 255. */
const INK = 60;

/** From a picture of a page to its text, laid out as the text of PDF files is. */
export async function recognise(picture: Picture, models: Models): Promise<PageText> {
  const { lines, confidence, turned } = await recognisePage(picture, models);
  const warnings = turned ? [`rotated_${turned * 90}`] : [];
  if (confidence === null)
    return { text: '', method: 'ocr', score: null, warnings: [isBlank(picture) ? 'blank_page' : 'no_text_found'] };
  if (confidence < SURE) warnings.push('low_confidence');
  return { text: layOut(lineGlyphs(lines)), method: 'ocr', score: Math.round(confidence * 1000) / 1000, warnings };
}

function isBlank({ width, height, data }: Picture): boolean {
  const greens = data.filter((_, at) => at % 4 === 1).sort();
  const paper = greens[greens.length >> 1]!;
  const ink = greens.filter((value) => Math.abs(value - paper) > INK);
  return ink.length < width * height * DUST;
}
