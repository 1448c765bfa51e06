import { describe, expect, test } from 'vitest';
import { makeZip } from '../../../test/harness/make-documents.ts';
import { makeOdf } from '../../../test/harness/make-office-documents.ts';
import { DEFAULT_BUDGETS } from '../budgets.ts';
import { readText } from '../read-text.ts';

type Parts = Parameters<typeof makeOdf>[2];
const odt = (body: string, parts?: Parts) => readText(makeOdf('text', body, parts), 'a.odt');
const ods = (body: string, parts?: Parts, budgets = {}) =>
  readText(makeOdf('spreadsheet', body, parts), 'a.ods', { ...DEFAULT_BUDGETS, ...budgets });
const odp = (body: string, parts?: Parts) => readText(makeOdf('presentation', body, parts), 'a.odp');
const p = (content: string, style = '') => `<text:p text:style-name="${style}">${content}</text:p>`;
const cell = (content: string, more = '') => `<table:table-cell ${more}>${content}</table:table-cell>`;
const row = (content: string, more = '') => `<table:table-row ${more}>${content}</table:table-row>`;
const table = (content: string, more = '') => `<table:table ${more}>${content}</table:table>`;
const style = (name: string, text: string) =>
  `<style:style style:name="${name}"><style:text-properties ${text}/></style:style>`;

