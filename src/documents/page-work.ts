import type { Picture } from './ocr/picture.ts';
import { notRecognised, type PageText } from './page-record.ts';

/** Recognises the text on a picture, which is drawn only where something recognises. */
export type Recognise = (draw: () => Promise<Picture>) => Promise<PageText>;

/** How readers of files with pages come by the text of a page. */
export interface PageWork {
  /**
   * The text of the next page, in the order in which a file and those inside it are read: what `read` makes of it, or
   * what is known of it from an earlier try at the same file.
   */
  next(read: (recognise: Recognise) => Promise<PageText>): Promise<PageText>;
}

/** Pages as they stand in the file: pictures stay what they are. */
export const WITHOUT_OCR: PageWork = { next: (read) => read(async () => notRecognised('needs_ocr')) };
