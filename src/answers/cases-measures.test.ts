import { describe, expect, test } from 'vitest';
import { clean, counts, results } from '../../test/harness/clean-with-brands.ts';

// Each case carries the number that it has in the collection of complaints it answers to; docs/adr/0006 says where ours
// differs from what is asked there.

describe('F. negation, absence, recommendation', () => {
  test('44: what was not found is not mentioned', () => {
    const found = clean(['灵犀', '豆包'], '未找到关于灵犀的信息，但豆包不错。');
    expect(found.results).toMatchObject([{ is_mentioned: false }, { is_mentioned: true, is_recommended: true }]);
    expect(found.matches[0]).toMatchObject({ is_valid_match: false, rule: 'absence' });
    expect(counts(['灵犀'], '关于灵犀，我没有找到相关资料。')).toEqual({ 灵犀: 0 });
  });
  test('46: what is said of one brand is not said of another', () => {
    const found = results(['A', 'B'], 'A贵但稳，推荐A；B便宜却常崩，不推荐B。');
    expect(found).toMatchObject({ A: { is_recommended: true }, B: { is_recommended: false } });
    // Praise and blame of qualities are no recommendation, and there is no score of the whole answer.
    expect(results(['A', 'B'], 'A贵但稳，B便宜却常崩。')).toMatchObject({
      A: { is_recommended: false },
      B: { is_recommended: false },
    });
  });
  test('47: a list of what to avoid', () => {
    const found = results(['A家', 'B家'], '避雷清单：1. A家 2. B家');
    for (const brand of ['A家', 'B家'])
      expect(found[brand]).toMatchObject({ is_recommended: false, recommendation_rank: null });
  });
  test('49: double negation', () => {
    expect(results(['A'], '不是不推荐A，只是贵。').A!.is_recommended).toBeNull();
    expect(results(['A'], '没有比A更好的').A!.is_recommended).toBe(true);
  });
  test('a word against outweighs a place, and says nothing about others', () => {
    const found = results(['豆包', 'Kimi'], '1. 豆包：好用\n2. Kimi：太贵，不推荐');
    expect(found).toMatchObject({
      豆包: { is_recommended: true, recommendation_rank: 1 },
      Kimi: { is_recommended: false, recommendation_rank: null },
    });
    expect(results(['豆包', 'Kimi'], '比Kimi更推荐豆包')).toMatchObject({
      豆包: { is_recommended: true },
      Kimi: { is_recommended: false },
    });
    expect(
      results(['Notion'], 'Three recommendations were made and Notion took part.', 'What happened?').Notion!
        .is_recommended,
    ).toBe(false);
  });
});

describe('G. rank', () => {
  const ranks = (brands: string[], text: string, query?: string) => {
    const found = results(brands, text, query);
    return brands.map((brand) => found[brand]!.recommendation_rank);
  };
  test('50: a list that restarts at 1', () => {
    expect(ranks(['豆包', 'Kimi', '元宝'], '1. 豆包\n理由…\n\n1. Kimi\n\n1. 元宝')).toEqual([1, 2, 3]);
  });
  test('52: nested items do not rank', () => {
    expect(ranks(['Notion', 'Slack', 'Asana'], '1. Notion\n   1. 可连Slack\n2. Asana')).toEqual([1, null, 2]);
    expect(ranks(['Notion', 'Slack', 'Asana'], '1. Notion\n   1. Slack\n2. Asana')).toEqual([1, null, 2]);
  });
  test('53: a list of drawbacks before the list of recommendations', () => {
    expect(ranks(['Zoom', 'Asana', 'Notion'], '缺点：1. 比Zoom贵\n推荐：\n1. Asana\n2. Notion')).toEqual([null, 1, 2]);
  });
  test('55: a first choice and an unordered tail', () => {
    expect(ranks(['豆包', 'Kimi', '元宝'], '首选豆包，其他还有Kimi、元宝')).toEqual([1, null, null]);
  });
  test('56: a rank column beats the order of rows', () => {
    expect(ranks(['豆包', 'Kimi'], '| 产品 | 排名 |\n|--|--|\n| Kimi | 2 |\n| 豆包 | 1 |')).toEqual([1, 2]);
    expect(ranks(['豆包', 'Kimi'], '| 产品 | 价格 |\n|--|--|\n| Kimi | 2 |\n| 豆包 | 1 |', '价格表')).toEqual([
      null,
      null,
    ]);
    expect(ranks(['豆包', 'Kimi'], '综合排名：\n\n| 产品 | 价格 |\n|--|--|\n| Kimi | 2 |\n| 豆包 | 1 |')).toEqual([
      2, 1,
    ]);
  });
  test('58: bullets do not rank', () => {
    expect(ranks(['Zoom', 'Asana'], '- Zoom\n- Asana')).toEqual([null, null]);
  });
  test.each([
    ['headings', '## 1. 豆包\n好用\n\n## 2. Kimi\n稳', [1, 2]],
    ['ideographic comma', '1、豆包：好用\n2、Kimi：稳', [1, 2]],
    ['circled numbers', '① 豆包\n② Kimi', [1, 2]],
    ['circled numbers in a line', '推荐：①豆包②Kimi', [1, 2]],
    ['Chinese numerals', '一、豆包\n二、Kimi', [1, 2]],
    ['medals', '🥇 豆包\n🥈 Kimi', [1, 2]],
    ['keycaps', '1️⃣ 豆包\n2️⃣ Kimi', [1, 2]],
    ['rank words', '第一名：豆包\n第二名：Kimi', [1, 2]],
    ['Top n', 'Top 1: 豆包\nTop 2: Kimi', [1, 2]],
    ['bold numbers', '**1. 豆包**\n好用\n\n**2. Kimi**\n稳', [1, 2]],
    ['a countdown', '2. Kimi\n1. 豆包', [1, 2]],
    ['numbers kept over headings', '### 国产\n1. 豆包\n### 其他\n2. Kimi', [1, 2]],
    ['a chain', '综合看豆包 > Kimi', [1, 2]],
    ['wording', '豆包排名第一，Kimi排名第二', [1, 2]],
    ['a second after a first', '最推荐的是豆包，其次是Kimi', [1, 2]],
    [
      'a numbered table under a ranking',
      '## Top 3 assistants\n\n| # | Tool |\n|--|--|\n| 1 | 豆包 |\n| 2 | Kimi |',
      [1, 2],
    ],
    ['a maker before the name', '1. 字节跳动豆包\n2. 月之暗面的Kimi', [1, 2]],
    ['an award before the name', '1. 最佳免费：豆包\n2. 最佳长文：Kimi', [1, 2]],
  ])('rank from %s', (_, text, expected) => {
    expect(ranks(['豆包', 'Kimi'], text)).toEqual(expected);
  });
  test.each([
    ['steps', '步骤：\n1. 打开豆包\n2. 登录Kimi'],
    ['statements about one brand', '1. 豆包支持语音\n2. 豆包免费\n3. Kimi的界面'],
    ['bullets under a number', '1. 产品\n- 豆包\n- Kimi'],
    ['an avoid list', '## 避雷\n1. 豆包\n2. Kimi'],
  ])('no rank from %s', (_, text) => {
    expect(ranks(['豆包', 'Kimi'], text, '怎么用')).toEqual([null, null]);
  });
  test('tiers give a band', () => {
    const found = results(['豆包', 'Kimi'], '第一梯队：豆包\n第二梯队：Kimi');
    expect(found).toMatchObject({
      豆包: { rank_band: '第一梯队', recommendation_rank: null },
      Kimi: { rank_band: '第二梯队' },
    });
  });
});
