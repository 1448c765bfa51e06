import { decodeText } from '../decode-text.ts';
import { recordPage } from '../page-record.ts';
import type { Reading } from './reader.ts';

/** Text stays as it is, in any of the encodings; also what is already Markdown. */
export function readPlainText(bytes: Uint8Array): Reading {
  const { text, encoding } = decodeText(bytes);
  const markdown = text.replace(/\r\n?/g, '\n').trimEnd();
  return {
    markdown,
    pages: [recordPage(1, markdown, 0)],
    warnings: encoding === 'utf-8' ? [] : [`encoding: ${encoding}`],
  };
}
