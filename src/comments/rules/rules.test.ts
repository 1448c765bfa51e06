import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_POLICY, parsePolicies, parsePolicy } from '../policy.ts';
import { applyRules, type Facts, NO_FACTS } from './index.ts';

const found = (
  comment: { content?: string; name?: string; url?: string },
  policy: Record<string, unknown> = {},
  facts: Partial<Facts> = {},
) =>
  applyRules(
    { content: comment.content ?? 'A fine text.', authorName: comment.name ?? '小王', authorUrl: comment.url ?? null },
    parsePolicy(policy),
    { ...NO_FACTS, ...facts },
    null,
  );
const codes = (...given: Parameters<typeof found>) => found(...given).map(({ code, means }) => `${code}:${means}`);
const lists = (...words: string[]) => ({ word_lists: [{ id: 'ads', means: 'reject', words }] });

test('a fine comment breaks no rule', () => {
  expect(found({ content: '写得真好，第二段的缓存失效怎么处理？', url: 'https://wang.example/' })).toEqual([]);
});

describe('length', () => {
  test.each([
    ['', { min_length: 1 }, ['too_short:reject']],
    ['好', { min_length: 1 }, []],
    ['👩‍👩‍👧', { min_length: 6 }, ['too_short:reject']],
    ['好'.repeat(10), { max_length: 10 }, []],
    ['𠮷'.repeat(10), { max_length: 10 }, []],
    ['好'.repeat(11), { max_length: 10 }, ['too_long:reject']],
  ])('%s', (content, policy, expected) => {
    expect(codes({ content }, policy)).toEqual(expected);
  });
});

describe('duplicates and rate', () => {
  const long = 'This text is long enough to tell something.';
  test.each([
    [long, { sameByAuthorHere: 1, sameByAuthor: 1 }, ['duplicate:reject']],
    ['+1', { sameByAuthorHere: 1, sameByAuthor: 1 }, ['duplicate:reject']],
    [long, { sameByAuthor: 1 }, ['repeated:review']],
    ['+1', { sameByAuthor: 1, sameByOthers: 9 }, []],
    [long, { sameByOthers: 2 }, []],
    [long, { sameByOthers: 3 }, ['repeated:review']],
    [long, { recentByAuthor: 99 }, []],
    [long, { recentByAuthor: 100 }, ['too_many:review']],
  ])('%s %o', (content, facts, expected) => {
    expect(codes({ content }, {}, facts)).toEqual(expected);
  });
});

describe('links', () => {
  const policy = { max_links: 1, max_mentions: 2, blocked_domains: ['casino.example', 'bad.co.uk'] };
  test.each([
    [{ content: 'see https://a.example/x' }, []],
    [{ content: 'https://a.example www.b.example' }, ['many_links:review']],
    [{ content: '看https://a.example，https://b.example。' }, ['many_links:review']],
    [{ content: 'go to casino.example now' }, ['blocked_domain:reject']],
    [{ content: 'go to www.CASINO.example now' }, ['blocked_domain:reject']],
    [{ content: 'ｃａｓｉｎｏ．ｅｘａｍｐｌｅ' }, ['blocked_domain:reject']],
    [{ content: 'сasino.example' }, ['blocked_domain:reject']],
    [{ content: 'notcasino.example' }, []],
    [{ url: 'https://x.bad.co.uk/' }, ['blocked_domain:reject']],
    [{ name: 'http://a.example' }, ['link_in_name:review']],
    [{ content: '@a @b @c' }, ['many_mentions:review']],
    [{ content: 'me@a.example, you@b.example, she@c.example' }, []],
  ])('%o', (comment, expected) => {
    expect(codes(comment, policy)).toEqual(expected);
  });
});

describe('words', () => {
  test.each([
    [['c++'], 'I love C++ a lot', 'C++'],
    [['c++'], 'I love C a lot', null],
    [['(免费'], '现在(免费领取', '(免费'],
    [['[广告]'], '这是[广告]。', '[广告]'],
    [['.*'], 'anything', null],
    [['加微信'], '加\u200b微\u2060信 vⅹ⑴③9…', '加\u200b微\u2060信'],
    [['加微信'], '加 微 信', '加 微 信'],
    [['加微信'], '加\n\n微信', null],
    [['casino'], 'best саsinо here', 'саsinо'],
    [['casino'], 'ｃａｓｉｎｏ', 'ｃａｓｉｎｏ'],
    [['vx13'], 'vⅹ⑴③', null],
    [['ass'], 'the class assists', null],
    [['騰訊'], '腾讯的广告', '腾讯'],
  ])('%o in %s', (words, content, evidence) => {
    const hits = found({ content }, lists(...words));
    expect(hits.map((hit) => hit.evidence)).toEqual(evidence === null ? [] : [evidence]);
    if (evidence !== null) expect(hits[0]).toMatchObject({ code: 'word', rule: 'words:ads', means: 'reject' });
  });

  test('are looked for in every public field', () => {
    const policy = lists('代办证件');
    expect(codes({ name: '代办证件' }, policy)).toEqual(['word:reject']);
    expect(codes({ url: 'https://x.example/代办证件' }, policy)).toEqual(['word:reject']);
  });

  test('whole text: what stands behind five thousand clean characters is found', () => {
    const content = `${'好'.repeat(4_990)} 加微信`;
    expect(codes({ content }, { ...lists('加微信'), max_length: 10_000 })).toEqual(['word:reject']);
  });

  test('patterns are refused when they are saved', () => {
    expect(() => parsePolicy({ word_lists: [{ id: 'a', words: [], patterns: ['(a+)+$'] }] })).toThrow(/patterns/);
    expect(() => parsePolicy({ word_lists: [{ id: 'a', words: ['\u200b - '] }] })).toThrow(/spaces, joiners/);
    expect(() => parsePolicies({ items: [{ id: 'a' }, { id: 'a' }] })).toThrow(/two policies/);
  });

  test('a word is found exactly where it stands, whatever surrounds it', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('好', '的', '。', ' ', '!') }), (around) => {
        const [hit] = found({ content: `${around}(a+)+$${around}` }, lists('(a+)+$'));
        expect(hit?.evidence).toBe('(a+)+$');
      }),
    );
  });
});

describe('names', () => {
  test.each([
    ['管理员', ['reserved_name:review']],
    ['Аdmin', ['reserved_name:review']],
    ['a d m i n', ['reserved_name:review']],
    ['官方客服', ['reserved_name:review']],
    ['Badminton', []],
    ['小王', []],
  ])('%s', (name, expected) => {
    expect(codes({ name })).toEqual(expected);
  });

  test('nobody is called like the AI that answers', () => {
    const named = (name: string) =>
      applyRules({ content: 'c', authorName: name, authorUrl: null }, DEFAULT_POLICY, NO_FACTS, '小助手').length;
    expect([named('小助手'), named('小 助手'), named('小助手的朋友')]).toEqual([1, 1, 0]);
  });
});
