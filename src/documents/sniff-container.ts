import { broken, locked } from './budgets.ts';
import { listZip, peekZip } from './zip.ts';

const OPEN_DOCUMENT: Readonly<Record<string, 'odt' | 'ods' | 'odp'>> = {
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.oasis.opendocument.spreadsheet': 'ods',
  'application/vnd.oasis.opendocument.presentation': 'odp',
};

/** What a container holds: a kind of document, or words for what is not read. */
export type Contained = 'docx' | 'xlsx' | 'pptx' | 'xls' | 'odt' | 'ods' | 'odp' | { readonly unsupported: string };

/** The kind of document in a ZIP archive, by what its folders or its first file say. @throws file.invalid */
export function sniffArchive(bytes: Uint8Array): Contained {
  const names = listZip(bytes)?.map((name) => name.toLowerCase());
  if (!names) throw broken('the archive has no directory: the file is cut off');
  const said = peekZip(bytes, 'mimetype', 100)
    ?.trim()
    .replace(/-template$/, '');
  if (said !== undefined && Object.hasOwn(OPEN_DOCUMENT, said)) return OPEN_DOCUMENT[said]!;
  if (said !== undefined) return { unsupported: `an archive of the kind ${said.replace(/[^\w.+/-]/g, '')}` };
  if (names.includes('xl/workbook.bin')) return { unsupported: 'a binary workbook (XLSB); XLSX is read' };
  // The main part may have any name; what has the usual one is an Office document, however damaged.
  const isOffice = (folder: string, main: string) =>
    names.includes(folder + main) || (names.includes('_rels/.rels') && names.some((name) => name.startsWith(folder)));
  if (isOffice('word/', 'document.xml')) return 'docx';
  if (isOffice('xl/', 'workbook.xml')) return 'xlsx';
  if (isOffice('ppt/', 'presentation.xml')) return 'pptx';
  return { unsupported: 'an archive that is no Office document' };
}

const STREAMS: readonly (readonly [string, Contained])[] = [
  ['WordDocument', { unsupported: 'an old Word document (DOC); DOCX is read' }],
  ['PowerPoint Document', { unsupported: 'an old presentation (PPT); PPTX is read' }],
  ['__properties_version1.0', { unsupported: 'a mail as Outlook saves it (MSG); EML is read' }],
  ['Workbook', 'xls'],
  ['Book\0', 'xls'],
];

/**
 * The kind of document in a compound file, by the names of its streams ([MS-CFB]), surest first: a document may hold
 * parts of another.
 * @throws file.password_required
 */
export function sniffCompound(bytes: Uint8Array): Contained {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const has = (name: string) => content.includes(Buffer.from(name, 'utf16le'));
  if (has('EncryptedPackage')) throw locked('the file');
  return STREAMS.find(([name]) => has(name))?.[1] ?? { unsupported: 'a compound file of an unknown kind' };
}
