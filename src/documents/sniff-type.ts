import { fileTypeFromBuffer } from 'file-type';
import { CodedError } from '../errors/coded-error.ts';
import { broken } from './budgets.ts';
import { decodeText, looksLikeText } from './decode-text.ts';
import { type Contained, sniffArchive, sniffCompound } from './sniff-container.ts';

export const DOCUMENT_TYPES = [
  'pdf',
  'docx',
  'pptx',
  'xlsx',
  'xls',
  'odt',
  'ods',
  'odp',
  'rtf',
  'csv',
  'eml',
  'html',
  'markdown',
  'text',
  'png',
  'jpeg',
  'tiff',
  'webp',
  'gif',
  'bmp',
] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

/** Endings of names; templates and files with macros are read as what they hold. */
const ENDINGS: Readonly<Record<DocumentType, readonly string[]>> = {
  pdf: ['pdf'],
  docx: ['docx', 'docm', 'dotx', 'dotm'],
  pptx: ['pptx', 'pptm', 'ppsx', 'ppsm', 'potx', 'potm'],
  xlsx: ['xlsx', 'xlsm', 'xltx', 'xltm'],
  xls: ['xls', 'xlt', 'et'],
  odt: ['odt', 'ott'],
  ods: ['ods', 'ots'],
  odp: ['odp', 'otp'],
  rtf: ['rtf'],
  csv: ['csv', 'tsv'],
  eml: ['eml', 'mht', 'mhtml'],
  html: ['html', 'htm', 'xhtml'],
  markdown: ['md', 'markdown'],
  text: ['txt', 'text', 'log'],
  png: ['png'],
  jpeg: ['jpg', 'jpeg', 'jfif'],
  tiff: ['tif', 'tiff'],
  webp: ['webp'],
  gif: ['gif'],
  bmp: ['bmp', 'dib'],
};
const BY_ENDING = new Map(DOCUMENT_TYPES.flatMap((type) => ENDINGS[type].map((ending) => [ending, type] as const)));

/** Pictures by the names that the library has for them. */
const PICTURES: ReadonlyMap<string, DocumentType> = new Map([
  ['png', 'png'],
  ['apng', 'png'],
  ['jpg', 'jpeg'],
  ['tif', 'tiff'],
  ['webp', 'webp'],
  ['gif', 'gif'],
  ['bmp', 'bmp'],
]);

const MEDIA_TYPES: Readonly<Record<DocumentType, string>> = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  xls: 'application/vnd.ms-excel',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
  rtf: 'application/rtf',
  csv: 'text/csv',
  eml: 'message/rfc822',
  html: 'text/html',
  markdown: 'text/markdown',
  text: 'text/plain',
  png: 'image/png',
  jpeg: 'image/jpeg',
  tiff: 'image/tiff',
  webp: 'image/webp',
  gif: 'image/gif',
  bmp: 'image/bmp',
};

export const mediaTypeOf = (type: DocumentType): string => MEDIA_TYPES[type];

export interface Sniffed {
  readonly type: DocumentType;
  /** What the name says, where it says something else. */
  readonly named: string | null;
}

/**
 * What a file is, by its content. The name only decides between kinds that no content tells apart (text, Markdown,
 * CSV). Text under a name of a kind that is never text is refused: nobody named it so on purpose.
 * @throws file.empty, file.password_required, file.invalid, file.unsupported
 */
export async function sniffType(bytes: Uint8Array, name: string): Promise<Sniffed> {
  if (!bytes.length) throw new CodedError('file.empty', 'permanent', 'the file is empty');
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  const said = BY_ENDING.get(ending) ?? null;
  const type = (await byContent(bytes)) ?? byName(said, bytes);
  // Much that is text has an ending that says more than that.
  const agrees = said === type || ending === '' || (said === null && type === 'text');
  return { type, named: agrees ? null : ending };
}

async function byContent(bytes: Uint8Array): Promise<DocumentType | null> {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 4096));
  // Readers accept a PDF whose head begins somewhere in the first 1,024 bytes (ISO 32000-1, annex H.3.4.1).
  if (head.subarray(0, 1029).includes('%PDF-')) return 'pdf';
  if (head.subarray(0, 4).equals(Buffer.from('PK\x03\x04', 'latin1'))) return supported(sniffArchive(bytes));
  const known = await fileTypeFromBuffer(bytes);
  if (known?.ext === 'cfb') return supported(sniffCompound(bytes));
  const text = decodeText(head).text.trimStart();
  if (text.startsWith('{\\rtf')) return 'rtf';
  // A page may begin with a declaration of XML and with comments.
  const page = text.replace(/^(?:<\?xml[^>]*\?>|<!--[\s\S]*?-->|\s+)*/, '');
  if (/^(<!doctype\s+html|<html[\s>]|<head[\s>]|<body[\s>])/i.test(page)) return 'html';
  const picture = PICTURES.get(known?.ext ?? '');
  if (picture) return picture;
  if (known && !known.mime.startsWith('text/')) throw unsupported(`${known.ext} (${known.mime})`);
  return isMail(text) ? 'eml' : null;
}

function supported(found: Contained): DocumentType {
  if (typeof found === 'string') return found;
  throw unsupported(found.unsupported);
}

/** Kinds that no content tells apart. */
const TEXTS: ReadonlySet<DocumentType> = new Set(['csv', 'html', 'markdown', 'text']);

function byName(said: DocumentType | null, bytes: Uint8Array): DocumentType {
  if (!looksLikeText(bytes)) throw unsupported('unknown binary content');
  if (said === 'eml') throw broken('the file is named as mail and has no mail headers');
  if (said !== null && !TEXTS.has(said))
    throw broken(`the file is named as ${said.toUpperCase()}, and its content is none`);
  return said ?? 'text';
}

const MAIL_HEADERS = new Set(
  'from to cc date subject received return-path message-id mime-version delivered-to content-type reply-to'.split(' '),
);

function isMail(text: string): boolean {
  const found = new Set<string>();
  for (const line of text.split(/\r?\n/)) {
    // The first line of a mail in a mailbox is none of its headers.
    if (/^[ \t]|^>?From /.test(line)) continue;
    const name = /^([A-Za-z][A-Za-z0-9-]*):/.exec(line)?.[1]?.toLowerCase();
    if (!name) break;
    if (MAIL_HEADERS.has(name)) found.add(name);
  }
  return found.size >= 3 || (found.size >= 2 && (found.has('message-id') || found.has('mime-version')));
}

function unsupported(what: string): CodedError {
  return new CodedError('file.unsupported', 'permanent', `this kind of file is not read: ${what}`);
}
