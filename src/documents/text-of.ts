import { CodedError } from '../errors/coded-error.ts';
import type { StoredText } from './document.ts';

/** Throws `text.none` (permanent) for a document that has no text to work on. */
export function textOf(text: StoredText | null): StoredText {
  if (text !== null) return text;
  throw new CodedError('text.none', 'permanent', 'there is no text of it');
}
