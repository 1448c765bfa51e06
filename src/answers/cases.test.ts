import { describe, expect, test } from 'vitest';
import { parseBrands } from './brands.ts';
import { type Answer, type BrandResult, cleanAnswer } from './clean-answer.ts';
import { compileBrands } from './compile-brands.ts';

// Each case carries the number that it has in the collection of complaints it answers to.

type BrandConfig = { name: string; aliases?: unknown[]; domains?: string[]; exclude?: string[]; require?: string[] };

function clean(brands: (string | BrandConfig)[], answer: Answer, query = '推荐几个产品') {
  const table = parseBrands(brands.map((brand) => (typeof brand === 'string' ? { name: brand } : brand)));
  return cleanAnswer({ answer, query_text: query, brand_name: null }, compileBrands(table));
}

/** Mention counts by brand, whatever the validity of the short text. */
function counts(brands: (string | BrandConfig)[], text: string): Record<string, number> {
  const { matches } = clean(brands, text);
  const found: Record<string, number> = {};
  for (const brand of brands) found[typeof brand === 'string' ? brand : brand.name] = 0;
  for (const match of matches) {
    expect(text.slice(match.match_position, match.match_end)).toBe(match.surface);
    if (match.kind === 'explicit' && match.is_valid_match) found[match.standard_name]!++;
  }
  return found;
}

function results(brands: (string | BrandConfig)[], answer: Answer, query?: string): Record<string, BrandResult> {
  return Object.fromEntries(clean(brands, answer, query).results.map((result) => [result.brand_name, result]));
}

describe('A. boundaries and substrings', () => {
  test('1: Ola is not in Granola, cola, scola', () => {
    expect(counts(['Ola'], 'Granola and a cold cola, then scola.')).toEqual({ Ola: 0 });
  });
  const hp = { name: 'HP', aliases: [{ text: 'HP', case_sensitive: true }] };
  test('2: HP is not in php chip, and hp-sauce is not HP', () => {
    expect(counts([hp], 'Ship the php chip.')).toEqual({ HP: 0 });
    expect(counts([hp], "HP's laser, not an hp-sauce ad")).toEqual({ HP: 1 });
  });
  test('4: you are not You.com', () => {
    expect(counts(['You.com'], 'If you come home, you win.')).toEqual({ 'You.com': 0 });
    expect(counts(['You.com'], 'Try You.com.')).toEqual({ 'You.com': 1 });
  });
  test('5: a weekday is not monday.com', () => {
    expect(counts([{ name: 'Monday', aliases: ['monday.com'] }], 'Ship it Monday via monday.com')).toEqual({
      Monday: 1,
    });
    const senseRule = { name: 'Monday', aliases: ['Monday', 'monday.com'], exclude: ['it Monday', 'on Monday'] };
    expect(counts([senseRule], 'Ship it Monday via monday.com')).toEqual({ Monday: 1 });
  });
  test('7: a combining mark is part of its letter', () => {
    expect(counts(['Box'], 'Boxe\u0301 et Box')).toEqual({ Box: 1 });
  });
  test('8: Ces is not in license, but beside Chinese', () => {
    expect(counts(['Ces'], 'license与Ces展会')).toEqual({ Ces: 1 });
  });
  test('10: version suffixes by a flag of the alias', () => {
    const text = 'Qwen2.5、qwen3-max和QwenVL';
    expect(counts([{ name: 'Qwen', aliases: [{ text: 'Qwen', allow_version_suffix: true }] }], text)).toEqual({
      Qwen: 2,
    });
    expect(counts(['Qwen'], text)).toEqual({ Qwen: 0 });
    expect(
      counts([{ name: 'DeepSeek', aliases: [{ text: 'DeepSeek', allow_version_suffix: true }] }], 'DeepSeekV3很强'),
    ).toEqual({
      DeepSeek: 1,
    });
  });
  test('signs of a name are significant', () => {
    expect(counts(['C++'], 'C is a language, C++ another, C++17 its dialect')).toEqual({ 'C++': 2 });
    expect(counts(['C'], 'C++ and C# and R&D, but C too')).toEqual({ C: 1 });
    expect(counts(['.NET'], 'a net profit with .NET at example.net')).toEqual({ '.NET': 1 });
    expect(counts(['C&A'], 'a CA certificate from C&amp;A and C&A')).toEqual({ 'C&A': 2 });
  });
});

