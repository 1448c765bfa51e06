import { describe, expect, test } from 'vitest';
import { makeDocx, makeXlsx, makeZip } from '../../test/harness/make-documents.ts';
import { makeOdf, makePptx, makeXls } from '../../test/harness/make-office-documents.ts';
import { DOCUMENT_TYPES, mediaTypeOf, sniffType } from './sniff-type.ts';

const text = (content: string) => Buffer.from(content);
const compound = (stream: string) =>
  Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600), Buffer.from(`${stream}\0`, 'utf16le')]);

describe('by content, whatever the name', () => {
  test.each([
    ['docx', makeDocx('')],
    ['xlsx', makeXlsx({ A1: 1 })],
    ['pptx', makePptx([])],
    ['odt', makeOdf('text', '')],
    ['ods', makeOdf('spreadsheet', '')],
    ['odp', makeOdf('presentation', '')],
    ['odt', makeZip({ 'content.xml': '<a/>', mimetype: 'application/vnd.oasis.opendocument.text-template\n' })],
    ['xls', makeXls({ S: [[1]] })],
    ['rtf', text('{\\rtf1 a}')],
    ['html', text('<!DOCTYPE html><p>a')],
    ['html', text('\ufeff<?xml version="1.0"?>\n<!-- saved -->\n<!DOCTYPE html PUBLIC "x"><html></html>')],
    ['html', text('<HTML>')],
    ['eml', text('From: a@b.example\nTo: c@d.example\nSubject: x\n\ny')],
    ['eml', text('From a@b.example Thu Mar  5 10:00:00 2026\nDate: x\nMIME-Version: 1.0\n\ny')],
  ] as const)('%s', async (type, bytes) => {
    expect(await sniffType(bytes, 'a.txt')).toEqual({ type, named: 'txt' });
  });
});

describe('by name, where no content tells', () => {
  test.each([
    ['a.csv', 'csv', null],
    ['a.TSV', 'csv', null],
    ['a.md', 'markdown', null],
    ['a.htm', 'html', null],
    ['a.txt', 'text', null],
    ['a', 'text', null],
    ['a.ini', 'text', null],
    ['a.constructor', 'text', null],
  ] as const)('%s', async (name, type, named) => {
    expect(await sniffType(text('a,b'), name)).toEqual({ type, named });
  });

  test.each(['docm', 'dotx'])('a name that ends with .%s says the same as a Word document', async (ending) => {
    expect((await sniffType(makeDocx(''), `a.${ending}`)).named).toBeNull();
  });
});

describe('what is refused', () => {
  test.each([
    ['a.doc', compound('WordDocument'), 'file.unsupported', 'DOCX is read'],
    ['a.ppt', compound('PowerPoint Document'), 'file.unsupported', 'PPTX is read'],
    ['a.msg', compound('__properties_version1.0'), 'file.unsupported', 'EML is read'],
    ['a.bin', compound('x'), 'file.unsupported', 'unknown kind'],
    ['a.docx', compound('EncryptedPackage'), 'file.password_required', 'password'],
    ['a.epub', makeZip({ mimetype: 'application/epub+zip' }), 'file.unsupported', 'application/epub+zip'],
    ['a.zip', makeZip({ 'a.txt': 'a' }), 'file.unsupported', 'no Office document'],
    ['a.xml', text('<?xml version="1.0"?><invoice/>'), 'file.unsupported', 'xml'],
    ...['pdf', 'docx', 'pptx', 'xls', 'odt', 'rtf'].map(
      (ending) => [`a.${ending}`, text('a'), 'file.invalid', ending.toUpperCase()] as const,
    ),
  ] as const)('%s', async (name, bytes, code, words) => {
    await expect(sniffType(bytes, name)).rejects.toMatchObject({ code, message: expect.stringContaining(words) });
  });
});

test('every kind has a media type of its own', () => {
  expect(new Set(DOCUMENT_TYPES.map(mediaTypeOf)).size).toBe(DOCUMENT_TYPES.length);
});
