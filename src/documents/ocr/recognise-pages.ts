import { CodedError } from '../../errors/coded-error.ts';
import { notRecognised, type PageText } from '../page-record.ts';
import type { PageWork } from '../page-work.ts';
import { loadModels, type Models } from './load-models.ts';
import { recognise } from './recognise.ts';

export interface PagesKnown {
  /** Of the first pages, in the order of reading, what an earlier try at the same file made of them. */
  readonly known: readonly PageText[];
  /** Nothing more is recognised; what would be has failed. */
  readonly gaveUp: boolean;
  /** Before a page is drawn and recognised: whatever goes wrong from here on is that page's. */
  recognising(): void;
  /** After a page that was not known. */
  done(page: PageText): void;
}

/** Page work that recognises pictures. Models are loaded for the first page that needs them. */
export function recognisePages(
  { known, gaveUp, recognising, done }: PagesKnown,
  load: () => Promise<Models> = loadModels,
): PageWork {
  let at = 0;
  return {
    async next(read) {
      const before = known[at];
      at += 1;
      if (before) return before;
      const page = await read(async (draw) => {
        if (gaveUp) return notRecognised('ocr_failed');
        try {
          const models = await load();
          recognising();
          return await recognise(await draw(), models);
        } catch (error) {
          if (error instanceof CodedError && error.code !== 'ocr.unavailable') throw error;
          return notRecognised(error instanceof CodedError ? 'needs_ocr' : 'ocr_failed');
        }
      });
      done(page);
      return page;
    },
  };
}
