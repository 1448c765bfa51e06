import { describe, expect, test } from 'vitest';
import { makeDocx, makeZip, paragraph, wordPart } from '../../../test/harness/make-documents.ts';
import { DEFAULT_BUDGETS } from '../budgets.ts';
import { readText } from '../read-text.ts';

const run = (text: string, properties = '') =>
  `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
const p = (content: string, properties = '') => `<w:p><w:pPr>${properties}</w:pPr>${content}</w:p>`;
const cell = (content: string, properties = '') => `<w:tc><w:tcPr>${properties}</w:tcPr>${content}</w:tc>`;
const row = (...cells: string[]) => `<w:tr>${cells.join('')}</w:tr>`;
const table = (...rows: string[]) => `<w:tbl>${rows.join('')}</w:tbl>`;
const box = (content: string) => `<v:shape><v:textbox><w:txbxContent>${content}</w:txbxContent></v:textbox></v:shape>`;

const read = async (...args: Parameters<typeof makeDocx>) => readText(makeDocx(...args), 'a.docx');
const markdownOf = async (...args: Parameters<typeof makeDocx>) => (await read(...args)).markdown;

describe('paragraphs', () => {
  test.each([
    [
      'tabs and wide gaps stay: values are found by them',
      `${run('No.:')}<w:r><w:tab/></w:r>${run('17     Date')}`,
      'No.:\t17     Date',
    ],
    ['line breaks', `${run('a')}<w:r><w:br/></w:r>${run('b')}`, 'a\nb'],
    [
      'bold, one piece of it, blanks outside',
      run('Total', '<w:b/>') + run(': ', '<w:b/>') + run('12'),
      '**Total:** 12',
    ],
    ['bold within a word', run('un') + run('friend', '<w:b/>') + run('ly'), 'unfriendly'],
    ['bold within Chinese', run('甲方') + run('张三', '<w:b/>') + run('签字'), '甲方**张三**签字'],
    ['crossed out', run('old', '<w:strike/>') + run(' new'), '~~old~~ new'],
    ['hidden', run('seen') + run(' not', '<w:vanish/>') + run(' again', '<w:vanish w:val="0"/>'), 'seen again'],
    ['powers', run('10') + run('6', '<w:vertAlign w:val="superscript"/>') + run(' m'), '10⁶ m'],
    ['symbols', `<w:r><w:sym w:font="Wingdings" w:char="F0FE"/></w:r>${run(' yes')}`, '☑ yes'],
    [
      'text that looks like Markdown stays as it is',
      run('# 1. *a* [b] &lt;c&gt; INV_2026_01 | d'),
      '# 1. *a* [b] <c> INV_2026_01 | d',
    ],
    [
      'the base of ruby',
      '<w:r><w:ruby><w:rt><w:r><w:t>とう</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>東</w:t></w:r></w:rubyBase></w:ruby></w:r>',
      '東',
    ],
  ])('%s', async (_, content, expected) => {
    expect(await markdownOf(p(content))).toBe(expected);
  });

  test('links; addresses that run something or are already shown are text alone', async () => {
    const link = (id: string, text: string) =>
      `<w:hyperlink r:id="${id}">${run(text, '<w:b/>')}${run('!')}</w:hyperlink>`;
    const links = { a: 'https://a.example/x', b: 'javascript:x()', c: 'https://c.example!/' };
    expect(await markdownOf(p(link('a', 'see') + link('b', 'this') + link('c', 'https://c.example')), {}, links)).toBe(
      '[see!](https://a.example/x)this!https://c.example!',
    );
  });

  test('headings by name, by level, by title; body text in the style of a heading is none', async () => {
    const style = (id: string, name: string, more = '') =>
      `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/>${more}</w:style>`;
    const styles = wordPart(
      'styles',
      style('T', 'Title') +
        style('H', 'heading 2') +
        style('Own', '章标题', '<w:basedOn w:val="H"/>') +
        style('Circle', 'x', '<w:basedOn w:val="Circle"/>') +
        style('Level', 'y', '<w:pPr><w:outlineLvl w:val="2"/></w:pPr>'),
    );
    const styled = (id: string, more = '') => p(run(id), `<w:pStyle w:val="${id}"/>${more}`);
    const body = `${styled('T')}${styled('H')}${styled('Own')}${styled('Circle')}${styled('Level')}${styled('H', '<w:outlineLvl w:val="9"/>')}`;
    expect(await markdownOf(body, { 'word/styles.xml': styles })).toBe(
      '# T\n\n## H\n\n## Own\n\nCircle\n\n### Level\n\nH',
    );
  });

  test('fields show their results, not what computes them; form fields show their state', async () => {
    const mark = (type: string, inner = '') => `<w:r><w:fldChar w:fldCharType="${type}">${inner}</w:fldChar></w:r>`;
    const code = (text: string) => `<w:r><w:instrText>${text}</w:instrText></w:r>`;
    const nested = `${mark('begin')}${code('IF ')}${mark('begin')}${code('REF x')}${mark('separate')}${run('inner')}${mark('end')}${code(' = 1')}${mark('separate')}${run('shown')}${mark('end')}`;
    const linked = `${mark('begin')}${code('HYPERLINK "https://a.example/"')}${mark('separate')}${run('here')}${mark('end')}`;
    const checkbox = (on: string) =>
      `${mark('begin', `<w:ffData><w:checkBox><w:default w:val="0"/>${on}</w:checkBox></w:ffData>`)}${code('FORMCHECKBOX')}${mark('end')}`;
    const body =
      p(`${nested} `) + p(linked) + p(`${checkbox('<w:checked/>')}${run('yes ')}${checkbox('')}${run('no')}`);
    expect(await markdownOf(body)).toBe('shown\n\n[here](https://a.example/)\n\n☑yes ☐no');
  });

  test('what tells people to type is not what they typed', async () => {
    const control = (prompt: string, text: string) =>
      `<w:sdt><w:sdtPr>${prompt}</w:sdtPr><w:sdtContent>${text}</w:sdtContent></w:sdt>`;
    const body =
      p(`${run('Name: ')}${control('<w:showingPlcHdr/>', run('Click here'))}`) + control('', p(run('typed')));
    expect(await markdownOf(body)).toBe('Name:\n\ntyped');
  });
});

describe('lists', () => {
  const level = (at: number, form: string, text: string, more = '') =>
    `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${form}"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`;
  const numbering = wordPart(
    'numbering',
    [
      `<w:abstractNum w:abstractNumId="0">${level(0, 'chineseCounting', '第%1条')}${level(1, 'decimal', '%1.%2', '<w:isLgl/>')}${level(2, 'lowerLetter', '(%3)')}</w:abstractNum>`,
      `<w:abstractNum w:abstractNumId="1">${level(0, 'bullet', '')}${level(1, 'bullet', 'o')}</w:abstractNum>`,
      `<w:abstractNum w:abstractNumId="2">${level(0, 'decimal', '%1、', '<w:suff w:val="nothing"/>')}</w:abstractNum>`,
      '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>',
      '<w:num w:numId="2"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num>',
      '<w:num w:numId="3"><w:abstractNumId w:val="1"/></w:num>',
      '<w:num w:numId="4"><w:abstractNumId w:val="2"/></w:num>',
    ].join(''),
  );
  const item = (text: string, list: number, at = 0) =>
    p(run(text), `<w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${list}"/></w:numPr>`);

  test('numbers as they are printed, over a paragraph between, of a list that begins elsewhere', async () => {
    const body = [
      item('Scope', 1),
      item('First', 1, 1),
      item('deep', 1, 2),
      item('Second', 1, 1),
      p(run('between')),
      item('Price', 1),
      item('Third', 1, 1),
      item('anew', 2),
      item('none', 0),
      item('joined', 4),
    ].join('');
    expect(await markdownOf(body, { 'word/numbering.xml': numbering })).toBe(
      '第一条 Scope\n  1.1 First\n    (a) deep\n  1.2 Second\n\nbetween\n\n第二条 Price\n  2.1 Third\n第五条 anew\n\nnone\n\n1、joined',
    );
  });

  test('bullets, and numbers in a table', async () => {
    const body = item('a', 3) + item('b', 3, 1) + table(row(cell(item('x', 1) + item('y', 1)), cell(p(run('z')))));
    expect(await markdownOf(body, { 'word/numbering.xml': numbering })).toBe(
      '- a\n  - b\n\n| 第一条 x  第二条 y | z |\n| --- | --- |',
    );
  });
});