describe('texts', () => {
  test.each([
    [
      'blanks fold, written ones stay',
      p('a \n b<text:s text:c="4"/>c<text:tab/>d<text:line-break/>e'),
      'a b    c\td\ne',
    ],
    ['headings', '<text:h text:outline-level="2">A</text:h>', '## A'],
    ['links', p('<text:a xlink:href="https://a.example/x">here</text:a>'), '[here](https://a.example/x)'],
    [
      'sections and tables of contents',
      `<text:section>${p('a')}</text:section><text:table-of-content><text:index-body>${p('b')}</text:index-body></text:table-of-content>`,
      'a\n\nb',
    ],
    [
      'the base of ruby',
      p('<text:ruby><text:ruby-base>東</text:ruby-base><text:ruby-text>とう</text:ruby-text></text:ruby>'),
      '東',
    ],
    [
      'text boxes behind their paragraph',
      p(`a<draw:frame><draw:text-box>${p('box')}</draw:text-box></draw:frame>b`),
      'ab\n\nbox',
    ],
    [
      'a formula in the line',
      p(
        'x <draw:frame><draw:object><math:math><math:msup><math:mi>a</math:mi><math:mn>2</math:mn></math:msup></math:math></draw:object></draw:frame>',
      ),
      'x  a^2',
    ],
  ])('%s', async (_, body, expected) => {
    expect((await odt(body)).markdown).toBe(expected);
  });

  test('bold, crossed out and hidden by style; the title', async () => {
    const automatic =
      style('B', 'fo:font-weight="bold"') +
      style('S', 'style:text-line-through-style="solid"') +
      style('H', 'text:display="none"');
    const span = (name: string, text: string) => `<text:span text:style-name="${name}">${text}</text:span>`;
    const { markdown, warnings } = await odt(
      `${p('Offer', 'Title')}${p(`${span('B', 'a')} ${span('S', 'b')} ${span('H', 'c')}`)}${p('d', 'H')}`,
      { automatic },
    );
    expect([markdown, warnings]).toEqual(['# Offer\n\n**a** ~~b~~', ['hidden_text_left_out: 2']]);
  });

  test('lists with their numbers, going on and beginning anew', async () => {
    const level = (at: number, format: string, more = '') =>
      `<text:list-level-style-number text:level="${at}" style:num-format="${format}" style:num-suffix="." ${more}/>`;
    const automatic = `<text:list-style style:name="L">${level(1, '1')}${level(2, '1', 'text:display-levels="2"')}</text:list-style>
      <text:list-style style:name="C">${level(1, '一, 二, 三, ...', 'style:num-prefix="第"')}<text:list-level-style-bullet text:level="2"/></text:list-style>`;
    const item = (content: string, more = '') => `<text:list-item ${more}>${content}</text:list-item>`;
    const list = (name: string, content: string, more = '') =>
      `<text:list text:style-name="${name}" ${more}>${content}</text:list>`;
    const body = [
      list('L', item(p('a')) + item(`${p('b') + p('more')}<text:list>${item(p('c'))}</text:list>`), 'xml:id="l1"'),
      p('between'),
      list('L', item(p('d')), 'text:continue-numbering="true"'),
      list('L', item(p('e')) + item(p('f'), 'text:start-value="9"')),
      list('L', item(p('g')), 'text:continue-list="l1"'),
      list('C', item(p('h')) + item(`<text:list>${item(p('i'))}</text:list>`) + item(p('j'))),
    ].join('');
    expect((await odt(body, { automatic })).markdown).toBe(
      '1. a\n2. b\nmore\n  2.1. c\n\nbetween\n\n3. d\n1. e\n9. f\n4. g\n第一. h\n  - i\n第二. j',
    );
  });

  test('headings with the numbers of their outline', async () => {
    const common =
      '<office:styles><text:outline-style><text:outline-level-style text:level="1" style:num-format="1" style:num-suffix="."/><text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2"/></text:outline-style></office:styles>';
    const h = (level: number, text: string) => `<text:h text:outline-level="${level}">${text}</text:h>`;
    expect(
      (await odt(h(1, 'A') + h(2, 'B') + h(2, 'C') + h(1, 'D') + h(2, 'E'), { common })).markdown.split('\n\n'),
    ).toEqual(['# 1. A', '## 1.1 B', '## 1.2 C', '# 2. D', '## 2.1 E']);
  });

  test('tables, merged cells, tables in tables', async () => {
    const body = table(
      `<table:table-header-rows>${row(`${cell(p('A'), 'table:number-columns-spanned="2"')}<table:covered-table-cell/>${cell(p('B'))}`)}</table:table-header-rows>` +
        row(cell(p('1')) + cell(p('2')) + cell(p('3') + p('4'))) +
        row(cell(p('x')) + cell(table(row(cell(p('i')) + cell(p('j'))))) + cell('')),
    );
    expect((await odt(body)).markdown).toBe(
      '| A |  | B |\n| --- | --- | --- |\n| 1 | 2 | 3  4 |\n\nx\n\n| i | j |\n| --- | --- |',
    );
  });

  test('headers first, notes and footers last', async () => {
    const common = `<office:master-styles><style:master-page><style:header>${p('ACME')}</style:header><style:header-left style:display="false">${p('not shown')}</style:header-left><style:footer>${p('Bank')}</style:footer></style:master-page><style:master-page><style:header>${p('ACME')}</style:header></style:master-page></office:master-styles>`;
    const note = `<text:note><text:note-citation>1</text:note-citation><text:note-body>${p('the note')}</text:note-body></text:note>`;
    expect((await odt(p(`a${note} b`), { common })).markdown).toBe('ACME\n\na[1] b\n\n[1] the note\n\nBank');
  });

  test('comments, changes, pictures, charts and embedded files are said', async () => {
    const frame = (content: string) => `<draw:frame>${content}</draw:frame>`;
    const chart =
      '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"><office:body><office:chart/></office:body></office:document-content>';
    const body = `<text:tracked-changes><text:changed-region><text:deletion>${p('old')}</text:deletion></text:changed-region></text:tracked-changes>${p(
      `a<office:annotation>${p('comment')}</office:annotation>${frame('<draw:image/>')}${frame('<draw:object xlink:href="./Object 1"/><draw:image/>')}${frame('<draw:object-ole/>')}`,
    )}`;
    const { markdown, warnings } = await odt(body, { files: { 'Object 1/content.xml': chart } });
    expect(markdown).toBe('a');
    expect(warnings.toSorted()).toEqual([
      'charts_not_read: 1',
      'comments_left_out: 1',
      'embedded_files_not_read: 1',
      'pictures_not_read: 1',
      'tracked_changes_accepted: 1',
    ]);
  });
});

