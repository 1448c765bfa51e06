import type { FieldValue } from './field-value.ts';
import type { Conventions } from './normalise-value.ts';

/** A value that a field could have, and the place in the Markdown that says so. */
export interface Candidate {
  /** How sure it is, to be compared with others of the same field; what labels say exactly has more than 1. */
  readonly score: number;
  readonly reading: Omit<FieldValue, 'source' | 'evidence' | 'page'>;
  readonly start: number;
  readonly end: number;
}

/** What every way of finding values is given. */
export interface ReadingContext extends Conventions {
  readonly markdown: string;
}
