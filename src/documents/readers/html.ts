import { blocksToMarkdown } from '../blocks.ts';
import type { Meter } from '../budgets.ts';
import { decodeText, encodingWarning } from '../decode-text.ts';
import { findHidden } from '../html/hidden.ts';
import { parseTree } from '../html/parse-tree.ts';
import { readBlocks } from '../html/read-blocks.ts';
import { recordPage } from '../page-record.ts';
import type { Reading } from './reader.ts';

/** A page as one sees it, in the encoding that it says, unless it is another one. */
export function readHtml(bytes: Uint8Array, meter: Meter): Reading {
  const { html, warnings } = decodeHtml(bytes);
  const markdown = htmlToMarkdown(html, meter);
  return { markdown, pages: [recordPage(1, markdown, 0)], warnings };
}

/** A byte order mark and what is valid UTF-8 count more than what the page says about itself. */
function decodeHtml(bytes: Uint8Array): { readonly html: string; readonly warnings: readonly string[] } {
  const { text, encoding } = decodeText(bytes);
  if (encoding === 'utf-8' || encoding.startsWith('utf-16')) return { html: text, warnings: encodingWarning(encoding) };
  const said = /<(?:meta[^>]{0,200}charset|\?xml[^>]{0,100}encoding)=["']?([\w-]+)/i.exec(text.slice(0, 65_536))?.[1];
  try {
    if (said) return { html: new TextDecoder(said, { fatal: true }).decode(bytes), warnings: [] };
  } catch {
    // There is no such encoding, or the page is in another one.
  }
  return { html: text, warnings: encodingWarning(encoding) };
}

/**
 * What a reader of the page sees, as Markdown: no scripts, no styles, nothing hidden, no links that run something.
 * @throws file.too_deep, file.too_large, file.too_slow
 */
export function htmlToMarkdown(html: string, meter: Meter): string {
  const tree = parseTree(html, meter);
  return blocksToMarkdown(readBlocks(tree, { meter, isHidden: findHidden(tree) }), meter);
}
