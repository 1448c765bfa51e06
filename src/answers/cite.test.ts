import { expect, test } from 'vitest';
import { parseBrands } from './brands.ts';
import { readSources, type Source } from './cite.ts';
import { compileBrands } from './compile-brands.ts';
import { readMarkdown } from './read-markdown.ts';

const compiled = compileBrands(
  parseBrands([
    { name: '豆包', domains: ['doubao.com'] },
    { name: '微软', domains: ['microsoft.com', 'copilot.bing.com'] },
  ]),
);
const read = (text: string, sources?: Source[], searched?: boolean) =>
  readSources(readMarkdown(text), sources, searched, compiled);

test.each([
  ['https://www.doubao.com/chat/', null, 'doubao.com', '豆包'],
  ['www.doubao.com/chat', null, 'doubao.com', '豆包'],
  ['https://notdoubao.com/', null, 'notdoubao.com', null],
  ['https://copilot.bing.com/', null, 'bing.com', '微软'],
  ['https://cn.bing.com/', null, 'bing.com', null],
  ['https://news.sina.com.cn/a', null, 'sina.com.cn', null],
  ['https://vertexaisearch.cloud.google.com/grounding-api-redirect/x', '36kr.com', '36kr.com', null],
  ['https://vertexaisearch.cloud.google.com/grounding-api-redirect/x', 'doubao.com', 'doubao.com', '豆包'],
  ['https://vertexaisearch.cloud.google.com/grounding-api-redirect/x', '豆包官网', 'google.com', null],
  ['https://www.google.com/url?sa=t&q=https://www.doubao.com/&ved=1', null, 'doubao.com', '豆包'],
  ['https://link.zhihu.com/?target=https%3A//www.doubao.com/', null, 'doubao.com', '豆包'],
  ['https://a.example/search?q=https://www.doubao.com/', null, 'a.example', null],
  ['mailto:a@doubao.com', null, null, null],
  ['', null, null, null],
])('%s with the title %s is of %s and %s', (url, title, domain, owned_by) => {
  expect(read('好', [{ url, title }]).citations).toEqual([{ url, domain, owned_by, marker: null }]);
});

test('each address counts once and keeps its mark', () => {
  const text = '豆包[2]，见[官网](https://a.example/)和 https://a.example/。\n\n[1]: https://a.example/';
  expect(read(text, [{ url: 'https://b.example/' }, { url: 'https://c.example/' }]).citations).toMatchObject([
    { url: 'https://a.example/', marker: '1' },
    { url: 'https://b.example/', marker: null },
    { url: 'https://c.example/', marker: '2' },
  ]);
});

test.each([
  ['豆包好用', undefined, undefined, false],
  ['豆包好用', [], true, false],
  ['豆包好用', [], false, null],
  ['豆包好用[1]', [], true, null],
  ['豆包好用[1]', [{ url: 'https://a.example/' }], true, true],
  ['豆包好用，见 www.doubao.com', undefined, false, true],
])('whether %s with %j, searched %s, has a citation: %s', (text, sources, searched, expected) => {
  expect(read(text, sources, searched).hasCitation).toBe(expected);
});
