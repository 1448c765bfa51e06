import { blocksToMarkdown } from '../blocks.ts';
import type { Meter } from '../budgets.ts';
import { countLeftOut } from '../left-out.ts';
import { recordPage } from '../page-record.ts';
import { interpretRtf } from '../rtf/interpret.ts';
import type { Reading } from './reader.ts';

/**
 * Rich text as it reads with all tracked changes accepted: headers before the text; notes and then footers after it.
 * Comments, pictures and embedded files are left out, and that is said.
 */
export function readRtf(bytes: Uint8Array, meter: Meter): Reading {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  const { leaveOut, warnings } = countLeftOut();
  const { headers, text, notes, footers } = interpretRtf(source, meter, leaveOut);
  const markdown = blocksToMarkdown([...headers, ...text, ...notes, ...footers], meter);
  return { markdown, pages: [recordPage(1, markdown, 0)], warnings: warnings() };
}
