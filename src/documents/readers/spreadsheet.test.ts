import { describe, expect, test } from 'vitest';
import { makeZip } from '../../../test/harness/make-documents.ts';
import { type MadeSheet, makeWorkbook, makeXls, makeXlsOf } from '../../../test/harness/make-office-documents.ts';
import { DEFAULT_BUDGETS } from '../budgets.ts';
import { readText } from '../read-text.ts';

const read = (sheets: readonly MadeSheet[], more: Parameters<typeof makeWorkbook>[1] = {}, budgets = {}) =>
  readText(makeWorkbook(sheets, more), 'a.xlsx', { ...DEFAULT_BUDGETS, ...budgets });
const text = (at: string, value: string) => `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;
const number = (at: string, value: number | string, style = 0) => `<c r="${at}" s="${style}"><v>${value}</v></c>`;
const row = (at: number, ...cells: string[]) => `<row r="${at}">${cells.join('')}</row>`;
const tableOf = (markdown: string) =>
  markdown
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| ---'))
    .map((line) => line.slice(2, -2).split(' | '));

test('sheets are pages under their names, hidden ones too, which is said', async () => {
  const rows = row(1, text('A1', 'a'), text('B1', 'b'));
  const { markdown, pages } = await read([
    { name: 'One', rows },
    { name: '隐藏', rows, state: 'hidden' },
    { name: 'Deep', rows, state: 'veryHidden' },
    { name: 'Empty', rows: '' },
  ]);
  const table = '| a | b |\n| --- | --- |';
  expect(markdown).toBe(`## One\n\n${table}\n\n## 隐藏\n\n${table}\n\n## Deep\n\n${table}\n\n## Empty`);
  expect(
    pages.map(({ page, start, warnings }) => [
      page,
      start === null ? null : markdown.slice(start).split('\n')[0],
      warnings,
    ]),
  ).toEqual([
    [1, '## One', []],
    [2, '## 隐藏', ['hidden_sheet']],
    [3, '## Deep', ['hidden_sheet']],
    [4, null, []],
  ]);
});

describe('values as a person sees them', () => {
  const formats = [
    'yyyy-mm-dd',
    'dd/mm/yyyy',
    '0.0%',
    '#,##0.00 "€"',
    '[$¥-804]#,##0.00',
    '_($* #,##0.00_);_($* (#,##0.00)',
    'yyyy"年"m"月"d"日"',
    'h:mm',
    '0000',
    '@',
  ];
  test.each([
    [46086, 1, '2026-03-05'],
    [46086, 2, '05/03/2026'],
    [0.195, 3, '19.5%'],
    [1234.5, 4, '1,234.50 €'],
    [1234.5, 5, '¥1,234.50'],
    [-1234.5, 6, '$(1,234.50)'],
    [46086, 7, '2026年3月5日'],
    [0.75, 8, '18:00'],
    [42, 9, '0042'],
    ['1E+3', 10, '1000'],
    [0.30000000000000004, 0, '0.3'],
    [6222021234567890, 0, '6222021234567890'],
    [123456789012, 0, '123456789012'],
    ['1.5E-7', 0, '0.00000015'],
    [-5, 0, '-5'],
  ])('%s in format %i is %s', async (value, style, shown) => {
    const { markdown } = await read([{ name: 'S', rows: row(1, number('A1', value, style)) }], { formats });
    expect(tableOf(markdown)[0]![0]!.replace(/\s+/g, ' ')).toBe(shown);
  });

  test('dates of formats that each country has its own way for', async () => {
    const styles = `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="22"/><xf numFmtId="9"/></cellXfs></styleSheet>`;
    const rows = row(1, number('A1', 46086, 1), number('B1', 46086.75, 2), number('C1', 0.19, 3));
    const { markdown } = await read([{ name: 'S', rows }], { parts: { 'xl/styles.xml': styles } });
    expect(tableOf(markdown)).toEqual([['2026-03-05', '2026-03-05 18:00', '19%']]);
  });

  test('results of formulas, their errors, truth values; a formula that nobody computed is said', async () => {
    const rows = row(
      1,
      '<c r="A1"><f>1+1</f><v>2</v></c>',
      '<c r="B1" t="e"><f>1/0</f><v>#DIV/0!</v></c>',
      '<c r="C1" t="b"><v>1</v></c>',
      '<c r="D1" t="str"><f>A1&amp;"x"</f><v>2x</v></c>',
      '<c r="E1"><f>SUM(A1:A9)</f></c>',
      '<c r="F1"><f>SUM(A1:A9)</f><v></v></c>',
    );
    const { markdown, warnings } = await read([{ name: 'S', rows }]);
    expect(tableOf(markdown)[0]!.slice(0, 4)).toEqual(['2', '#DIV/0!', 'TRUE', '2x']);
    expect(warnings).toEqual(['formulas_without_values: 2']);
  });

  test('shared and rich texts, line breaks, bars', async () => {
    const parts = {
      'xl/sharedStrings.xml':
        '<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>名称：甲&#10;税号：1</t></si><si><r><t>a</t></r><r><rPr><b/></rPr><t>|b</t></r></si></sst>',
      'xl/_rels/workbook.xml.rels':
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="s0" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet0.xml"/><Relationship Id="t" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings" Target="sharedStrings.xml"/></Relationships>',
      '[Content_Types].xml':
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet0.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/></Types>',
    };
    const rows = row(1, '<c r="A1" t="s"><v>0</v></c>', '<c r="B1" t="s"><v>1</v></c>');
    expect((await read([{ name: 'S', rows }], { parts })).markdown).toContain('| 名称：甲  税号：1 | a\\|b |');
  });
});

