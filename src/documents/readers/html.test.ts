import { describe, expect, test } from 'vitest';
import { encodeText } from '../../../test/harness/encode-text.ts';
import { DEFAULT_BUDGETS } from '../budgets.ts';
import { readText } from '../read-text.ts';

const read = (html: string, budgets = {}) => readText(Buffer.from(html), 'a.html', { ...DEFAULT_BUDGETS, ...budgets });
const markdownOf = async (html: string) => (await read(`<!doctype html>${html}`)).markdown;

describe('case 44: what nobody sees is not read', () => {
  test.each([
    ['<div style="display:none">x</div>'],
    ['<div style="color:red; DISPLAY : none !important">x</div>'],
    ['<span style="visibility:hidden">x</span>'],
    ['<span style="font-size:0px">x</span>'],
    ['<span style="opacity:0">x</span>'],
    ['<div style="max-height:0;overflow:hidden">x</div>'],
    ['<div style="mso-hide:all">x</div>'],
    ['<div style="position:absolute;left:-9999px">x</div>'],
    ['<p hidden>x</p>'],
    ['<script>x</script><style>p{}</style><noscript>x</noscript><template>x</template><!-- x -->'],
    ['<style>.pre{display:none}</style><div class="big pre">x</div>'],
    ['<style>/* a { */ #pre , td.q { color: red; visibility: hidden }</style><div id="pre">x</div>'],
    ['<input type="hidden" value="x"><input type="password" value="x"><iframe>x</iframe><svg><text>x</text></svg>'],
    ['<table><tr style="display:none"><td>x<td>x</table>'],
    ['<img src="https://x.example/x.png">'],
  ])('%s', async (html) => {
    expect(await markdownOf(`a${html}b`)).toMatch(/^a\n*b$/);
  });

  test.each([
    ['<span style="font-size:10px;opacity:0.5;max-height:0.5em">x</span>'],
    ['<style>@media print { .p { display: none } }</style><span class="p">x</span>'],
    ['<style>.t{display:none}.t.on{display:block}</style><span class="t on">x</span>'],
  ])('%s is seen', async (html) => {
    expect(await markdownOf(html)).toBe('x');
  });
});

describe('text as it is shown', () => {
  test.each([
    ['blanks and line ends fold', '<p>a\n  b </p><p>  <b>c </b> d</p>', 'a b\n\n**c** d'],
    ['entities', '&lt;a&gt; &amp;&nbsp;&eacute;&#x4e2d;&#20013;', '<a> &\u00a0é中中'],
    ['line breaks', 'Name: A<br>Tax: 1', 'Name: A\nTax: 1'],
    ['bold, crossed out, slanted', '<b>a</b> <s>b</s> <i>c</i>', '**a** ~~b~~ c'],
    ['nothing is escaped', '1. *a* _b_ # [c] x@y.example INV_1', '1. *a* _b_ # [c] x@y.example INV_1'],
    ['headings', '<h1>A<br>B</h1>text<h3>C</h3>', '# A B\n\ntext\n\n### C'],
    ['powers', '10<sup>6</sup> CO<sub>2</sub> 1<sup>st</sup>', '10⁶ CO₂ 1st'],
    ['quotations', '<p>hi</p><blockquote>a<br>b<blockquote>c</blockquote></blockquote>', 'hi\n\n> a\n> b\n\n> > c'],
    ['text as it was typed', '<pre>a   1\nb  22</pre>', 'a   1\nb  22'],
    ['pictures by what stands for them', '<img alt="ACME GmbH" src="data:image/png;base64,xx"> x', 'ACME GmbH x'],
    [
      'forms',
      '<input type=checkbox checked>yes <input type=radio>no <input value="17"><select><option>a<option selected>b</select>',
      '☑ yes ☐ no 17b',
    ],
    [
      'formulas',
      '<math><mfrac><mi>a</mi><mn>2</mn></mfrac><mo>=</mo><msup><mi>b</mi><mn>2</mn></msup></math>',
      'a/2=b^2',
    ],
    ['terms and what they mean', '<dl><dt>Total<dd>12</dl>', 'Total\n\n12'],
  ])('%s', async (_, html, expected) => {
    expect(await markdownOf(html)).toBe(expected);
  });

  test.each([
    ['https://a.example/b?c=(d)', '[x](https://a.example/b?c=%28d%29)'],
    ['b/c.html', 'x'],
    ['java&#10;script:x()', 'x'],
    [' JAVASCRIPT:x()', 'x'],
    ['data:text/html,x', 'x'],
    ['vbscript:x', 'x'],
    ['file:///etc/x', 'x'],
    ['mailto:x@y.example', 'x'],
    ['#part', 'x'],
    ['http://x/', 'x'],
  ])('a link to %s', async (href, expected) => {
    expect(await markdownOf(`<a href="${href}"><b>x</b></a>`)).toBe(expected);
  });

  test('lists keep their numbers', async () => {
    const html =
      '<ol start="3"><li>a<ul><li>b<li>c</ul><li value="7"><p>d</p><p>e</p></ol><ol type="a"><li>f</ol><ol reversed><li>g<li>h</ol>';
    expect(await markdownOf(html)).toBe('3. a\n  - b\n  - c\n7. d\n e\na. f\n2. g\n1. h'.replace('\n e', '\ne'));
  });
});

