import { describe, expect, test } from 'vitest';
import { type BrandConfig, clean, counts, results } from '../../test/harness/clean-with-brands.ts';
import { parseBrands } from './brands.ts';
import type { Answer } from './clean-answer.ts';

// Each case carries the number that it has in the collection of complaints it answers to; docs/adr/0006 says where ours
// differs from what is asked there.

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
    // Not measured, which is not the same as measured and not found.
    expect(results(['豆包'], '服务器繁忙，请稍后再试。').豆包).toMatchObject({
      is_recommended: null,
      has_citation: null,
    });
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
    expect(
      results(['豆包'], { text: '推荐豆包，免费好用。', searched: false, citations: [] }).豆包!.has_citation,
    ).toBeNull();
    expect(results(['豆包'], { text: '推荐豆包，免费好用。', searched: true, citations: [] }).豆包!.has_citation).toBe(
      false,
    );
    const cited = [{ url: 'https://a.example/' }];
    expect(
      results(['豆包'], { text: '推荐豆包，免费好用。', searched: false, citations: cited }).豆包!.has_citation,
    ).toBe(true);
  });
  test('71: irrelevant, and valid without naming anybody', () => {
    expect(judge('今天天气晴。', ['豆包'], '推荐CRM')).toMatchObject({ valid: false, reason: 'irrelevant' });
    expect(judge('CRM是客户关系管理的简称，用来记录客户和跟进销售。', ['豆包'], '什么是CRM')).toMatchObject({
      valid: true,
      flags: [],
    });
  });
  test('73: an alias that folds to nothing is refused', () => {
    for (const alias of ['-', '\u200b', '***'])
      expect(() => parseBrands([{ name: 'A', aliases: [alias] }])).toThrow(/aliases\[0\]/);
  });
});