test('merged cells stand once, where they begin', async () => {
  const rows =
    row(1, text('A1', 'Invoice'), '<c r="B1" s="0"/>', '<c r="C1" s="0"/>') +
    row(2, text('A2', 'Item'), text('C2', 'Price'));
  const behind = '<mergeCells count="2"><mergeCell ref="A1:C1"/><mergeCell ref="A3:XFD1048576"/></mergeCells>';
  expect(tableOf((await read([{ name: 'S', rows, behind }])).markdown)).toEqual([
    ['Invoice', ''],
    ['Item', 'Price'],
  ]);
});

test('hidden rows and columns are read and said', async () => {
  const rows = `<row r="1" hidden="1">${text('A1', 'a')}</row>`;
  const { pages } = await read([
    { name: 'S', rows },
    { name: 'T', rows: row(1, text('A1', 'hidden="1"')) },
    { name: 'U', rows: row(1), before: '<cols><col min="1" max="1" hidden="true"/></cols>' },
  ]);
  expect(pages.map(({ warnings }) => warnings)).toEqual([['hidden_rows_or_columns'], [], ['hidden_rows_or_columns']]);
});

test('text boxes come behind the table; comments, pictures and charts are said', async () => {
  const drawing =
    '<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><xdr:sp><xdr:txBody><a:p><a:r><a:t>in a </a:t></a:r><a:r><a:t>box</a:t></a:r></a:p><a:p/></xdr:txBody></xdr:sp></xdr:wsDr>';
  const comments =
    '<comments xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><commentList><comment/><comment/></commentList></comments>';
  const { markdown, warnings } = await read(
    [{ name: 'S', rows: row(1, text('A1', 'a')), relations: { d: ['drawing', '../drawings/drawing1.xml'] } }],
    {
      parts: {
        'xl/drawings/drawing1.xml': drawing,
        'xl/comments1.xml': comments,
        'xl/media/image1.png': 'x',
        'xl/charts/chart1.xml': '<a/>',
      },
    },
  );
  expect(markdown).toBe('## S\n\n| a |\n| --- |\n\nin a box');
  expect(warnings).toEqual(['comments_left_out: 2', 'pictures_not_read: 1', 'charts_not_read: 1']);
});

