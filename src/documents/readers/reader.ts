import type { Meter } from '../budgets.ts';
import type { PageRecord } from '../page-record.ts';
import type { PageWork } from '../page-work.ts';

/** What a reader makes of a file. */
export interface Reading {
  readonly markdown: string;
  readonly pages: readonly PageRecord[];
  readonly warnings: readonly string[];
}

/** Bytes of one kind of file to Markdown. Throws coded errors of class `permanent`. */
export type Reader = (bytes: Uint8Array, meter: Meter, work: PageWork) => Reading | Promise<Reading>;
