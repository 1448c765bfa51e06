import type { ErrorClass } from '../../errors/coded-error.ts';
import type { Budgets } from '../budgets.ts';
import type { PageText } from '../page-record.ts';
import type { DocumentText } from '../read-text.ts';

/** What the parent asks of a child: one file at a time. */
export interface ReadOrder {
  readonly bytes: Uint8Array;
  readonly name: string;
  readonly budgets: Budgets;
  /** What earlier children made of the first pages, in the order of reading. */
  readonly known: readonly PageText[];
  /** Recognising failed again and again: further pictures stay what they are. */
  readonly gaveUp: boolean;
}

/** What a child tells its parent. */
export type ReaderNews =
  /** From here to the next page's text it is at work on a picture. */
  | { readonly kind: 'recognising' }
  | { readonly kind: 'page'; readonly page: PageText }
  | { readonly kind: 'done'; readonly document: DocumentText }
  | {
      readonly kind: 'failed';
      readonly code: string;
      readonly errorClass: ErrorClass;
      readonly message: string;
      readonly detail: Readonly<Record<string, unknown>>;
    };