test('strict Office Open XML, and elements with a prefix', async () => {
  const rows = row(1, text('A1', 'a'), '<c r="B1" t="d" s="1"><v>2026-03-05</v></c>');
  expect(tableOf((await read([{ name: 'S', rows }], { strict: true, formats: ['yyyy-mm-dd'] })).markdown)[0]).toEqual([
    'a',
    '2026-03-05',
  ]);
  const prefixed =
    '<x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><x:sheetData><x:row r="1"><x:c r="A1"><x:v>7</x:v></x:c></x:row></x:sheetData></x:worksheet>';
  expect(
    tableOf((await read([{ name: 'S', rows: '' }], { parts: { 'xl/worksheets/sheet0.xml': prefixed } })).markdown),
  ).toEqual([['7']]);
});

describe('case 42: what costs memory', () => {
  test('a far cell, an endless dimension, empty rows with formats', async () => {
    const rows =
      row(1, text('A1', 'near')) + '<row r="500" ht="9"/>'.repeat(2_000) + row(1048576, text('XFD1048576', 'far'));
    const { markdown } = await read([{ name: 'S', rows, before: '<dimension ref="A1:XFD1048576"/>' }]);
    expect(tableOf(markdown)).toEqual([
      ['near', ''],
      ['', 'far'],
    ]);
  });

  test.each([
    ['cells', row(1, number('A1', 1), number('B1', 1), number('C1', 1)), { cells: 2 }],
    ['empty cells with a format', row(1, '<c r="A1" s="1"/>', '<c r="B1" s="1"/>', '<c r="C1" s="1"/>'), { cells: 2 }],
    [
      'one long text that many cells show',
      row(1, ...'ABCDEFGH'.split('').map((at) => text(`${at}1`, 'x'.repeat(99)))),
      { characters: 500 },
    ],
  ])('%s', async (_, rows, budgets) => {
    await expect(read([{ name: 'S', rows }], {}, budgets)).rejects.toMatchObject({ code: 'file.too_large' });
  });
});

describe('old workbooks', () => {
  test('sheets, texts, numbers, dates', async () => {
    const bytes = makeXls({
      发票: [
        ['品名', '金额'],
        ['纸', 3.5],
        [true, new Date(Date.UTC(2026, 2, 5))],
      ],
      Empty: [],
    });
    const { type, markdown, pages } = await readText(bytes, 'a.xls');
    expect([type, pages.length, tableOf(markdown).slice(0, 2)]).toEqual([
      'xls',
      2,
      [
        ['品名', '金额'],
        ['纸', '3.5'],
      ],
    ]);
    expect(markdown).toContain('| TRUE | 2026-03-05 |');
  });

  const start = Buffer.from('0006050000000000000000000000000000', 'hex').subarray(0, 16);
  test.each([
    [
      'with a password',
      [
        [0x809, start],
        [0x2f, Buffer.alloc(6)],
      ],
      'file.password_required',
    ],
    [
      'with more cells than may be read',
      [[0x809, start], ...Array.from({ length: 50 }, () => [0xbe, Buffer.alloc(8_000)])],
      'file.too_large',
    ],
  ] as [string, [number, Uint8Array][], string][])('%s', async (_, records, code) => {
    const bytes = makeXlsOf(records);
    await expect(readText(bytes, 'a.xls', { ...DEFAULT_BUDGETS, cells: 100_000 })).rejects.toMatchObject({ code });
  });
});

test('a binary workbook is said to be one', async () => {
  await expect(readText(makeZip({ '_rels/.rels': '<a/>', 'xl/workbook.bin': 'x' }), 'a.xlsb')).rejects.toMatchObject({
    code: 'file.unsupported',
    message: expect.stringContaining('XLSB'),
  });
});
