import { expect, test } from 'vitest';
import { readMarkdown } from './read-markdown.ts';

const masked = (text: string) =>
  readMarkdown(text).masks.map((mask) => `${mask.why}:${text.slice(mask.start, mask.end)}`);

test.each([
  ['[豆包](https://doubao.com "官网")很好', ['in_url:](https://doubao.com "官网")']],
  ['好用[1](https://a.com)', ['in_citation:[1](https://a.com)']],
  ['好用（[豆包官网](https://doubao.com)）', ['in_citation:[豆包官网](https://doubao.com)']],
  ['![豆包](https://a.com/x.png)', ['in_citation:[豆包](https://a.com/x.png)']],
  ['见https://kimi.com/a?b=1，或www.kimi.com。', ['in_url:https://kimi.com/a?b=1', 'in_url:www.kimi.com']],
  ['(see https://en.example.org/wiki/A_(b))', ['in_url:https://en.example.org/wiki/A_(b)']],
  [
    '甲[1][2, 3]乙[^4^]丙【5†source】丁[webpage 6]',
    [
      'in_citation:[1]',
      'in_citation:[2, 3]',
      'in_citation:[^4^]',
      'in_citation:【5†source】',
      'in_citation:[webpage 6]',
    ],
  ],
  ['【推荐】豆包 [x] [豆包]', []],
  [
    '正文[1]\n\n[1]: https://kimi.com Kimi官网\n[2] 豆包 https://doubao.com',
    ['in_citation:[1]', 'in_citation:[1]: https://kimi.com Kimi官网', 'in_citation:[2] 豆包 https://doubao.com'],
  ],
  ['<think>豆包</think>答', ['in_reasoning:<think>豆包</think>']],
  ['想</think>答\n<think>再想', ['in_reasoning:想</think>', 'in_reasoning:<think>再想']],
  ['## 参考资料\n- 豆包官网\n\n## 后记\n豆包', ['in_citation:## 参考资料\n- 豆包官网']],
  ['好用（来源：豆包官网）。来源广（来源多）', ['in_citation:（来源：豆包官网）']],
  ['**参考网页：**\n- 豆包官网', ['in_citation:**参考网页：**\n- 豆包官网']],
  ['Sources:\n1. Kimi guide\n\nKimi is fine.', ['in_citation:Sources:\n1. Kimi guide']],
  ['答\ue200cite\ue202turn0search1\ue201', ['in_citation:\ue200cite\ue202turn0search1\ue201']],
  ['好用[5†source]和[^kimi]', ['in_citation:[5†source]', 'in_citation:[^kimi]']],
  ['好用【1,2】【4:0†x】，【推荐】\n【1】豆包', ['in_citation:【1,2】', 'in_citation:【4:0†x】']],
  ['免费¹，10 m²，快。<sup>2</sup>', ['in_citation:¹', 'in_citation:<sup>2</sup>']],
  ['10 m²', []],
  ['好用[1](@ref)', ['in_citation:[1](@ref)']],
  ['[豆包]: https://doubao.com "豆包"\n[注]: 豆包', ['in_citation:[豆包]: https://doubao.com "豆包"']],
  ['> [^1]: 豆包官网\n> [^1]: Kimi', ['in_citation:[^1]: 豆包官网', 'in_citation:[^1]: Kimi']],
  [
    '[![豆包](https://a.com/x.png)看](https://b.com)',
    ['in_citation:[豆包](https://a.com/x.png)', 'in_url:](https://b.com)'],
  ],
  ['用`npm i kimi`和``a ` b``，`豆包`', ['in_code:`npm i kimi`', 'in_code:``a ` b``']],
  ['\\`豆包` 和 `kimi\n\nkimi`', []],
  ['见 `https://kimi.com`', ['in_url:https://kimi.com']],
  ['| `a | kimi` |\n|--|--|\n| `b` | c |', ['in_code:`b`']],
  ['<b class="豆包">豆包</b><br/>a < b，<豆包>', ['in_code:<b class="豆包">', 'in_code:</b>', 'in_code:<br/>']],
  ['豆包<!-- Kimi\n\n[1] --> [2] <!-- 开', ['in_code:<!-- Kimi\n\n[1] -->', 'in_citation:[2]']],
  ['<style>.kimi{}</style>豆包', ['in_code:<style>.kimi{}', 'in_code:</style>']],
  [
    '```js\nkimi[1] = "https://kimi.com";\n```\n[2]',
    ['in_code:js\nkimi[1] = "https://kimi.com";\n```', 'in_citation:[2]'],
  ],
  ['```\n豆包[1]\n```', ['in_code:', 'in_citation:[1]']],
])('%j', (text, masks) => {
  expect(masked(text)).toEqual(masks);
});

test('images, comments and program code cite nothing; links in HTML and addresses in back ticks do', () => {
  const urls = (text: string) => readMarkdown(text).links.map((link) => link.url);
  expect(urls('![豆包](https://a.com/x.png) <img src="https://b.com/y.png"> <!-- https://c.com -->')).toEqual([]);
  expect(urls('```sh\ncurl https://a.com\n```\n`curl https://b.com`')).toEqual([]);
  expect(urls('<a href="https://a.com/豆包">x</a> `https://b.com/x`')).toEqual(['https://a.com/', 'https://b.com/x']);
  expect(readMarkdown('```js\nx = a[1];\n```').markers).toEqual([]);
});

test('links and marks carry their targets and numbers', () => {
  const doc = readMarkdown('[豆包](https://doubao.com) [锚](#a) [2](https://b.com) https://c.com 【3†x】[4-6]');
  expect(doc.links.map((link) => [link.url, link.marker])).toEqual([
    ['https://doubao.com', null],
    ['https://b.com', '2'],
    ['https://c.com', null],
  ]);
  expect(doc.markers.flatMap((marker) => marker.labels).sort()).toEqual(['3', '4', '5', '6']);
});
