import { describe, expect, test } from 'vitest';
import { clean, counts, results } from '../../test/harness/clean-with-brands.ts';
import { readMarkdown } from './read-markdown.ts';

// More inputs to the cases of the collection that the reading of Markdown and of citations decides, under their numbers.

describe('35: emphasis hides nothing of a name', () => {
  test.each([
    '推荐**“元宝”**和',
    '**元宝：**免费',
    '用*元宝*吧',
    '***元宝***',
    '__元宝__很好',
    '~~元宝~~',
    '**1. 元宝**：好',
    '`元宝`不错',
  ])('%s', (text) => {
    expect(counts(['元宝'], text)).toEqual({ 元宝: 1 });
    for (const match of clean(['元宝'], text).matches) expect(match.surface).toBe('元宝');
  });
});

describe('37: labels are prose, targets and titles are none', () => {
  test.each([
    ['[Coze](https://coze.cn "Coze 官网")', 1],
    ['[**Coze**](<https://coze.cn>)', 1],
    ['[![Coze](https://img.example/x.png)](https://coze.cn)', 0],
    ['![Coze](https://img.example/x.png)', 0],
    ['[Coze]（https://coze.cn）', 1],
    ['[Coze][1]\n\n[1]: https://coze.cn "Coze"', 1],
    ['<a href="https://coze.cn" title="Coze">Coze</a>', 1],
    ['<!-- Coze --><img alt="Coze" src="https://img.example/coze.png">', 0],
    ['```bash\nnpm i coze\n```\n`coze login`', 0],
    ['```\nCoze：好用\n```', 1],
  ])('%s', (text, count) => {
    expect(counts(['Coze'], text)).toEqual({ Coze: count });
  });
  test('what is cited', () => {
    const brand = { name: 'Coze', domains: ['coze.cn'] };
    const cited = (text: string) =>
      clean([brand], text, 'Coze 怎么样').citations.map(({ domain, owned_by }) => [domain, owned_by]);
    expect(cited('Coze：[![x](https://img.example/x.png)](https://www.coze.cn/a)')).toEqual([['coze.cn', 'Coze']]);
    expect(cited('Coze 见 https://docs.coze.cn/guide，和 www.mof.gov.cn。')).toEqual([
      ['coze.cn', 'Coze'],
      ['mof.gov.cn', null],
    ]);
    expect(cited('Coze 的图：![x](https://coze.cn/x.png)，代码：\n```js\nfetch("https://coze.cn")[0]\n```')).toEqual(
      [],
    );
  });
});

describe('43: the marks of the platforms', () => {
  test.each([
    ['deepseek', '豆包免费[citation:1]', ['1']],
    ['kimi', '豆包免费[^1^]', ['1']],
    ['kimi', '豆包免费【1】【2-3】', ['1', '2', '3']],
    ['doubao', '豆包免费¹²', ['12']],
    ['doubao', '豆包免费<sup>1</sup>', ['1']],
    ['qwen', '豆包免费[ref_1]', ['1']],
    ['yuanbao', '豆包免费[1](@ref)[2,3](@ref)', ['1', '2', '3']],
    ['chatgpt', '豆包免费【4:0†source】', ['4']],
    ['chatgpt', '豆包免费\ue200cite\ue202turn0search1\ue201', ['turn0search1']],
    ['perplexity', '豆包免费[1][3]', ['1', '3']],
    ['gemini', '豆包免费[cite: 1, 2]', ['1', '2']],
    ['ernie', '豆包免费^[1]^', ['1']],
  ])('%s: %s', (_, text, labels) => {
    expect(counts(['豆包'], text)).toEqual({ 豆包: 1 });
    expect(readMarkdown(text).markers.flatMap((marker) => marker.labels)).toEqual(labels);
    // 40: without the sources that the marks stand for it cannot be known; with them it is true.
    expect(results(['豆包'], { text, citations: [] }).豆包!.has_citation).toBeNull();
    expect(results(['豆包'], { text, citations: [{ url: 'https://a.example/' }] }).豆包!.has_citation).toBe(true);
  });
  test.each(['面积 20 m²', '数组 a[i] 和【推荐】', '`x[1]`', '\n```js\na[1]\n```'])('no mark: %s', (text) => {
    expect(results(['豆包'], `豆包免费，${text}`).豆包!.has_citation).toBe(false);
  });
});

describe('50, 52: what a list is', () => {
  const ranks = (text: string) => {
    const found = results(['豆包', 'Kimi', '元宝'], text);
    return ['豆包', 'Kimi', '元宝'].map((brand) => found[brand]!.recommendation_rank);
  };
  test.each([
    [
      'a quote, a table and code between',
      '1. 豆包\n\n> 免费\n\n2. Kimi\n\n| a | b |\n|--|--|\n| c | d |\n\n```\nx\n```\n\n3. 元宝',
      [1, 2, 3],
    ],
    [
      'a heading and a table in an item',
      '1. 豆包\n   #### 说明\n   | a | b |\n   |--|--|\n   | c | d |\n2. Kimi\n3. 元宝',
      [1, 2, 3],
    ],
    ['a list in a quote', '> 1. 豆包\n> 2. Kimi\n> 3. 元宝', [1, 2, 3]],
    ['a nested list under a heading in an item', '1. 豆包\n   #### 相关\n   1. 元宝\n2. Kimi', [1, 2, null]],
    ['tasks and lenticular brackets', '【1】豆包\n【2】Kimi\n\n- [ ] 元宝', [1, 2, null]],
    ['Windows line ends', '1. 豆包\r\n   - 元宝\r\n2. Kimi\r\n', [1, 2, null]],
    ['numbers in code are none', '1. 豆包\n   ```\n   1. 元宝\n   ```\n2. Kimi', [1, 2, null]],
  ])('%s', (_, text, expected) => {
    expect(ranks(text)).toEqual(expected);
  });
});
