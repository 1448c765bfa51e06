import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { makeDocx, makePdf, makeXlsx, paragraph, wordPart } from '../../test/harness/make-documents.ts';
import { DEFAULT_BUDGETS } from './budgets.ts';
import { readText } from './read-text.ts';
import { writeZip } from './zip.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const permanent = (code: string) => expect.objectContaining({ code, errorClass: 'permanent' });
const markdownOf = async (bytes: Uint8Array, name: string) => (await readText(bytes, name)).markdown;
const mail = (...lines: string[]) => latin1(['From: A <a@example.com>', 'Subject: Outer', ...lines].join('\r\n'));

describe('what is refused', () => {
  const cut = makePdf([[{ x: 50, y: 700, text: 'x'.repeat(4000) }]]).subarray(0, 3000);
  const cfb = (name: string) =>
    Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600), Buffer.from(name, 'utf16le')]);
  // The same length of a name, and nobody finds it.
  const lacking = (bytes: Uint8Array, part: string) =>
    latin1(Buffer.from(bytes).toString('latin1').replaceAll(`xl/${part}`, `xx/${part}`));
  test.each([
    ['case 34: zero bytes', new Uint8Array(), 'a.pdf', 'file.empty'],
    ['case 34: five bytes of text named as PDF', latin1('hello'), 'b.pdf', 'file.invalid'],
    ['case 34: a PDF cut at 3,000 bytes', cut, 'c.pdf', 'pdf.invalid'],
    ['a PDF with a password', makePdf([[]], { locked: true }), 'd.pdf', 'file.password_required'],
    ['an Office file with a password', cfb('EncryptedPackage'), 'e.docx', 'file.password_required'],
    ['an old Office file', cfb('WordDocument'), 'f.doc', 'file.unsupported'],
    [
      'a picture that is cut off, whatever its name',
      Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
      'g.txt',
      'file.invalid',
    ],
    ['an archive of other things', writeZip([['a.txt', latin1('a')]]), 'h.zip', 'file.unsupported'],
    ['a cut archive', makeDocx(paragraph('a')).subarray(0, 200), 'i.docx', 'file.invalid'],
    ['binary content', Uint8Array.from([1, 2, 0, 3, 200, 0, 0, 7]), 'j.txt', 'file.unsupported'],
    ['a mail without headers', latin1('hello'), 'k.eml', 'file.invalid'],
    [
      'a workbook that lacks its sheet',
      lacking(makeXlsx({ A1: 1 }), 'worksheets/sheet1.xml'),
      'm.xlsx',
      'file.invalid',
    ],
    ['a workbook without its parts', writeZip([['xl/workbook.xml', latin1('<a')]]), 'l.xlsx', 'file.invalid'],
  ])('%s', async (_, bytes, name, code) => {
    await expect(readText(bytes, name)).rejects.toEqual(permanent(code));
  });

  test('what is over a budget', async () => {
    const over = (bytes: Uint8Array, name: string, budget: Partial<typeof DEFAULT_BUDGETS>, now?: () => number) =>
      expect(readText(bytes, name, { ...DEFAULT_BUDGETS, ...budget }, now)).rejects;
    await over(latin1('12345'), 'a.txt', { bytes: 4 }).toEqual(permanent('file.too_large'));
    await over(makePdf([[], []]), 'a.pdf', { pages: 1 }).toEqual(permanent('file.too_large'));
    await over(latin1('a,b\nc,d\n'), 'a.csv', { cells: 3 }).toEqual(permanent('file.too_large'));
    await over(makeXlsx({ A1: 1, A2: 2 }), 'a.xlsx', { cells: 1 }).toEqual(permanent('file.too_large'));
    await over(makeDocx(paragraph('a')), 'a.docx', { archiveEntries: 2 }).toEqual(permanent('file.too_large'));
    let time = 0;
    const slow = () => (time += 1000);
    await over(makePdf([[], [], []]), 'a.pdf', { milliseconds: 1500 }, slow).toEqual(permanent('file.too_slow'));
  });

  test.each([true, false])(
    'case 46: an archive that expands beyond its budget (honest about it: %s)',
    async (honest) => {
      const bomb = deflateRawSync(Buffer.alloc(40 * 2 ** 20));
      const bytes = Buffer.from(writeZip([['word/document.xml', bomb]]));
      const directory = bytes.readUInt32LE(bytes.length - 6);
      bytes.writeUInt16LE(8, 8);
      bytes.writeUInt16LE(8, directory + 10);
      bytes.writeUInt32LE(honest ? 0xfffffff0 : 100, directory + 24);
      expect(bytes.length).toBeLessThan(60_000);
      await expect(readText(bytes, 'bomb.docx')).rejects.toEqual(permanent('file.too_large'));
    },
  );
});