describe('tables', () => {
  test('cells over several columns and rows stand where they begin', async () => {
    const html = `<table><caption>Prices</caption><thead><tr><th rowspan=2>Item<th colspan=2>2026</thead>
      <tbody><tr><td rowspan=2>Paper<td>1<td>2<tr><td>3<td>a|b<br>c</tbody></table>`;
    expect(await markdownOf(html)).toBe(
      'Prices\n\n| Item | 2026 |  |\n| --- | --- | --- |\n| Paper | 1 | 2 |\n|  | 3 | a\\|b  c |',
    );
  });

  test('tables for layout are laid open, the tables in them stay', async () => {
    const inner = '<table><tr><td>Total<td>12</table>';
    const html = `<table><tr><td><h1>Invoice</h1><tr><td><p>Dear A,</p><tr><td>${inner}<tr><td>Bye</table>`;
    expect(await markdownOf(html)).toBe('# Invoice\n\nDear A,\n\n| Total | 12 |\n| --- | --- |\n\nBye');
  });

  test('a span without end is cut, and what it covers counts', async () => {
    expect(await markdownOf('<table><tr><td colspan=999999999>a<tr><td>b<td>c</table>')).toBe(
      '| a |  |\n| --- | --- |\n| b | c |',
    );
    const many = `<table><tr>${'<td colspan=1000 rowspan=65534>'.repeat(100)}${'<tr>'.repeat(10_000)}</table>`;
    await expect(read(`<html>${many}`)).rejects.toMatchObject({ code: 'file.too_large' });
  });
});

describe('the encoding', () => {
  const page = (meta: string, text: string) => `<html><head>${meta}</head><body>${text}</body></html>`;
  test.each([
    ['GBK, said', page('<meta charset="gbk">', '发票号码'), 'gb18030', []],
    ['GBK, said as UTF-8', page('<meta charset="utf-8">', '发票号码'), 'gb18030', ['encoding: gb18030']],
    [
      'Shift-JIS in the older form',
      page('<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS">', '請求書です'),
      'shift_jis',
      [],
    ],
    ['UTF-8, said as GBK', page('<meta charset="gbk">', '发票号码'), 'utf-8', []],
    ['unknown', page('<meta charset="x-none">', 'Größe'), 'windows-1252', ['encoding: windows-1252']],
    ['UTF-16', page('', 'Größe'), 'utf-16le', ['encoding: utf-16le']],
  ] as const)('%s', async (_, html, encoding, warnings) => {
    const read = await readText(encodeText(html, encoding), 'a.html');
    expect([read.markdown, read.warnings]).toEqual([/<body>(.*)<\/body>/.exec(html)![1], warnings]);
  });
});

describe('case 44: pages that want to be slow', () => {
  test.each([
    ['nested elements', '<div>'.repeat(1_000_000), 'file.too_deep'],
    ['elements without number', '<p>'.repeat(3_000_000), 'file.too_large'],
    [
      'formatting that is opened anew in every paragraph',
      `<p>${Array.from({ length: 300 }, (_, at) => `<b a=${at}>`).join('')}${'<p>x'.repeat(20_000)}`,
      'file.too_large',
    ],
  ])('%s', async (_, html, code) => {
    await expect(read(`<html>${html}`, { elements: 100_000 })).rejects.toMatchObject({ code });
  });

  test.each([
    ['blanks in a style', `<p style="color${' '.repeat(500_000)}">x</p>`],
    ['comments that never end', `<style>${'/*'.repeat(300_000)}</style>x`],
    ['blanks between words', `x${' '.repeat(500_000)}`],
    ['items without number', `<ul>${'<li>x'.repeat(130_000)}</ul>`],
  ])('%s take no longer than they are', async (_, html) => {
    // Work that grew with the square would take minutes, and the test would end.
    expect((await read(`<html>${html}`)).markdown.slice(-1)).toBe('x');
  });
});