describe('B. Chinese and mixed script', () => {
  test('11: adjacent names', () => {
    expect(counts(['豆包', '元宝'], '豆包元宝都行')).toEqual({ 豆包: 1, 元宝: 1 });
  });
  test('13: a shorter name stands where the longer one fails', () => {
    const brands = [{ name: 'ZP-LLM', aliases: ['智谱清言大模型'] }, { name: '清言' }];
    expect(counts(brands, '智谱清言很好')).toEqual({ 'ZP-LLM': 0, 清言: 1 });
  });
  test('14: names with spaces beside Chinese', () => {
    expect(counts(['Tim Hortons'], '去Tim Hortons买咖啡')).toEqual({ 'Tim Hortons': 1 });
  });
  test('16: a name across two words, by an exclude phrase', () => {
    expect(counts([{ name: '京东', exclude: ['南京东路'] }], '南京东路上的京东MALL')).toEqual({ 京东: 1 });
  });
  test('17: a longer company name', () => {
    expect(counts(['京东', '京东方'], '京东方面板，京东自营')).toEqual({ 京东: 1, 京东方: 1 });
  });
  test('19: names that are common words, by exclude and require', () => {
    expect(counts([{ name: '大众', exclude: ['大众都'] }], '大众都爱这款大众ID.4')).toEqual({ 大众: 1 });
    expect(counts([{ name: '理想', exclude: ['我的理想'] }], '我的理想是理想L9')).toEqual({ 理想: 1 });
    expect(counts([{ name: '平安', exclude: ['祝平安'], require: ['保险'] }], '祝平安，买平安保险')).toEqual({
      平安: 1,
    });
  });
});

describe('C. overlaps and double counting', () => {
  test('22: leftmost wins, the overlap is logged', () => {
    expect(counts(['foo bar', 'bar baz'], 'foo bar baz')).toEqual({ 'foo bar': 1, 'bar baz': 0 });
    expect(clean(['foo bar', 'bar baz'], 'foo bar baz').matches.map((match) => match.rule)).toEqual([
      'alias',
      'overlap',
    ]);
  });
  test('23: the longest of nested aliases is one hit', () => {
    const { matches } = clean([{ name: 'NR', aliases: ['New Relic', 'New Relic One', 'Relic'] }], 'New Relic One');
    expect(matches.map((match) => match.matched_alias)).toEqual(['New Relic One']);
  });
  test('25: an alias of two brands is refused', () => {
    const brands = [
      { name: 'A', aliases: ['千问'] },
      { name: 'B', aliases: ['千 问'] },
    ];
    expect(() => parseBrands(brands)).toThrow(expect.objectContaining({ code: 'answers.alias_collision' }));
  });
  test('26: a gloss counts with the name it explains', () => {
    const brand = { name: '豆包', aliases: ['豆包', 'Doubao'] };
    expect(counts([brand], '豆包（Doubao，字节跳动出品）是豆包团队的')).toEqual({ 豆包: 2 });
  });
});

describe('D. normalisation', () => {
  test('28: offsets survive letters that grow', () => {
    expect(clean(['Big Co'], 'İİ Big Co wins').matches.map((match) => match.surface)).toEqual(['Big Co']);
  });
  test('29: an umlaut is a letter', () => {
    expect(counts(['Lt'], 'Er erhält das.')).toEqual({ Lt: 0 });
  });
  test.each([
    ['Lumière', 'Lumiere', 1],
    ['ガ', 'カ', 0],
    ['BrandA', 'ＢｒａｎｄＡ', 1],
    ['Café', 'Cafe\u0301', 1],
    ['Straße', 'STRASSE', 1],
    ['TM', '①②™', 0],
    ['1', '①②™', 0],
    ['ガス', 'ｶﾞｽ', 1],
    ['SK-II', 'SK-Ⅱ', 1],
  ])('31: %s in %s counts %i', (alias, text, count) => {
    expect(counts([alias], text)).toEqual({ [alias]: count });
  });
  test('32: spaces and hyphens inside a name, but no punctuation', () => {
    expect(counts(['ChatGPT'], 'Chat GPT, Chat-GPT, chat gpt plus')).toEqual({ ChatGPT: 3 });
    expect(counts(['ChatGPT'], 'chat, GPT said')).toEqual({ ChatGPT: 0 });
    expect(counts(['WeChat'], 'we chat every day on We-Chat')).toEqual({ WeChat: 1 });
    expect(counts(['E-Go'], 'my ego and the E-Go')).toEqual({ 'E-Go': 1 });
  });
});

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
    expect(clean(['Kimi'], text).matches.map((match) => match.rule)).toEqual([]);
  });
});

