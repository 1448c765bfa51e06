import { type Block, blocksToMarkdown } from '../blocks.ts';
import type { Meter } from '../budgets.ts';
import { countLeftOut } from '../left-out.ts';
import { openDocument } from '../odf/open.ts';
import { readBlocks, startReading } from '../odf/read-blocks.ts';
import { recordPage } from '../page-record.ts';
import type { Reading } from './reader.ts';

/**
 * A text of OpenDocument as it reads with all tracked changes accepted: headers before the text; notes and then footers
 * after it. Comments, pictures, charts and embedded files are left out, and that is said.
 */
export function readOdt(bytes: Uint8Array, meter: Meter): Reading {
  const document = openDocument(bytes, meter, 'text');
  const leftOut = countLeftOut();
  const context = startReading(document, meter, leftOut);
  const marginsOf = (kind: 'header' | 'footer'): Block[] => {
    const stories = document.styles.margins(kind).map((one) => readBlocks(one, context));
    return [...new Map(stories.map((blocks) => [JSON.stringify(blocks), blocks])).values()].flat();
  };
  const blocks = [
    ...marginsOf('header'),
    ...readBlocks(document.body, context),
    ...context.notes.flat(),
    ...marginsOf('footer'),
  ];
  const markdown = blocksToMarkdown(blocks, meter);
  return { markdown, pages: [recordPage(1, markdown, 0)], warnings: leftOut.warnings() };
}
