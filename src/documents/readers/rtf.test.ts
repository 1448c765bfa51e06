import { describe, expect, test } from 'vitest';
import { encodeText } from '../../../test/harness/encode-text.ts';
import { readText } from '../read-text.ts';

const HEAD =
  '{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0 Arial;}{\\f1\\fcharset134 SimSun;}{\\f2\\fcharset2 Symbol;}{\\f3\\fcharset204 Arial;}}{\\colortbl;\\red0;}';
const read = (body: string) => readText(Buffer.from(`${HEAD}${body}}`, 'latin1'), 'a.rtf');
const hex = (text: string, encoding: 'gb18030' | 'windows-1252') =>
  [...encodeText(text, encoding)].map((byte) => `\\'${byte.toString(16).padStart(2, '0')}`).join('');

describe('text', () => {
  test.each([
    ['paragraphs and line ends', 'a\\par\r\nb\\line c\\pard\\par d', 'a\n\nb\nc\n\nd'],
    ['tabs', 'No.:\\tab 17', 'No.:\t17'],
    ['signs', '\\{a\\}\\\\ \\emdash\\lquote x\\rquote\\~\\_\\-', '{a}\\ —‘x’\u00a0-'],
    ['bytes of the code page', hex('Größe 5 €', 'windows-1252'), 'Größe 5 €'],
    ['bytes of the font', `\\f1 ${hex('发票', 'gb18030')}\\f0  x`, '发票 x'],
    ['numbers of characters, with what older programs show', "\\u21457 ?\\u31080\\'3f x \\uc0\\u8364 y", '发票 x €y'],
    ['two halves of one character', '\\u-10179?\\u-8704?', '😀'],
    ['bold and crossed out, ended by groups', '{\\b a} b {\\strike c}{\\b\\plain d}', '**a** b ~~c~~d'],
    ['hidden and deleted', 'a{\\v x}{\\deleted y}\\v z\\v0 b', 'ab'],
    ['fields by their result', '{\\field{\\*\\fldinst HYPERLINK "x"}{\\fldrslt here}}', 'here'],
    ['unknown groups', 'a{\\*\\unknown b{c}}{\\info{\\title t}}d', 'ad'],
    ['bytes that are no RTF', 'a\\bin4 }}}}b', 'ab'],
    ['headings', '\\outlinelevel1 A\\par\\pard b', '## A\n\nb'],
    [
      'text boxes',
      'a\\par{\\shp{\\*\\shpinst{\\sp{\\sn x}{\\sv y}}{\\shptxt box\\par}}{\\shprslt old}}b',
      'a\n\nbox\n\nb',
    ],
  ])('%s', async (_, body, expected) => {
    expect((await read(body)).markdown).toBe(expected);
  });

  test('lists as they are printed', async () => {
    const body =
      "{\\listtext\\tab 1.\\tab}a\\par{\\listtext\\tab 2.\\tab}b\\par\\pard{\\listtext\\f2\\'b7\\tab}c\\par d";
    expect((await read(body)).markdown).toBe('1. a\n2. b\n- c\n\nd');
  });
});

describe('tables', () => {
  test('cells, several lines in one, a table in a table', async () => {
    const body =
      'x\\par\\trowd\\cellx1\\cellx2\\intbl a\\cell b\\par c\\cell\\row\\trowd\\intbl d\\cell\\pard\\intbl\\itap2 e\\nestcell f\\nestcell{\\*\\nesttableprops\\trowd\\nestrow}{\\nonesttables\\par}\\pard\\intbl\\itap1\\cell\\row\\pard y';
    expect((await read(body)).markdown).toBe('x\n\n| a | b  c |\n| --- | --- |\n\nd\n\n| e | f |\n| --- | --- |\n\ny');
  });
});

test('headers first, notes and footers last; comments, pictures and embedded files are said', async () => {
  const { markdown, warnings } = await read(
    '{\\footer Bank\\par}{\\header ACME\\par}a{\\footnote {\\super 1} the note\\par}{\\*\\annotation c}{\\pict 00ff}{\\object{\\*\\objdata 00}{\\result shown}} b',
  );
  expect(markdown).toBe('ACME\n\na[1]shown b\n\n[1] 1 the note\n\nBank');
  expect(warnings).toEqual(['comments_left_out: 1', 'pictures_not_read: 1', 'embedded_files_not_read: 1']);
});

test.each([
  ['groups that are not closed', `${'{'.repeat(100_000)}x`],
  ['groups that were not opened', `x${'}'.repeat(100_000)}`],
  ['letters without number', `x${'\\b'.repeat(100_000)}`],
])('%s are read', async (_, body) => {
  expect((await read(body)).markdown).toContain('x');
});
