import { describe, expect, test } from 'vitest';
import { replyQuestion } from './ask-reply.ts';
import { NO_CONTEXT } from './ask-verdict.ts';
import { cleanReply } from './clean-reply.ts';
import { parsePolicy } from './policy.ts';
import { CANARY } from './prompt.ts';
import { siteSchema } from './site.ts';

const site = siteSchema.parse({
  id: 's',
  origins: [],
  persona: 'You are Ada, who has written about engines for years.',
});
const { system } = replyQuestion('c', NO_CONTEXT, [], site);
const policy = parsePolicy({ word_lists: [{ id: 'w', words: ['casino'] }], blocked_domains: ['bad.example'] });
const clean = (answer: string, maxCharacters = 200) =>
  cleanReply(answer, { system, policy, maxCharacters, linkDomains: ['blog.example'] });

describe('a reply', () => {
  test.each([
    ['plain text stays', '好问题：第三节有答案。\n\n谢谢！', '好问题：第三节有答案。\n\n谢谢！'],
    ['tags go', '<b>Yes</b><script>alert(1)</script><img src=x onerror=alert(1)>', 'Yesalert(1)'],
    ['a tag without an end goes', 'Yes <svg/onload=alert(1)', 'Yes'],
    ['comments go', 'Yes<!-- hidden -->', 'Yes'],
    ['a comparison stays', 'a < b and 3 > 2', 'a < b and 3 > 2'],
    ['pictures go', 'See ![cat](https://evil.example/c.png)', 'See cat'],
    ['a link of the site stays', 'See [this](https://www.blog.example/p1)', 'See [this](https://www.blog.example/p1)'],
    ['another keeps its words', 'See [this](https://evil.example/?q=1 "t")', 'See this'],
    ['a scheme is no link', 'See [this](javascript:alert%281%29)', 'See this'],
    ['addresses go', 'See https://evil.example/x?leak=1 and https://blog.example/p', 'See  and https://blog.example/p'],
    ['a look-alike goes', 'See https://blog.example.evil.example', 'See'],
    ['someone in the address goes', 'See https://blog.example@evil.example/', 'See'],
    ['controls go', 'a\u202eb\u0007c\u200bd', 'abcd'],
    ['half a surrogate is replaced', 'a\ud800', 'a\ufffd'],
  ])('%s', (_, answer, expected) => {
    expect(clean(answer)).toBe(expected);
  });

  test.each([
    ['the mark', `It says ${CANARY}.`, 'leak'],
    ['the mark in pieces', 'k x 5 - s e m a p h o r e - 8 8 4 1', 'leak'],
    ['what it was told', `My task: ${system.slice(80, 260)}`, 'leak'],
    ['an e-mail address', 'Write to ann@mail.example', 'address'],
    ['one in disguise', 'Write to ann (at) mail.example', 'address'],
    ['a network address', 'You come from 203.0.113.7', 'address'],
    ['a word of the lists', 'Play at the casino!', 'word'],
    ['a blocked domain', 'Look at bad.example', 'blocked_domain'],
    ['nothing', ' \n<br>', 'empty'],
  ])('with %s is not shown', (_, answer, why) => {
    expect(() => clean(answer)).toThrow(expect.objectContaining({ code: 'comments.reply_unfit', detail: { why } }));
  });

  test('too long a one ends with a sentence', () => {
    expect(clean('One two three. Four five six. Seven eight nine ten.', 40)).toBe('One two three. Four five six.');
    expect(clean('好'.repeat(50), 10)).toBe(`${'好'.repeat(9)}…`);
  });
});
