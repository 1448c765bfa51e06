import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist';
import { shrinkage } from '../ocr/largest.ts';
import type { Picture } from '../ocr/picture.ts';

/** What scanners are set to for text, against the 72 points an inch that pages are measured in. */
const SCALE = 200 / 72;

/** Draws a page at 200 dots an inch, a large one smaller. */
export async function drawPage(document: PDFDocumentProxy, page: PDFPageProxy): Promise<Picture> {
  const { width, height } = page.getViewport({ scale: SCALE });
  const viewport = page.getViewport({ scale: SCALE * shrinkage(width, height) });
  // The library's own canvases: those of another copy of the same package it does not accept.
  const factory = document.canvasFactory as CanvasFactory;
  const drawn = factory.create(Math.max(1, Math.round(viewport.width)), Math.max(1, Math.round(viewport.height)));
  try {
    await page.render({ canvas: drawn.canvas as never, viewport }).promise;
    const { width: wide, height: high } = drawn.canvas;
    return { width: wide, height: high, data: drawn.context.getImageData(0, 0, wide, high).data };
  } finally {
    factory.destroy(drawn);
  }
}

/** The parts of the library's canvas factory that are used; its types say `Object`. */
interface CanvasFactory {
  create(width: number, height: number): Drawn;
  destroy(drawn: Drawn): void;
}

interface Drawn {
  readonly canvas: { readonly width: number; readonly height: number };
  readonly context: {
    getImageData(x: number, y: number, width: number, height: number): { readonly data: Uint8ClampedArray };
  };
}
