import { describe, expect, test } from 'vitest';
import { readMarkdown } from './read-markdown.ts';
import { type ValidityInput, validate } from './validate.ts';

const judge = (text: string, more: Partial<ValidityInput> = {}) =>
  validate({ doc: readMarkdown(text), queryText: '推荐几个AI助手', mentions: [], ...more });

describe('nothing to read', () => {
  test.each([
    ['', {}, 'empty'],
    ['   \n', {}, 'empty'],
    [' \n\u200b\n', {}, 'empty'],
    ['好的', {}, 'empty'],
    ['Sure.', {}, 'empty'],
    ['', { finishReason: 'length' }, 'empty'],
    ['', { finishReason: 'content_filter' }, 'blocked'],
    ['', { finishReason: 'SAFETY' }, 'blocked'],
    ['', { finishReason: 'error' }, 'transport'],
    ['<think>先想想</think>', {}, 'reasoning_only'],
    ['\n<think>先想想，用户到底想要什么样的工具呢</think>好', {}, 'empty'],
    ['<think>先想想，豆包和Kimi', {}, 'reasoning_only'],
    ['', { reasoning: '先想想' }, 'reasoning_only'],
    ['', { reasoning: '先想想', finishReason: 'length' }, 'reasoning_only'],
  ])('%j with %j is %s', (text, more, reason) => {
    expect(judge(text, more)).toMatchObject({ valid: false, reason, flags: [] });
  });

  test('a short answer that names a configured brand is an answer', () => {
    expect(judge('豆包。', { mentions: [{ start: 0, end: 2 }] })).toMatchObject({ valid: true, reason: null });
  });
});

describe('the finish reason', () => {
  const text = '1. 豆包\n2. Kimi 读长文稳，语音也自然，都免费';
  const mentions = [{ start: 3, end: 5 }];
  test.each(['length', 'MAX_TOKENS', 'max_output_tokens', 'error'])('%s cuts an answer', (finishReason) => {
    expect(judge(text, { mentions, finishReason })).toMatchObject({ valid: true, flags: ['truncated'] });
  });
  test.each(['content_filter', 'content-filter', 'SAFETY', 'sensitive'])('%s takes it back', (finishReason) => {
    expect(judge(text, { mentions, finishReason })).toMatchObject({ valid: false, reason: 'blocked', flags: [] });
  });
  test.each(['stop', 'end_turn', '', null])('%s does neither', (finishReason) => {
    expect(judge(text, { mentions, finishReason })).toMatchObject({ valid: true, flags: [] });
  });
  test('a partial refusal may be cut', () => {
    const answer = '抱歉，我无法提供实时排名。\n\n1. 甲软件\n2. 乙软';
    expect(judge(answer, { finishReason: 'length' }).flags).toEqual(['partial_refusal', 'truncated']);
  });
});

describe('about something else', () => {
  test.each([
    ['推荐几款适合小团队的CRM系统', '今天北京天气晴朗，最高气温二十五度，傍晚有微风，适合出门散步。'],
    ['推荐CRM', '今天天气晴。'],
    [
      'Which wiki tool should a small team use?',
      'Preheat the oven to 180 degrees. Mix flour, butter and sugar until crumbly.',
    ],
    ['车险买哪家', '《静夜思》是唐代诗人李白的作品，全诗二十字，写的是客居他乡时望月思乡的心情。'],
    ['おすすめのビデオ会議ツールは？', '今日の東京は晴れで、最高気温は二十五度まで上がる見込みです。'],
  ])('%s: %s', (queryText, text) => {
    expect(judge(text, { queryText })).toMatchObject({ valid: false, reason: 'irrelevant' });
  });
  test.each([
    ['its own words', '推荐几个AI助手', '日常聊天的话，豆包元宝都行；介意排队就跳过高峰期，两个都不收费。'],
    ['a list', '推荐几个AI助手', '- 甲甲甲甲甲甲甲甲\n- 乙乙乙乙乙乙乙乙乙乙'],
    ['another script', '推荐几个AI助手', 'There are several good ones; think of the documents you read.'],
    [
      'another language',
      'Was ist ein Bausparvertrag?',
      'It is a savings plan that you pay into for years before a home loan is granted.',
    ],
    [
      'traditional characters',
      '云数据库和自建数据库的区别',
      '雲資料庫由廠商維護，自建資料庫由自己維護，區別主要在人力與成本。',
    ],
    ['a question of common words', '推荐哪个？', '这要看具体用途，办公、学习和娱乐各有不同的侧重点。'],
  ])('not with %s', (_, queryText, text) => {
    expect(judge(text, { queryText })).toMatchObject({ valid: true, reason: null });
  });
});