test('the content counts more than the name, and the disagreement is said', async () => {
  const { type, warnings } = await readText(makePdf([[{ x: 50, y: 700, text: 'Hi' }]]), 'invoice.docx');
  expect([type, warnings]).toEqual(['pdf', ['name_disagrees: the name ends with .docx, the content is pdf']]);
  expect((await readText(latin1('<!DOCTYPE html><p>Hi'), 'page.txt')).type).toBe('html');
  expect((await readText(Buffer.concat([latin1('junk\n'), makePdf([[]])]), 'a.pdf')).warnings).toEqual([]);
});

describe('PDF', () => {
  test('lines by position, a plain table, paragraphs', async () => {
    const row = (y: number, ...cells: string[]) => cells.map((text, at) => ({ x: 50 + at * 150, y, text }));
    const page = [
      ...row(600, 'Paper', '2', '10.00'),
      ...row(620, 'Item', 'Count', 'Price | EUR'),
      { x: 50, y: 700, text: 'Invoice' },
      { x: 94, y: 700, text: '4711' },
      { x: 50, y: 686, text: 'Berlin' },
      ...row(580, 'Ink', '1', '7.50'),
    ];
    expect(await markdownOf(makePdf([page]), 'a.pdf')).toBe(
      'Invoice 4711\nBerlin\n\n| Item | Count | Price \\| EUR |\n| --- | --- | --- |\n| Paper | 2 | 10.00 |\n| Ink | 1 | 7.50 |',
    );
  });

  test('two columns of running text are read one after the other', async () => {
    const words = 'this line of the column is long enough';
    const page = [0, 1, 2, 3, 4].flatMap((at) => [
      { x: 40, y: 700 - at * 14, text: `left ${at} ${words}` },
      { x: 320, y: 700 - at * 14, text: `right ${at} ${words}` },
    ]);
    const found = (await markdownOf(makePdf([page]), 'a.pdf')).match(/(left|right) \d/g);
    expect(found).toEqual(['left', 'right'].flatMap((side) => [0, 1, 2, 3, 4].map((at) => `${side} ${at}`)));
  });

  test.each([90, 180, 270])('a page turned by %i degrees keeps its lines together', async (rotate) => {
    const page = [
      { x: 50, y: 700, text: 'Total' },
      { x: 90, y: 700, text: '12' },
    ];
    expect(await markdownOf(makePdf([page], { rotate }), 'a.pdf')).toBe('Total 12');
  });

  test('text written upwards, with a note across it, is read line by line', async () => {
    const page = [
      { x: 130, y: 60, text: 'second line', upwards: true },
      { x: 112, y: 60, text: 'first line', upwards: true },
      { x: 60, y: 62, text: 'note' },
    ];
    expect(await markdownOf(makePdf([page]), 'a.pdf')).toBe('first line\nsecond line\n\nnote');
  });

  test('case 38: a page without a text layer needs OCR, the others keep their order', async () => {
    const text = (what: string) => [{ x: 50, y: 700, text: what }];
    const { markdown, pages } = await readText(makePdf([text('first'), null, text('third')]), 'a.pdf');
    expect(markdown).toBe('first\n\nthird');
    expect(pages).toEqual([
      { page: 1, start: 0, method: 'text', characters: 5, score: 1, warnings: [] },
      { page: 2, start: null, method: 'none', characters: 0, score: null, warnings: ['needs_ocr'] },
      { page: 3, start: 7, method: 'text', characters: 5, score: 1, warnings: [] },
    ]);
  });

  test('case 39: Chinese in a font that needs cMaps, across and downwards', async () => {
    const text = '可信数据空间';
    expect(await markdownOf(makePdf([[{ x: 50, y: 700, text, font: 'chinese' }]]), 'a.pdf')).toBe(text);
    const columns = [
      { x: 300, y: 700, text: '数据', font: 'vertical' as const },
      { x: 330, y: 700, text: '可信', font: 'vertical' as const },
    ];
    expect((await markdownOf(makePdf([columns]), 'a.pdf')).replace(/\s/g, '')).toBe('可信数据');
  });

  test('case 19: a corrupt file leaves the next one readable', async () => {
    await expect(readText(latin1('%PDF-1.7\nnothing'), 'a.pdf')).rejects.toEqual(permanent('pdf.invalid'));
    expect(await markdownOf(makePdf([[{ x: 50, y: 700, text: 'good' }]]), 'b.pdf')).toBe('good');
  });
});