describe('workbooks', () => {
  test('sheets are pages; what cells show, else their values', async () => {
    const automatic = '<style:style style:name="hid"><style:table-properties table:display="false"/></style:style>';
    const value = (type: string, more: string) => cell('', `office:value-type="${type}" ${more}`);
    const first = table(
      row(
        cell(p('品名')) + cell(p('金额')) + cell(`<office:annotation>${p('comment')}</office:annotation>${p('19 %')}`),
      ) +
        row(
          value('currency', 'office:value="12.5" office:currency="EUR"') +
            value('percentage', 'office:value="0.07"') +
            value('date', 'office:date-value="2026-03-05T10:00:00"'),
        ) +
        row(cell(p('a') + p('b')) + cell(p('#DIV/0!')) + value('boolean', 'office:boolean-value="true"')),
      'table:name="发票"',
    );
    const second = table(row(cell(p('x'))), 'table:name="Two" table:style-name="hid"');
    const { markdown, pages, warnings } = await ods(first + second, { automatic });
    expect(markdown).toBe(
      '## 发票\n\n| 品名 | 金额 | 19 % |\n| --- | --- | --- |\n| 12.5 EUR | 7% | 2026-03-05 10:00:00 |\n| a  b | #DIV/0! | TRUE |\n\n## Two\n\n| x |\n| --- |',
    );
    expect(pages.map((one) => [one.page, one.warnings])).toEqual([
      [1, []],
      [2, ['hidden_sheet']],
    ]);
    expect(warnings).toEqual(['comments_left_out: 1']);
  });

  test('repeated cells and rows; those without text cost nothing', async () => {
    const body = table(
      row(
        cell(p('a'), 'table:number-columns-repeated="2"') +
          cell('', 'table:number-columns-repeated="16000"') +
          cell(p('far')),
      ) +
        row(cell('', 'table:number-columns-repeated="16384"'), 'table:number-rows-repeated="1048000"') +
        row(cell(p('b')), 'table:number-rows-repeated="2"'),
      'table:name="S"',
    );
    expect((await ods(body)).markdown.split('\n').slice(2)).toEqual([
      '| a | a | far |',
      '| --- | --- | --- |',
      '| b |  |  |',
      '| b |  |  |',
    ]);
  });

  test.each([
    ['a cell', row(cell(p('a'), 'table:number-columns-repeated="999999999"'))],
    ['a row', row(cell(p('a')), 'table:number-rows-repeated="999999999"')],
  ])('case 42: %s that is repeated a billion times', async (_, content) => {
    await expect(ods(table(content))).rejects.toMatchObject({ code: 'file.too_large' });
  });
});

test('presentations: slides are pages, title first, notes last', async () => {
  const automatic =
    '<style:style style:name="hid"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>';
  const frame = (kind: string, text: string) =>
    `<draw:frame presentation:class="${kind}"><draw:text-box>${p(text)}</draw:text-box></draw:frame>`;
  const slides = [
    `<draw:page>${frame('outline', 'one')}${frame('title', 'Offer')}${frame('page-number', '7')}<draw:custom-shape>${p('shape')}</draw:custom-shape><presentation:notes>${frame('notes', 'say this')}</presentation:notes></draw:page>`,
    `<draw:page draw:style-name="hid"><draw:g>${frame('', 'deep')}</draw:g></draw:page>`,
  ].join('');
  const { markdown, pages } = await odp(slides, { automatic });
  expect(markdown).toBe('## Offer\n\none\n\nshape\n\n### Notes\n\nsay this\n\ndeep');
  expect(pages.map((one) => one.warnings)).toEqual([[], ['hidden_slide']]);
});

describe('what is refused', () => {
  const manifest =
    '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>';
  test.each([
    ['a password', makeOdf('text', '', { files: { 'META-INF/manifest.xml': manifest } }), 'file.password_required'],
    ['no content', makeZip({ mimetype: 'application/vnd.oasis.opendocument.text' }), 'file.invalid'],
    ['a drawing', makeZip({ mimetype: 'application/vnd.oasis.opendocument.graphics' }), 'file.unsupported'],
    ['nesting without end', makeOdf('text', '<text:section>'.repeat(500)), 'file.too_deep'],
  ])('%s', async (_, bytes, code) => {
    await expect(readText(bytes, 'a.odt')).rejects.toMatchObject({ code });
  });
});
