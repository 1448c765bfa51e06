import type { Meter } from '../budgets.ts';
import { decodeText, encodingWarning } from '../decode-text.ts';
import { growMarkdown } from '../grow-markdown.ts';
import { recordPage } from '../page-record.ts';
import type { Reading } from './reader.ts';

/** Text stays as it is, in any of the encodings; also what is already Markdown. A form feed begins a page. */
export function readPlainText(bytes: Uint8Array, meter: Meter): Reading {
  const { text, encoding } = decodeText(bytes);
  const parts = text.replace(/\r\n?/g, '\n').trimEnd().split('\f');
  meter.take('pages', parts.length);
  const whole = growMarkdown();
  const pages = parts.map((part, index) => {
    // The first line keeps its indent.
    const page = part.replace(/^\n+/, '').trimEnd();
    return recordPage(index + 1, page, whole.add(page));
  });
  return { markdown: whole.text(), pages, warnings: encodingWarning(encoding) };
}