describe('DOCX', () => {
  test('headers, footers, text boxes, tables and the final text of tracked changes', async () => {
    const run = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
    const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`;
    const body = [
      `<w:p><w:pPr><w:rPr><w:del w:id="9"/></w:rPr></w:pPr>${run('Price ')}<w:del w:id="1"><w:r><w:delText>10</w:delText></w:r></w:del><w:ins w:id="2">${run('12')}</w:ins>`,
      `<w:moveFrom>${run(' moved')}</w:moveFrom></w:p>`,
      `<w:p><w:r><w:pict><v:shape><v:textbox><w:txbxContent>${paragraph('in a box')}</w:txbxContent></v:textbox></v:shape></w:pict></w:r></w:p>`,
      `<w:tbl><w:tr>${cell('品名')}${cell('金额')}</w:tr><w:tr>${cell('纸')}${cell('3')}</w:tr></w:tbl>`,
      '<w:sectPr><w:headerReference w:type="default" r:id="header1"/><w:headerReference w:type="first" r:id="header2"/><w:footerReference w:type="default" r:id="footer1"/><w:titlePg/></w:sectPr>',
    ].join('');
    const bytes = makeDocx(body, {
      'word/header1.xml': wordPart('hdr', paragraph('ACME GmbH')),
      'word/header2.xml': wordPart('hdr', paragraph('ACME GmbH')),
      'word/footer1.xml': wordPart('ftr', paragraph('Page foot')),
    });
    expect(await markdownOf(bytes, 'a.docx')).toBe(
      'ACME GmbH\n\nPrice 12\n\nin a box\n\n| 品名 | 金额 |\n| --- | --- |\n| 纸 | 3 |\n\nPage foot',
    );
  });
});

describe('XLSX', () => {
  test('shows what a person sees: dates, percentages, numbers', async () => {
    const bytes = makeXlsx({ A1: '日期', B1: '税率', A2: 'date:46086', B2: 'percent:0.19' });
    expect(await markdownOf(bytes, 'a.xlsx')).toBe('## 发票\n\n| 日期 | 税率 |\n| --- | --- |\n| 2026-03-05 | 19% |');
  });

  test('case 42: one far cell costs no more than a near one', async () => {
    const bytes = makeXlsx({ A1: 'near', XFD1048576: 'far' });
    const before = process.memoryUsage().rss;
    const { markdown, pages } = await readText(bytes, 'a.xlsx');
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 2 ** 20);
    expect(markdown).toBe('## 发票\n\n| near |  |\n| --- | --- |\n|  | far |');
    expect(pages[0]!.start).toBe(0);
    expect(pages[0]!.warnings).toEqual(['empty_rows_or_columns_left_out']);
  });

  test('cells on a diagonal are listed, not drawn with all the holes', async () => {
    const wide = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`${letters(at * 3)}${at * 5 + 1}`, at]));
    const { markdown, pages } = await readText(makeXlsx(wide), 'a.xlsx');
    expect(pages[0]!.warnings).toEqual(['scattered_cells']);
    expect(markdown).toContain('- A1: 0\n- D6: 1\n');
  });
});

const letters = (at: number): string =>
  (at >= 26 ? letters(Math.floor(at / 26) - 1) : '') + String.fromCharCode(65 + (at % 26));

describe('text and CSV in their encodings', () => {
  const gb = Buffer.from('c6b7c3fb2cbdf0b6ee0ad6bd2c330a', 'hex');
  const utf16 = (text: string, big: boolean) => {
    const bytes = Buffer.from(text, 'utf16le');
    return big ? bytes.swap16() : bytes;
  };
  test.each([
    ['UTF-8', Buffer.from('品名,金额\n纸,3\n'), []],
    ['UTF-8 with a mark', Buffer.from('\ufeff品名,金额\n纸,3\n'), []],
    ['UTF-16, little end first', utf16('\ufeff品名,金额\n纸,3\n', false), ['encoding: utf-16le']],
    ['UTF-16, big end first', utf16('\ufeff品名,金额\n纸,3\n', true), ['encoding: utf-16be']],
    ['UTF-16 without a mark', utf16('品名,金额\n纸,3\n', false), ['encoding: utf-16le']],
    ['GB18030', gb, ['encoding: gb18030']],
  ])('%s', async (_, bytes, warnings) => {
    const read = await readText(bytes, 'a.csv');
    expect(read.markdown).toBe('| 品名 | 金额 |\n| --- | --- |\n| 纸 | 3 |');
    expect(read.warnings).toEqual(warnings);
  });

  test('Windows-1252', async () => {
    const bytes = latin1('M\xfcller zahlt 5 \x80 f\xfcr \xdcbung\r\nGr\xfc\xdfe');
    const { markdown, warnings } = await readText(bytes, 'a.txt');
    expect([markdown, warnings]).toEqual(['Müller zahlt 5 € für Übung\nGrüße', ['encoding: windows-1252']]);
  });

  test.each([
    ['a;b\n1,5;2,5\n', '| a | b |\n| --- | --- |\n| 1,5 | 2,5 |'],
    ['a\tb\n1\t2\n', '| a | b |\n| --- | --- |\n| 1 | 2 |'],
    ['sep=|\na|b\n1|2', '| a | b |\n| --- | --- |\n| 1 | 2 |'],
    ['a,b\n"x ""y"", z\nnext",\n', '| a | b |\n| --- | --- |\n| x "y", z  next |  |'],
    ['a\n1\n', '| a |\n| --- |\n| 1 |'],
  ])('CSV %j', async (text, expected) => {
    expect(await markdownOf(latin1(text), 'a.csv')).toBe(expected);
  });

  test('rows of different length are filled up and said', async () => {
    const { markdown, warnings } = await readText(latin1('a,b\n1\n'), 'a.csv');
    expect([markdown.split('\n')[2], warnings]).toEqual(['| 1 |  |', ['ragged_rows: rows have 1 to 2 cells']]);
  });

  test('Markdown stays as it is', async () => {
    expect(await markdownOf(latin1('# A\r\n\r\n* b\r\n'), 'a.md')).toBe('# A\n\n* b');
  });
});

describe('HTML', () => {
  test('case 44: nothing hidden, no scripts, no links that run something', async () => {
    const html = `<!doctype html><title>t</title><style>p{}</style><h1>Offer</h1><div style="display:none">ignore all</div>
      <p hidden>no</p><script>alert(1)</script><p>See <a href="java&#10;script:x()">this</a> and <a href="https://a.example/b">that</a></p>`;
    expect(await markdownOf(latin1(html), 'a.html')).toBe('# Offer\n\nSee this and [that](https://a.example/b)');
  });

  test('case 44: a table of 8,000 rows', async () => {
    const rows = Array.from({ length: 8000 }, (_, at) => `<tr><td>${at}</td><td>b</td></tr>`).join('');
    const lines = (await markdownOf(latin1(`<html><table>${rows}</table>`), 'a.html')).split('\n');
    expect([lines.length, lines[0]!.replace(/ +/g, ' ')]).toEqual([8001, '| 0 | b |']);
  });

  test.each([1000, 20_000])('case 44: %i nested elements are an error with a code', async (depth) => {
    await expect(readText(latin1(`<html>${'<div>'.repeat(depth)}x`), 'a.html')).rejects.toEqual(
      permanent('file.too_deep'),
    );
  });
});

describe('mail, case 43', () => {
  test('quoted-printable in ISO-8859-15', async () => {
    const bytes = mail(
      'To: B <b@example.com>',
      'Date: Thu, 5 Mar 2026 10:00:00 +0100',
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset=ISO-8859-15',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      'Summe 5 =A4',
    );
    expect(await markdownOf(bytes, 'a.eml')).toBe(
      '- From: A <a@example.com>\n- To: B <b@example.com>\n- Date: 2026-03-05T10:00:00+01:00\n- Subject: Outer\n\nSumme 5 €',
    );
  });

  test('a header glued to the one before', async () => {
    const glued = mail(
      'MIME-Version: 1.0',
      'Content-Type: text/plain; charset="utf-8"content-transfer-encoding: 8bit',
      '',
      'Gr\xc3\xbc\xc3\x9fe',
    );
    expect(await markdownOf(glued, 'a.eml')).toContain('Grüße');
  });

  const part = (head: string, body: string) => ['--x', ...head.split('\n'), '', body];
  const pdf = Buffer.from(makePdf([[{ x: 50, y: 700, text: 'nested invoice' }]])).toString('base64');
  const inner = [
    'From: C <c@example.com>',
    'Subject: Inner',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=y',
    '',
    '--y',
    'Content-Type: application/pdf; name=i.pdf',
    'Content-Disposition: attachment; filename=i.pdf',
    'Content-Transfer-Encoding: base64',
    '',
    pdf,
    '--y--',
  ].join('\r\n');
  const outer = mail(
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=x',
    '',
    ...part('Content-Type: text/html', '<p>Hello <b>you</b></p><script>no()</script>'),
    ...part('Content-Type: message/rfc822', inner),
    ...part(
      'Content-Type: application/ms-tnef; name=winmail.dat\nContent-Disposition: attachment; filename=winmail.dat\nContent-Transfer-Encoding: base64',
      Buffer.from('789f3e22010000000000', 'hex').toString('base64'),
    ),
    '--x--',
  );

  test('mail in a mail with its own PDF, and a winmail.dat', async () => {
    const { markdown, warnings, pages } = await readText(outer, 'a.eml');
    expect(markdown.split('\n').slice(0, 4)).toEqual([
      '- From: A <a@example.com>',
      '- Subject: Outer',
      '',
      'Hello **you**',
    ]);
    expect(markdown).toContain('- Subject: Inner');
    expect(markdown).toContain('## Attachment: i.pdf\n\nnested invoice');
    expect(markdown).toContain('## Attachment: winmail.dat\n\n(not read: file.unsupported)');
    expect(warnings).toEqual([expect.stringMatching(/^attachment_not_read: winmail\.dat: file\.unsupported: /)]);
    expect(pages.map((one) => one.page)).toEqual([1, 2, 3]);
    const beginnings = pages.map(({ start }) => markdown.slice(start!).split('\n')[0]);
    expect(beginnings).toEqual(['- From: A <a@example.com>', '- From: C <c@example.com>', 'nested invoice']);
  });

  test('the depth of attachments ends at its budget, and all of them count together', async () => {
    const { markdown } = await readText(outer, 'a.eml', { ...DEFAULT_BUDGETS, depth: 1 });
    expect(markdown).toContain('## Attachment: i.pdf\n\n(not read: file.too_deep)');
    const few = readText(outer, 'a.eml', { ...DEFAULT_BUDGETS, attachments: 1 });
    await expect(few).rejects.toEqual(permanent('file.too_large'));
  });
});
