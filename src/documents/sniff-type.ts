import { fileTypeFromBuffer } from 'file-type';
import { CodedError } from '../errors/coded-error.ts';
import { broken, locked } from './budgets.ts';
import { decodeText, looksLikeText } from './decode-text.ts';
import { listZip } from './zip.ts';

export const DOCUMENT_TYPES = ['pdf', 'docx', 'xlsx', 'csv', 'eml', 'html', 'markdown', 'text'] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

const BY_ENDING: Readonly<Record<string, DocumentType>> = {
  pdf: 'pdf',
  docx: 'docx',
  xlsx: 'xlsx',
  csv: 'csv',
  tsv: 'csv',
  eml: 'eml',
  html: 'html',
  htm: 'html',
  md: 'markdown',
  markdown: 'markdown',
  txt: 'text',
  text: 'text',
};

const MEDIA_TYPES: Readonly<Record<DocumentType, string>> = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv',
  eml: 'message/rfc822',
  html: 'text/html',
  markdown: 'text/markdown',
  text: 'text/plain',
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
  const said = Object.hasOwn(BY_ENDING, ending) ? BY_ENDING[ending]! : null;
  const type = (await byContent(bytes)) ?? byName(said, bytes);
  return { type, named: said === type || ending === '' ? null : ending };
}

async function byContent(bytes: Uint8Array): Promise<DocumentType | null> {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 4096));
  // Readers accept a PDF whose head begins somewhere in the first 1,024 bytes (ISO 32000-1, annex H.3.4.1).
  if (head.subarray(0, 1029).includes('%PDF-')) return 'pdf';
  if (head.subarray(0, 4).equals(Buffer.from('PK\x03\x04', 'latin1'))) return ofArchive(bytes);
  const known = await fileTypeFromBuffer(bytes);
  if (known?.ext === 'cfb') {
    const encrypted = Buffer.from('EncryptedPackage', 'utf16le');
    if (Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(encrypted)) throw locked('the file');
  }
  const text = decodeText(head).text.trimStart();
  if (/^(<!doctype\s+html|<html[\s>]|<head[\s>]|<body[\s>])/i.test(text)) return 'html';
  if (known && !known.mime.startsWith('text/')) throw unsupported(`${known.ext} (${known.mime})`);
  return isMail(text) ? 'eml' : null;
}

function ofArchive(bytes: Uint8Array): DocumentType {
  const names = listZip(bytes);
  if (!names) throw broken('the archive has no directory: the file is cut off');
  if (names.includes('word/document.xml')) return 'docx';
  if (names.includes('xl/workbook.xml')) return 'xlsx';
  throw unsupported('an archive that is neither DOCX nor XLSX');
}

function byName(said: DocumentType | null, bytes: Uint8Array): DocumentType {
  if (!looksLikeText(bytes)) throw unsupported('unknown binary content');
  if (said === 'pdf' || said === 'docx' || said === 'xlsx')
    throw broken(`the file is named as ${said.toUpperCase()}, and its content is none`);
  if (said === 'eml') throw broken('the file is named as mail and has no mail headers');
  return said ?? 'text';
}

const MAIL_HEADERS = new Set(
  'from to cc date subject received return-path message-id mime-version delivered-to content-type reply-to'.split(' '),
);

function isMail(text: string): boolean {
  const found = new Set<string>();
  for (const line of text.split(/\r?\n/)) {
    if (/^[ \t]/.test(line)) continue;
    const name = /^([A-Za-z][A-Za-z0-9-]*):/.exec(line)?.[1]?.toLowerCase();
    if (!name) break;
    if (MAIL_HEADERS.has(name)) found.add(name);
  }
  return found.size >= 3 || (found.size >= 2 && (found.has('message-id') || found.has('mime-version')));
}

function unsupported(what: string): CodedError {
  return new CodedError('file.unsupported', 'permanent', `this kind of file is not read: ${what}`);
}
