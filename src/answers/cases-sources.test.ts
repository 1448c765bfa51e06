import { describe, expect, test } from 'vitest';
import { clean, counts, results } from '../../test/harness/clean-with-brands.ts';
import { readMarkdown } from './read-markdown.ts';

// Each case carries the number that it has in the collection of complaints it answers to; docs/adr/0006 says where ours
// differs from what is asked there.

describe('E. Markdown, URLs, citations', () => {
  test('35: bold that CommonMark does not see', () => {
    const brands = ['元宝', '豆包'];
    expect(counts(brands, '推荐**元宝（腾讯）**和**豆包：**免费')).toEqual({ 元宝: 1, 豆包: 1 });
    for (const match of clean(brands, '推荐**元宝（腾讯）**和**豆包：**免费').matches)
      expect(match.surface).not.toContain('*');
  });
  test('37: a link label is prose, its target a citation', () => {
    const { results: found, citations } = clean(
      [{ name: 'Coze', domains: ['coze.cn'] }],
      '1. **[Coze](https://coze.cn)**',
    );
    expect(found[0]).toMatchObject({ mention_count: 1, has_citation: true, recommendation_rank: 1 });
    expect(citations).toEqual([{ url: 'https://coze.cn', domain: 'coze.cn', owned_by: 'Coze', marker: null }]);
  });
  test('38: the evidence is the hit that counts', () => {
    const text = 'Acmeville is a town; later, Acme wins';
    const kept = clean(['Acme'], text).matches.filter((match) => match.is_valid_match);
    expect(kept.map((match) => text.slice(match.match_position))).toEqual(['Acme wins']);
  });
  test('40: marks without delivered sources leave the citation unknown', () => {
    expect(results(['Kimi'], { text: 'Kimi最好[1][3]', citations: [] }).Kimi).toMatchObject({
      mention_count: 1,
      has_citation: null,
    });
  });
  test('41: a grounding redirect names the site in its title', () => {
    const url = 'https://vertexaisearch.cloud.google.com/grounding-api-redirect/abc';
    const { citations } = clean(['Kimi'], { text: 'Kimi不错', citations: [{ url, title: '36kr.com' }] });
    expect(citations).toEqual([{ url, domain: '36kr.com', owned_by: null, marker: null }]);
  });
  test('43: citation marks of several platforms', () => {
    const brands = ['元宝', '豆包', 'Kimi', '千问'];
    const sources = [1, 2, 3, 4].map((n) => ({ url: `https://s${n}.example/` }));
    const text = '元宝【3†source】、豆包[^2]、Kimi[citation:4]、千问[ref_1]';
    expect(counts(brands, text)).toEqual({ 元宝: 1, 豆包: 1, Kimi: 1, 千问: 1 });
    expect(new Set(readMarkdown(text).markers.flatMap((marker) => marker.labels))).toEqual(
      new Set(['3', '2', '4', '1']),
    );
    expect(clean(brands, { text, citations: sources }).citations.map((citation) => citation.marker)).toEqual([
      '1',
      '2',
      '3',
      '4',
    ]);
  });
  test('names in URLs, source lists and program code do not count', () => {
    const text =
      '见 https://kimi.com/kimi 和 kimi.example.com，或写信到 kimi@example.com。\n\n```js\nconst Kimi = 1;\n```\n\n参考资料：\n1. Kimi 使用指南';
    expect(counts(['Kimi'], text)).toEqual({ Kimi: 0 });
    expect(clean(['Kimi'], text, '写信到哪里见参考资料').matches.map((match) => match.rule)).toEqual([
      'in_url',
      'in_url',
      'in_url',
      'in_url',
      'in_code',
      'in_citation',
    ]);
  });
});