describe('tables', () => {
  const t = (text: string) => p(run(text));

  test('merged cells stand where they begin; a bar in a cell is the only thing that is escaped', async () => {
    const body = table(
      row(cell(t('Name'), '<w:gridSpan w:val="2"/>'), cell(t('A|B'))),
      row(cell(t('left'), '<w:vMerge w:val="restart"/>'), cell(t('x_1')), cell(t('1'))),
      row(cell('<w:p/>', '<w:vMerge/>'), cell(t('y')), cell(t('2'))),
    );
    expect(await markdownOf(body)).toBe('| Name |  | A\\|B |\n| --- | --- | --- |\n| left | x_1 | 1 |\n|  | y | 2 |');
  });

  test('a table in a table comes after the row that it stands in', async () => {
    const inner = table(row(cell(t('p')), cell(t('q'))), row(cell(t('1')), cell(t('2'))));
    const body = table(
      row(cell(t('a')), cell(t('b'))),
      row(cell(t('Items')), cell(inner + t(''))),
      row(cell(t('c')), cell(t('d'))),
    );
    expect(await markdownOf(body)).toBe(
      '| a | b |\n| --- | --- |\n\nItems\n\n| p | q |\n| --- | --- |\n| 1 | 2 |\n\n| c | d |\n| --- | --- |',
    );
  });

  test('a frame of one cell around everything is no table', async () => {
    expect(await markdownOf(table(row(cell(t('one') + t('two')))))).toBe('one\n\ntwo');
  });

  test('two lines of a cell stay apart; empty rows and columns go', async () => {
    const body = table(
      row(cell(t('Name: A') + t('Tax ID: 1')), cell('<w:p/>'), cell(t('x'))),
      row(cell('<w:p/>'), cell('<w:p/>')),
    );
    expect(await markdownOf(body)).toBe('| Name: A  Tax ID: 1 | x |\n| --- | --- |');
  });

  test('a row that starts late, and a span wider than any table', async () => {
    const late = `<w:tr><w:trPr><w:gridBefore w:val="1"/></w:trPr>${cell(t('b'))}</w:tr>`;
    const body = table(row(cell(t('1')), cell(t('2'))), late, row(cell(t('wide'), '<w:gridSpan w:val="1000000000"/>')));
    expect(await markdownOf(body)).toBe('| 1 | 2 |\n| --- | --- |\n|  | b |\n| wide |  |');
  });
});

