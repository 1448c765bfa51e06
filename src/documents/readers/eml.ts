import type { Attachment, Email } from 'postal-mime';
import { CodedError } from '../../errors/coded-error.ts';
import { broken, type Meter } from '../budgets.ts';
import { growMarkdown } from '../grow-markdown.ts';
import { headersOf } from '../mail/headers.ts';
import { parseMail } from '../mail/parse.ts';
import { recordPage } from '../page-record.ts';
import { htmlToMarkdown } from './html.ts';
import type { Reading } from './reader.ts';

/** Reads a file inside this one: the same as from outside, one level deeper. */
export type ReadInner = (bytes: Uint8Array, name: string) => Promise<Reading>;

/**
 * A mail: its headers, its body, and each attachment with its text, or with the code of why there is none. Pictures that
 * the body shows itself, signatures and what is encrypted are left out, and that is said.
 */
export async function readEml(bytes: Uint8Array, meter: Meter, readInner: ReadInner): Promise<Reading> {
  const mail = await parseMail(bytes);
  const { text, warnings } = bodyOf(mail, meter);
  if (!mail.from && !mail.subject && !text && !mail.attachments.length) throw broken('the mail is empty');
  const own = [headersOf(mail), text].filter(Boolean).join('\n\n');
  const whole = growMarkdown();
  const pages = [recordPage(1, own, whole.add(own))];
  let pictures = 0;
  for (const [index, attachment] of mail.attachments.entries()) {
    const name = nameOf(attachment, index);
    if (isDrawnInBody(attachment, mail)) pictures += 1;
    else if (SIGNATURES.test(attachment.mimeType)) warnings.push(`signature_not_checked: ${name}`);
    else if (isEncrypted(attachment, mail)) warnings.push(`encrypted: ${name}`);
    else {
      meter.take('attachments', 1);
      meter.checkTime();
      try {
        const inner = await readInner(contentOf(attachment), name);
        const heading = `## Attachment: ${name}\n\n`;
        const from = whole.add(`${heading}${inner.markdown}`.trimEnd()) + heading.length;
        for (const { start, ...page } of inner.pages)
          pages.push({ ...page, page: pages.length + 1, start: start === null ? null : from + start });
        for (const one of inner.warnings) warnings.push(`${one}${one.includes(': ') ? ` (${name})` : `: ${name}`}`);
      } catch (error) {
        if (!(error instanceof CodedError)) throw error;
        whole.add(`## Attachment: ${name}\n\n(not read: ${error.code})`);
        warnings.push(`attachment_not_read: ${name}: ${error.code}: ${error.message}`);
      }
    }
  }
  if (pictures) warnings.push(`inline_pictures_left_out: ${pictures}`);
  return { markdown: whole.text(), pages, warnings };
}

/** HTML keeps tables and links; the plain text is the body where there is no HTML or nothing to see in it. */
function bodyOf(mail: Email, meter: Meter): { text: string; warnings: string[] } {
  const plain = (mail.text ?? '').replace(/\r\n?/g, '\n').trim();
  const warnings = plain.includes('-----BEGIN PGP MESSAGE-----') ? ['encrypted: the text of the mail'] : [];
  try {
    return { text: (mail.html && htmlToMarkdown(mail.html, meter)) || plain, warnings };
  } catch (error) {
    if (!(error instanceof CodedError) || error.code !== 'file.too_deep' || !plain) throw error;
    return { text: plain, warnings: [...warnings, `plain_text_taken: ${error.message}`] };
  }
}

/** Pictures that the HTML shows itself (logos, signatures) are no documents of their own. */
function isDrawnInBody({ mimeType, related, contentId }: Attachment, { html }: Email): boolean {
  if (!mimeType.startsWith('image/')) return false;
  const id = contentId?.replace(/^<|>$/g, '');
  return Boolean(related) || Boolean(id && html?.includes(`cid:${id}`));
}

const SIGNATURES = /^application\/(?:(?:x-)?pkcs7-signature|pgp-signature)$/;
/** The identifier of enveloped data in what S/MIME wraps (RFC 5652, section 6.1). */
const ENVELOPED = Buffer.from('06092a864886f70d010703', 'hex');

function isEncrypted(attachment: Attachment, { headers }: Email): boolean {
  const type = headers.find(({ key }) => key === 'content-type')?.value ?? '';
  if (/^\s*multipart\/encrypted/i.test(type)) return true;
  const head = Buffer.from(contentOf(attachment).subarray(0, 100));
  return /^application\/(?:x-)?pkcs7-mime$/.test(attachment.mimeType) && head.includes(ENVELOPED);
}

function nameOf(attachment: Attachment, index: number): string {
  const ending = attachment.mimeType === 'message/rfc822' ? '.eml' : '';
  const name = attachment.filename
    ?.replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, 200);
  return name || `attachment-${index + 1}${ending}`;
}

function contentOf({ content }: Attachment): Uint8Array {
  return typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content);
}