describe('F. negation, absence, recommendation', () => {
  test('44: what was not found is not mentioned', () => {
    const found = clean(['灵犀', '豆包'], '未找到关于灵犀的信息，但豆包不错。');
    expect(found.results).toMatchObject([{ is_mentioned: false }, { is_mentioned: true, is_recommended: true }]);
    expect(found.matches[0]).toMatchObject({ is_valid_match: false, rule: 'absence' });
    expect(counts(['灵犀'], '关于灵犀，我没有找到相关资料。')).toEqual({ 灵犀: 0 });
  });
  test('47: a list of what to avoid', () => {
    const found = results(['A家', 'B家'], '避雷清单：1. A家 2. B家');
    for (const brand of ['A家', 'B家'])
      expect(found[brand]).toMatchObject({ is_recommended: false, recommendation_rank: null });
  });
  test('49: double negation', () => {
    expect(results(['豆包'], '不是不推荐豆包，只是贵。').豆包!.is_recommended).toBeNull();
    expect(results(['豆包'], '没有比豆包更好的').豆包!.is_recommended).toBe(true);
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

describe('H. validity', () => {
  const judge = (answer: Answer, brands: (string | BrandConfig)[] = ['豆包', 'Kimi'], query?: string) =>
    clean(brands, answer, query).validity;
  test('59: a cannot inside content is no refusal', () => {
    expect(judge('抱歉听到您遇到问题，推荐豆包和Kimi。')).toMatchObject({ valid: true, flags: [] });
    expect(judge('我无法替您做决定，但豆包最稳。')).toMatchObject({ valid: true });
    expect(
      judge(
        'The free plan cannot export files, and I cannot praise it, but it opens every format a small team needs.',
        ['X1'],
        'file format plan',
      ),
    ).toMatchObject({ valid: true });
  });
  test('61: partial refusal', () => {
    const answer = '无法提供医疗建议。不过常见App有丁香医生。';
    expect(judge(answer, ['丁香医生'])).toMatchObject({ valid: true, flags: ['partial_refusal'] });
    expect(counts(['丁香医生'], answer)).toEqual({ 丁香医生: 1 });
  });
  test('62: a busy text is no answer', () => {
    expect(judge('服务器繁忙，请稍后再试。')).toMatchObject({ valid: false, reason: 'transport' });
  });
  test('64: reasoning with a closing tag only, and unclosed', () => {
    expect(counts(['豆包', 'Kimi'], '也许选Kimi？</think>推荐豆包。')).toEqual({ 豆包: 1, Kimi: 0 });
    expect(judge('<think>豆包和Kimi都行，先比较一下')).toMatchObject({ valid: false, reason: 'reasoning_only' });
    expect(judge({ text: '', reasoning: '豆包和Kimi都行' })).toMatchObject({ valid: false, reason: 'reasoning_only' });
  });
  test('65: reasoning in a tag or in a field gives the same result', () => {
    const inTag = results(['豆包', 'Kimi'], '<think>Kimi也行</think>推荐豆包。');
    expect(results(['豆包', 'Kimi'], { text: '推荐豆包。', reasoning: 'Kimi也行' })).toEqual(inTag);
  });
  test('67: no content', () => {
    expect(judge({ text: null, finish_reason: 'length' })).toMatchObject({
      valid: false,
      reason: 'empty',
      flags: [],
    });
  });
  test('68: a truncated answer is valid', () => {
    const answer = { text: '1. 豆包\n2. Ki', finish_reason: 'length' };
    expect(judge(answer)).toMatchObject({ valid: true, flags: ['truncated'] });
    expect(results(['豆包', 'Kimi'], answer)).toMatchObject({
      豆包: { recommendation_rank: 1 },
      Kimi: { is_mentioned: false },
    });
  });
  test('70: without a search the citation is unknown', () => {
    expect(results(['豆包'], { text: '推荐豆包，免费好用。', searched: false }).豆包!.has_citation).toBeNull();
    expect(results(['豆包'], { text: '推荐豆包，免费好用。', searched: true, citations: [] }).豆包!.has_citation).toBe(
      false,
    );
  });
  test('71: irrelevant, and valid without naming anybody', () => {
    expect(judge('今天天气晴。', ['豆包'], '推荐CRM')).toMatchObject({ valid: false, reason: 'irrelevant' });
    expect(judge('CRM是客户关系管理的简称，用来记录客户和跟进销售。', ['豆包'], '什么是CRM')).toMatchObject({
      valid: true,
    });
  });
  test('73: an alias that folds to nothing is refused', () => {
    for (const alias of ['-', '\u200b', '***'])
      expect(() => parseBrands([{ name: 'A', aliases: [alias] }])).toThrow(/aliases\[0\]/);
  });
});

describe('pronouns go to the nearest brand before, within the paragraph', () => {
  const references = (brands: string[], text: string) =>
    clean(brands, text)
      .matches.filter((match) => match.kind === 'coreference')
      .map((match) => [match.surface, match.standard_name]);
  test.each([
    [
      'Kimi擅长长文。它支持联网。豆包更快，它免费。',
      [
        ['它', 'Kimi'],
        ['它', '豆包'],
      ],
    ],
    ['腾讯推出元宝，它有长文。', [['它', '元宝']]],
    [
      '豆包和Kimi都行，它们都免费。',
      [
        ['它们', '豆包'],
        ['它们', 'Kimi'],
      ],
    ],
    ['Kimi不错，其他的一般，尤其便宜。', []],
    ['推荐Kimi。\n\n它支持联网。', []],
    [
      'Kimi is fast, and it reads PDFs; IT teams like this tool.',
      [
        ['it', 'Kimi'],
        ['this tool', 'Kimi'],
      ],
    ],
    ['Try Kimi. It is important to check facts.', []],
  ])('%s', (text, expected) => {
    expect(references(['Kimi', '豆包', '元宝', '腾讯'], text)).toEqual(expected);
  });
});