test('the final text of tracked changes, which are said', async () => {
  const deleted = (text: string) => `<w:del w:id="1"><w:r><w:delText>${text}</w:delText></w:r></w:del>`;
  const body = [
    p(
      `${run('Price ')}${deleted('10')}<w:ins w:id="2">${run('12')}</w:ins><w:moveFrom>${run(' gone')}</w:moveFrom><w:moveTo>${run(' here')}</w:moveTo>`,
    ),
    p(run('one '), '<w:rPr><w:del w:id="3"/></w:rPr>'),
    p(run('line')),
    table(
      row(cell(p(run('a'))), cell(p(run('b')))),
      `<w:tr><w:trPr><w:del w:id="4"/></w:trPr>${cell(p(run('c')))}</w:tr>`,
    ),
  ].join('');
  const { markdown, warnings } = await read(body);
  expect(markdown).toBe('Price 12 here\n\none line\n\n| a | b |\n| --- | --- |');
  expect(warnings).toEqual(['tracked_changes_accepted: 6']);
});

test('headers that are shown come first, the same one once; footers come last', async () => {
  const section = (...references: string[]) =>
    `<w:sectPr>${references.map((one) => `<w:${one.replace(/\d/, '')}Reference w:type="${one.endsWith('2') ? 'first' : one.endsWith('3') ? 'even' : 'default'}" r:id="${one}"/>`).join('')}</w:sectPr>`;
  const parts = {
    'word/header1.xml': wordPart('hdr', paragraph('ACME')),
    'word/header2.xml': wordPart('hdr', paragraph('of a first page that has none')),
    'word/header3.xml': wordPart('hdr', paragraph('of even pages that have none')),
    'word/header4.xml': wordPart('hdr', paragraph('ACME')),
    'word/footer1.xml': wordPart('ftr', paragraph('Bank 17')),
  };
  const body = p(run('text'), section('header1', 'header2', 'header3', 'footer1')) + section('header4');
  expect(await markdownOf(body, parts)).toBe('ACME\n\ntext\n\nBank 17');
  const first = body.replaceAll('</w:sectPr>', '<w:titlePg/></w:sectPr>');
  expect(await markdownOf(first, parts)).toBe('ACME\n\nof a first page that has none\n\ntext\n\nBank 17');
});

