import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeDocx, makeXlsx, paragraph, wordPart } from '../../test/harness/make-documents.ts';
import { makeOdf, makePptx, makeXls, shape } from '../../test/harness/make-office-documents.ts';
import { CodedError } from '../errors/coded-error.ts';
import { DEFAULT_BUDGETS, startMeter } from './budgets.ts';
import { readText } from './read-text.ts';
import { readZip, writeZip } from './zip.ts';

const table = (cell: string, row: string) =>
  `<w:tbl>${`<w:tr>${`<w:tc><w:tcPr><w:gridSpan w:val="2"/><w:vMerge/></w:tcPr>${cell}</w:tc>`.repeat(2)}</w:tr>`.repeat(2)}</w:tbl>${row}`;
const docx = makeDocx(
  `${paragraph('a')}<w:p><w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:fldChar w:fldCharType="begin"/><w:instrText>HYPERLINK "x"</w:instrText><w:fldChar w:fldCharType="separate"/><w:t>b</w:t><w:footnoteReference w:id="1"/><w:sym w:font="Wingdings" w:char="F0FE"/></w:r><m:oMath><m:f><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den/></m:f></m:oMath></w:p>${table(paragraph('c'), paragraph('d'))}<w:sectPr><w:headerReference r:id="header1"/></w:sectPr>`,
  {
    'word/header1.xml': wordPart('hdr', paragraph('e')),
    'word/footnotes.xml': wordPart('footnotes', `<w:footnote w:id="1">${paragraph('f')}</w:footnote>`),
    'word/numbering.xml': wordPart(
      'numbering',
      '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="chineseCounting"/><w:lvlText w:val="%1.%2"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>',
    ),
  },
);
const paragraphs =
  '<a:p><a:pPr lvl="1"><a:buAutoNum type="romanLcPeriod" startAt="3"/></a:pPr><a:r><a:t>x</a:t></a:r></a:p>';
const lists =
  '<text:list><text:list-item><text:p>a<text:s text:c="3"/></text:p></text:list-item></text:list><table:table><table:table-row><table:table-cell table:number-columns-repeated="2"><text:p>b</text:p></table:table-cell></table:table-row></table:table>';

const ARCHIVES: Readonly<Record<string, Uint8Array>> = {
  'a.docx': docx,
  'a.xlsx': makeXlsx({ A1: 'a', B2: 'date:46086', C3: 4 }),
  'a.pptx': makePptx([{ shapes: shape(paragraphs, 'title') + shape(paragraphs), notes: shape(paragraphs, 'body') }]),
  'a.odt': makeOdf('text', `<text:h text:outline-level="2">h</text:h>${lists}`),
  'a.ods': makeOdf('spreadsheet', lists),
  'a.odp': makeOdf(
    'presentation',
    `<draw:page><draw:frame><draw:text-box>${lists}</draw:text-box></draw:frame></draw:page>`,
  ),
};
const MAIL =
  'From: A <a@example.com>\r\nTo: B\r\nSubject: =?UTF-8?Q?x?=\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/html\r\n\r\n<p>a</p>\r\n--x\r\nContent-Disposition: attachment; filename=a.csv\r\n\r\na;b\r\n--x--\r\n';
const OTHERS: Readonly<Record<string, Uint8Array>> = {
  'a.xls': makeXls({
    S: [
      ['a', 1],
      ['b', 2.5],
    ],
  }),
  'a.rtf': Buffer.from(
    "{\\rtf1\\ansi{\\fonttbl{\\f0\\fcharset134 x;}}\\f0\\'b7\\'a2 {\\b b}\\par\\trowd\\intbl c\\cell\\row\\pard\\u8364 ?{\\footnote d}}",
  ),
  'a.eml': Buffer.from(MAIL),
  'a.html': Buffer.from(
    '<!doctype html><style>.a{display:none}</style><table><tr><td rowspan=2>a<td colspan=3>b</table><ol start=3><li>c</ol><math><mfrac><mi>d</mi></mfrac></math>',
  ),
  'a.csv': Buffer.from('a;"b ""c""";d\n1;2\n'),
};

interface Change {
  readonly at: number;
  readonly cut: number;
  readonly put: string;
}
const change = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  cut: fc.nat(12),
  put: fc.oneof(
    fc.string({ maxLength: 6 }),
    fc.constantFrom('<', '/>', '</', '&#0;', '"', '999999999', '-1', '\0\xff', '{', '}', '\\'),
  ),
});

function damage(bytes: Uint8Array, { at, cut, put }: Change): Uint8Array {
  const from = Math.floor(at * bytes.length);
  return Buffer.concat([bytes.subarray(0, from), Buffer.from(put, 'latin1'), bytes.subarray(from + cut)]);
}

/** Read, or refused with a code: nothing else comes of any file. */
async function isReadOrRefused(bytes: Uint8Array, name: string): Promise<void> {
  try {
    const { markdown, pages } = await readText(bytes, name, { ...DEFAULT_BUDGETS, cells: 50_000, elements: 50_000 });
    for (const { start } of pages) expect(start === null || start < markdown.length).toBe(true);
  } catch (error) {
    if (!(error instanceof CodedError) || error.errorClass !== 'permanent') throw error;
  }
}

describe('a damaged file is read or refused with a code', () => {
  test.each(Object.entries(ARCHIVES))('%s, damaged in one of its parts', async (name, bytes) => {
    const parts = [
      ...readZip(
        bytes,
        startMeter(DEFAULT_BUDGETS, () => 0),
      ),
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.nat(parts.length - 1),
        fc.array(change, { minLength: 1, maxLength: 3 }),
        async (chosen, changes) => {
          const files = parts.map(
            ([part, content], at) => [part, at === chosen ? changes.reduce(damage, content) : content] as const,
          );
          await isReadOrRefused(writeZip(files), name);
        },
      ),
      { numRuns: 60 },
    );
  });

  test.each(Object.entries({ ...OTHERS, ...ARCHIVES }))('%s, damaged anywhere', async (name, bytes) => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) =>
        isReadOrRefused(changes.reduce(damage, bytes), name),
      ),
      { numRuns: 40 },
    );
  });
});
