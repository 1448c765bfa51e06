import { describe, expect, test } from 'vitest';
import { clean, counts } from '../../test/harness/clean-with-brands.ts';
import { parseBrands } from './brands.ts';

// Each case carries the number that it has in the collection of complaints it answers to; docs/adr/0006 says where ours
// differs from what is asked there.

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
    // What the flag would have found stays in sight, with the rule that dropped it.
    expect(clean(['Qwen'], text).matches.map((match) => [match.surface, match.is_valid_match, match.rule])).toEqual([
      ['Qwen', false, 'boundary'],
      ['qwen', false, 'boundary'],
      ['Qwen', false, 'boundary'],
    ]);
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
    const text = '南京东路上的京东MALL';
    expect(clean([{ name: '京东', exclude: ['南京东路'] }], text).matches).toMatchObject([
      { match_position: 1, is_valid_match: false, rule: 'exclude:南京东路' },
      { match_position: text.indexOf('上的') + 2, is_valid_match: true },
    ]);
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
  test('20: traditional and simplified are one', () => {
    expect(clean(['腾讯元宝'], '騰訊元寶支援長文').matches).toMatchObject([
      { surface: '騰訊元寶', matched_alias: '腾讯元宝', is_valid_match: true },
    ]);
    expect(counts(['騰訊元寶'], '腾讯元宝支持长文')).toEqual({ 騰訊元寶: 1 });
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
    ['أ', 'ا', 0],
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
  test('34: where the longest name is no whole word, the shorter one is looked for again', () => {
    const brand = { name: 'NR', aliases: ['New Relic', 'New Relic One'] };
    expect(clean([brand], 'New Relic Ones').matches.map((match) => match.surface)).toEqual(['New Relic']);
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
