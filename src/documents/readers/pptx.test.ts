import { describe, expect, test } from 'vitest';
import { makePptx, shape } from '../../../test/harness/make-office-documents.ts';
import { DEFAULT_BUDGETS } from '../budgets.ts';
import { readText } from '../read-text.ts';

const r = (text: string, properties = '') => `<a:r><a:rPr ${properties}/><a:t>${text}</a:t></a:r>`;
const p = (content: string, properties = '') => `<a:p>${properties}${content}</a:p>`;
const read = (...args: Parameters<typeof makePptx>) => readText(makePptx(...args), 'a.pptx');
const markdownOf = async (shapes: string) => (await read([{ shapes }])).markdown;

test('slides are pages: title first, then texts in their order, then notes; hidden ones are said', async () => {
  const { markdown, pages, warnings } = await read([
    { shapes: shape(p(r('box'))) + shape(p(r('Our ')) + p(r('offer')), 'title') + shape(p(r('one')), 'body') },
    {
      shapes: shape(p(r('Second')), 'ctrTitle'),
      notes: shape(p(r('say this')), 'body') + shape(p(r('2')), 'sldNum'),
      hidden: true,
    },
  ]);
  expect(markdown).toBe('## Our offer\n\nbox\n\n- one\n\n## Second\n\n### Notes\n\nsay this');
  expect(pages).toMatchObject([
    { page: 1, start: 0, warnings: [] },
    { page: 2, start: markdown.indexOf('## Second'), warnings: ['hidden_slide'] },
  ]);
  expect(warnings).toEqual([]);
});

test('a slide without text has a page all the same', async () => {
  const { markdown, pages } = await read([{ shapes: '' }, { shapes: shape(p(r('x'))) }]);
  expect([markdown, pages.map(({ start }) => start)]).toEqual(['x', [null, 0]]);
});

describe('texts', () => {
  const number = (type: string, more = '') => `<a:pPr><a:buAutoNum type="${type}"${more}/></a:pPr>`;

  test('lists by place, by mark and by number', async () => {
    const shapes =
      shape(p(r('a')) + p(r('b'), '<a:pPr lvl="1"/>') + p(r('c'), '<a:pPr><a:buNone/></a:pPr>'), 'body') +
      shape(
        p(r('plain')) +
          p(r('d'), '<a:pPr><a:buChar char="•"/></a:pPr>') +
          p(r('e'), number('arabicPeriod')) +
          p(r('f'), number('alphaLcParenBoth').replace('<a:pPr', '<a:pPr lvl="1"')) +
          p(r('g'), number('arabicPeriod')) +
          p(r('h')) +
          p(r('i'), number('romanUcParenR', ' startAt="4"')),
      );
    expect(await markdownOf(shapes)).toBe('- a\n  - b\n\nc\n\nplain\n\n- d\n1. e\n  (a) f\n2. g\n\nh\n\nIV) i');
  });

  test('bold, crossed out, line breaks, computed numbers and dates', async () => {
    const field = (type: string) => `<a:fld type="${type}"><a:rPr/><a:t>7</a:t></a:fld>`;
    const text = `${r('A', 'b="1"')}<a:br/>${r('b', 'strike="sngStrike"')}${field('slidenum')}${field('datetime1')}${field('other')}`;
    expect(await markdownOf(shape(p(text)))).toBe('**A**\n~~b~~7');
  });

  test('links', async () => {
    const link = '<a:r><a:rPr><a:hlinkClick r:id="l"/></a:rPr><a:t>here</a:t></a:r>';
    const { markdown } = await read([
      { shapes: shape(p(link)), relations: { l: ['hyperlink', 'https://a.example/x'] } },
    ]);
    expect(markdown).toBe('[here](https://a.example/x)');
  });

  test('groups, and of two forms of one thing the newer', async () => {
    const shapes = `<p:grpSp>${shape(p(r('in')))}<p:grpSp>${shape(p(r('deep')))}</p:grpSp></p:grpSp>
      <mc:AlternateContent><mc:Choice Requires="x">${shape(p(r('new')))}</mc:Choice><mc:Fallback>${shape(p(r('old')))}</mc:Fallback></mc:AlternateContent>
      <mc:AlternateContent><mc:Choice Requires="x"/><mc:Fallback>${shape(p(r('only old')))}</mc:Fallback></mc:AlternateContent>`;
    expect(await markdownOf(shapes)).toBe('in\n\ndeep\n\nnew\n\nonly old');
  });
});

test('tables, with merged cells where they begin', async () => {
  const cell = (text: string, more = '') => `<a:tc ${more}><a:txBody>${p(r(text))}</a:txBody></a:tc>`;
  const shapes = `<p:graphicFrame><a:tbl><a:tr>${cell('Head', 'gridSpan="2"')}${cell('', 'hMerge="1"')}${cell('C')}</a:tr><a:tr>${cell('a')}${cell('b')}${cell('c')}</a:tr></a:tbl></p:graphicFrame>`;
  expect(await markdownOf(shapes)).toBe('| Head |  | C |\n| --- | --- | --- |\n| a | b | c |');
});

test('diagrams by their texts; pictures, charts, embedded files and comments are said', async () => {
  const frame = (content: string) => `<p:graphicFrame>${content}</p:graphicFrame>`;
  const { markdown, warnings } = await read(
    [
      {
        shapes: `${frame('<dgm:relIds r:dm="d"/>')}${frame('<c:chart r:id="c"/>')}${frame('<p:oleObj/>')}<p:pic/><p:pic/>`,
        relations: { d: ['diagramData', '../diagrams/data1.xml'], k: ['comments', '../comments/comment1.xml'] },
      },
    ],
    {
      'ppt/diagrams/data1.xml': `<dgm:dataModel xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><dgm:pt><dgm:t>${p(r('Chief'))}</dgm:t></dgm:pt><dgm:pt><dgm:t>${p(r('Clerk'))}</dgm:t></dgm:pt></dgm:dataModel>`,
      'ppt/comments/comment1.xml':
        '<p:cmLst xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"><p:cm/></p:cmLst>',
    },
  );
  expect(markdown).toBe('- Chief\n- Clerk');
  expect(warnings).toEqual([
    'comments_left_out: 1',
    'charts_not_read: 1',
    'embedded_files_not_read: 1',
    'pictures_not_read: 2',
  ]);
});

test('what is refused', async () => {
  const refused = (slides: Parameters<typeof makePptx>[0], parts = {}, budgets = {}) =>
    expect(readText(makePptx(slides, parts), 'a.pptx', { ...DEFAULT_BUDGETS, ...budgets })).rejects;
  await refused([{ shapes: '' }, { shapes: '' }], {}, { pages: 1 }).toMatchObject({ code: 'file.too_large' });
  await refused([{ shapes: '<p:grpSp>'.repeat(500) }]).toMatchObject({ code: 'file.too_deep' });
  await refused([{ shapes: '' }], { 'ppt/slides/slide0.xml': '' }).toMatchObject({ code: 'file.invalid' });
  await refused([{ shapes: '' }], { 'ppt/_rels/presentation.xml.rels': '<a/>' }).toMatchObject({
    code: 'file.invalid',
  });
});
