import type { PDFPageProxy } from 'pdfjs-dist';
import { OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** A share of the page's area. */
const MOST = 0.5;
const PICTURES: ReadonlySet<number> = new Set([
  OPS.paintImageXObject,
  OPS.paintInlineImageXObject,
  OPS.paintImageMaskXObject,
]);

/** Whether pictures take up most of a page, by the matrices that they are drawn with: a picture fills the unit square. */
export async function isCoveredByPictures(page: PDFPageProxy): Promise<boolean> {
  const { fnArray, argsArray } = await page.getOperatorList();
  const [left, bottom, right, top] = page.view as [number, number, number, number];
  const saved: number[] = [];
  let scale = 1;
  let area = 0;
  for (const [at, operator] of fnArray.entries()) {
    if (operator === OPS.save || operator === OPS.paintFormXObjectBegin) saved.push(scale);
    if (operator === OPS.restore || operator === OPS.paintFormXObjectEnd) scale = saved.pop() ?? 1;
    if (operator === OPS.transform) scale *= growth(argsArray[at]);
    if (operator === OPS.paintFormXObjectBegin) scale *= growth(argsArray[at][0]);
    if (PICTURES.has(operator)) area += Math.abs(scale);
  }
  return area > MOST * (right - left) * (top - bottom);
}

/** Whether a picture of the page could not be decoded: the library goes on without it. */
export async function lacksPictures(page: PDFPageProxy): Promise<boolean> {
  const { fnArray, argsArray } = await page.getOperatorList();
  return fnArray.some((operator, at) => {
    if (operator !== OPS.paintImageXObject) return false;
    const id = argsArray[at][0] as string;
    // Pictures that several pages share stand apart.
    const objects = id.startsWith('g_') ? page.commonObjs : page.objs;
    return !objects.has(id) || objects.get(id) === null;
  });
}

/** By how much a matrix enlarges areas: its determinant. */
function growth(matrix: readonly [number, number, number, number] | null): number {
  return matrix ? matrix[0] * matrix[3] - matrix[1] * matrix[2] : 1;
}
