import PostalMime, { type Address, type Attachment, type Email } from 'postal-mime';
import { CodedError } from '../../errors/coded-error.ts';
import { broken, type Meter } from '../budgets.ts';
import { growMarkdown } from '../grow-markdown.ts';
import { recordPage } from '../page-record.ts';
import { htmlToMarkdown } from './html.ts';
import type { Reading } from './reader.ts';

/** Reads a file inside this one: the same as from outside, one level deeper. */
export type ReadInner = (bytes: Uint8Array, name: string) => Promise<Reading>;

/** A mail: its headers, its body, and each attachment with its text, or with the code of why there is none. */
export async function readEml(bytes: Uint8Array, meter: Meter, readInner: ReadInner): Promise<Reading> {
  const mail = await parse(bytes);
  const text = bodyOf(mail);
  if (!mail.from && !mail.subject && !text && !mail.attachments.length) throw broken('the mail is empty');
  const own = [headersOf(mail), text].filter(Boolean).join('\n\n');
  const whole = growMarkdown();
  const warnings: string[] = [];
  const pages = [recordPage(1, own, whole.add(own))];
  for (const [index, attachment] of mail.attachments.entries()) {
    if (isDrawnInBody(attachment)) continue;
    meter.take('attachments', 1);
    meter.checkTime();
    const name = nameOf(attachment, index);
    try {
      const inner = await readInner(contentOf(attachment), name);
      const heading = `## Attachment: ${name}\n\n`;
      const from = whole.add(`${heading}${inner.markdown}`.trimEnd()) + heading.length;
      for (const { start, ...page } of inner.pages)
        pages.push({ ...page, page: pages.length + 1, start: start === null ? null : from + start });
      warnings.push(...inner.warnings.map((one) => `${name}: ${one}`));
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      whole.add(`## Attachment: ${name}\n\n(not read: ${error.code})`);
      warnings.push(`${name}: ${error.code}: ${error.message}`);
    }
  }
  return { markdown: whole.text(), pages, warnings };
}

async function parse(bytes: Uint8Array): Promise<Email> {
  try {
    return await PostalMime.parse(bytes, { forceRfc822Attachments: true, attachmentEncoding: 'arraybuffer' });
  } catch (error) {
    throw broken('the mail cannot be read: the file is damaged', error);
  }
}

function headersOf(mail: Email): string {
  const lines = [
    ['From', mail.from ? people([mail.from]) : ''],
    ['To', people(mail.to ?? [])],
    ['Cc', people(mail.cc ?? [])],
    ['Date', mail.date ?? ''],
    ['Subject', mail.subject ?? ''],
  ];
  return lines.flatMap(([name, value]) => (value ? [`- ${name}: ${value}`] : [])).join('\n');
}

function people(addresses: readonly Address[]): string {
  return addresses
    .map((one) => (one.name && one.address ? `${one.name} <${one.address}>` : one.name || (one.address ?? '')))
    .join(', ');
}

/** HTML keeps tables and links; the plain text is the body where there is no HTML or nothing to see in it. */
function bodyOf(mail: Email): string {
  return (mail.html && htmlToMarkdown(mail.html)) || (mail.text ?? '').replace(/\r\n?/g, '\n').trim();
}

/** Pictures that the HTML shows itself (logos, signatures) are no documents of their own. */
function isDrawnInBody(attachment: Attachment): boolean {
  return Boolean(attachment.related) && attachment.mimeType.startsWith('image/');
}

function nameOf(attachment: Attachment, index: number): string {
  const ending = attachment.mimeType === 'message/rfc822' ? '.eml' : '';
  return attachment.filename?.replace(/[\r\n]+/g, ' ') || `attachment-${index + 1}${ending}`;
}

function contentOf({ content }: Attachment): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content);
}