test('footnotes and endnotes come after the text in the order of their marks', async () => {
  const note = (kind: string, id: number, content: string) => `<w:${kind} w:id="${id}">${content}</w:${kind}>`;
  const mark = (kind: string, id: number) => `<w:r><w:${kind}Reference w:id="${id}"/></w:r>`;
  const parts = {
    'word/footnotes.xml': wordPart(
      'footnotes',
      note('footnote', -1, p(run('separator'))) +
        note('footnote', 2, p(`<w:r><w:footnoteRef/></w:r>${run(' first')}`) + p(run('more'))) +
        note('footnote', 3, p(run(`again`) + mark('footnote', 3))),
    ),
    'word/endnotes.xml': wordPart('endnotes', note('endnote', 2, p(run('end')))),
  };
  const body = p(run('a') + mark('footnote', 2) + run(' b') + mark('endnote', 2) + run(' c') + mark('footnote', 3));
  expect(await markdownOf(body, parts)).toBe('a[1] b[2] c[3]\n\n[1] first\n\nmore\n\n[2] end\n[3] again[3]');
});

test('text boxes come once, behind their paragraph', async () => {
  const both = `<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><w:txbxContent>${p(run('new'))}</w:txbxContent></w:drawing></mc:Choice><mc:Fallback><w:pict>${box(p(run('old')))}</w:pict></mc:Fallback></mc:AlternateContent></w:r>`;
  const body =
    p(run('before') + both + run(' after')) +
    p(`<w:r><w:pict>${box(table(row(cell(p(run('x'))), cell(p(run('y'))))))}</w:pict></w:r>`);
  expect(await markdownOf(body)).toBe('before after\n\nnew\n\n| x | y |\n| --- | --- |');
});

test('formulas are lines of text', async () => {
  const r = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`;
  const formula = `<m:oMath>${r('x=')}<m:f><m:num>${r('a+b')}</m:num><m:den>${r('2')}</m:den></m:f>${r('+')}<m:sSup><m:e>${r('c')}</m:e><m:sup>${r('2')}</m:sup></m:sSup></m:oMath>`;
  expect(await markdownOf(p(run('With') + formula + run('.')))).toBe('With x=(a+b)/2+c^2 .');
});

test('comments, pictures and embedded files are left out and said, and so is hidden text', async () => {
  const body = [
    p(`${run('a')}<w:r><w:commentReference w:id="1"/></w:r>${run('hidden', '<w:vanish/>')}`),
    p('<w:r><w:drawing><pic:pic/></w:drawing></w:r><w:r><w:pict><v:imagedata/></w:pict></w:r>'),
    p('<w:r><w:object><v:shape><v:imagedata/></v:shape></w:object></w:r>'),
    '<w:altChunk r:id="x"/>',
  ].join('');
  const { markdown, warnings } = await read(body, { 'word/comments.xml': wordPart('comments', p(run('a comment'))) });
  expect(markdown).toBe('a');
  expect(warnings.toSorted()).toEqual([
    'comments_left_out: 1',
    'embedded_files_not_read: 2',
    'hidden_text_left_out: 1',
    'pictures_not_read: 2',
  ]);
});

test('strict Office Open XML, any prefix, any name of the part, separators of Windows', async () => {
  const strict = 'http://purl.oclc.org/ooxml';
  const bytes = makeZip({
    '_rels\\.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="a" Type="${strict}/officeDocument/relationships/officeDocument" Target="/word/Document2.xml"/></Relationships>`,
    'word\\document2.xml': `<x:document xmlns:x="${strict}/wordprocessingml/main"><x:body><x:p><x:r><x:t>text</x:t></x:r></x:p></x:body></x:document>`,
  });
  expect((await readText(bytes, 'a.docx')).markdown).toBe('text');
});

describe('what is refused', () => {
  const refused = (body: string, budgets = {}, parts = {}) =>
    expect(readText(makeDocx(body, parts), 'a.docx', { ...DEFAULT_BUDGETS, ...budgets })).rejects;
  test.each([
    ['elements that are not closed', '<w:p>', {}, 'file.invalid'],
    ['changes that never end', `<w:p>${'<w:del w:id="1">'.repeat(1_000)}</w:p>`, {}, 'file.too_deep'],
    ['tables in tables without end', '<w:tbl><w:tr><w:tc>'.repeat(200), {}, 'file.too_deep'],
    ['too many elements', p(run('a')).repeat(10), { elements: 30 }, 'file.too_large'],
    ['too many cells', table(row(cell(p(run('a'))), cell(p(run('b'))))), { cells: 1 }, 'file.too_large'],
  ])('%s', async (_, body, budgets, code) => {
    await refused(body, budgets).toMatchObject({ code, errorClass: 'permanent' });
  });
});
