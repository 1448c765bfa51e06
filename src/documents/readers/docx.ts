import mammoth from 'mammoth';
import { broken, type Meter } from '../budgets.ts';
import { recordPage } from '../page-record.ts';
import { readZip, writeZip } from '../zip.ts';
import { htmlToMarkdown } from './html.ts';
import type { Reading } from './reader.ts';

const BODY = 'word/document.xml';

/**
 * A Word document as it reads with all tracked changes accepted: headers before the text, footers after it. The
 * library reads the body alone, so headers and footers are put into it first.
 */
export async function readDocx(bytes: Uint8Array, meter: Meter): Promise<Reading> {
  const files = readZip(bytes, meter);
  const body = files.get(BODY);
  if (!body) throw broken('the Word document has no text part');
  files.set(BODY, Buffer.from(acceptChanges(withHeadersAndFooters(Buffer.from(body).toString('utf8'), files))));
  const html = await toHtml(writeZip(files));
  meter.checkTime();
  const markdown = htmlToMarkdown(html);
  return { markdown, pages: [recordPage(1, markdown, 0)], warnings: [] };
}

async function toHtml(bytes: Uint8Array): Promise<string> {
  try {
    const noImages = mammoth.images.imgElement(async () => ({ src: '' }));
    return (await mammoth.convertToHtml({ buffer: Buffer.from(bytes) }, { convertImage: noImages })).value;
  } catch (error) {
    throw broken('the Word document cannot be read: the file is damaged', error);
  }
}

function withHeadersAndFooters(document: string, files: ReadonlyMap<string, Uint8Array>): string {
  const start = /<w:body\b[^<>]*>/.exec(document);
  const end = document.lastIndexOf('</w:body>');
  if (!start || end < 0) throw broken('the Word document has no text');
  const from = start.index + start[0].length;
  return [
    document.slice(0, from),
    partsNamed('header', files),
    document.slice(from, end),
    partsNamed('footer', files),
    document.slice(end),
  ].join('');
}

/** The content of all headers (or footers), the same one once: a document keeps one a section and kind of page. */
function partsNamed(kind: 'header' | 'footer', files: ReadonlyMap<string, Uint8Array>): string {
  const names = [...files.keys()].filter((name) => new RegExp(`^word/${kind}\\d*\\.xml$`).test(name)).sort();
  const contents = names.map((name) => {
    const xml = Buffer.from(files.get(name)!).toString('utf8');
    const start = /<w:(?:hdr|ftr)\b[^<>]*>/.exec(xml);
    const end = Math.max(xml.lastIndexOf('</w:hdr>'), xml.lastIndexOf('</w:ftr>'));
    const inner = start && end > 0 ? xml.slice(start.index + start[0].length, end) : '';
    // Relations are numbered for each part: a number of a header names something else in the body.
    return inner.replace(/\sr:(?:id|embed|link)="[^"]*"/g, '');
  });
  return [...new Set(contents)].join('');
}

/** Deleted and moved-away text goes; inserted text the library reads by itself. */
function acceptChanges(xml: string): string {
  return withoutElements(withoutElements(xml, 'del'), 'moveFrom');
}

/** In one pass: a pattern over start, content and end takes quadratic time where the ends are missing. */
function withoutElements(xml: string, name: string): string {
  const start = new RegExp(`<w:${name}(?:\\s[^<>]*)?(?<!/)>`, 'g');
  const end = `</w:${name}>`;
  const kept: string[] = [];
  let from = 0;
  for (let found = start.exec(xml); found; found = start.exec(xml)) {
    const to = xml.indexOf(end, start.lastIndex);
    if (to < 0) break;
    kept.push(xml.slice(from, found.index));
    from = to + end.length;
    start.lastIndex = from;
  }
  return kept.join('') + xml.slice(from);
}
