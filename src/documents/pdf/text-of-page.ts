import type { PDFPageProxy } from 'pdfjs-dist';
import { type Glyphs, layOut } from '../lay-out.ts';

/**
 * The text of a page in its own reading direction, whichever way the page lies: each direction is laid out by itself,
 * that with the most text first, so that a stamp or a side note does not fall into the lines.
 */
export async function textOfPage(page: PDFPageProxy): Promise<string> {
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
