import { describe, expect, test } from 'vitest';
import { readMarkdown } from './read-markdown.ts';
import { validate } from './validate.ts';

const judge = (text: string, query = '推荐几个AI助手', finishReason?: string) =>
  validate({ doc: readMarkdown(text), finishReason, queryText: query, mentions: [] });

describe('refusals', () => {
  test.each([
    ['抱歉，我无法回答这个问题。', 'refuse:unable'],
    ['很抱歉，我暂时无法为您提供相关信息，请您换个话题。', 'refuse:unable'],
    ['我还不会这个，正在努力学习中。', 'refuse:unlearned'],
    ['作为人工智能，我不能讨论违反法律法规的内容，请理解。', 'refuse:policy'],
    ['I’m sorry, but I can’t assist with that request.', 'refuse:unable'],
    ["I'm unable to help with this. It would be harmful.", 'refuse:policy'],
    ["I don't know the answer to this question, sorry.", 'refuse:unlearned'],
    ['申し訳ありませんが、その依頼にはお手伝いできません。', 'refuse:unable'],
    ['Désolé, je ne peux pas vous aider avec cette demande.', 'refuse:unable'],
    ['Leider kann ich diese Frage nicht beantworten.', 'refuse:unable'],
    ['Lo siento, no puedo responder a esa pregunta.', 'refuse:unable'],
    ['Desculpe, não posso ajudar com isso.', 'refuse:unable'],
    ['죄송하지만 그 질문에는 답변을 드릴 수 없습니다.', 'refuse:unable'],
    ['Извините, я не могу помочь с этим вопросом.', 'refuse:unable'],
  ])('%s', (text, reason) => {
    const { valid, reason: found, evidence } = judge(text);
    expect([valid, found]).toEqual([false, reason]);
    expect(text.slice(evidence!.start, evidence!.end)).not.toBe('');
  });

  test.each([
    '抱歉让您久等。AI助手常见的有几类：写作、搜索和编程，按用途选择即可。',
    'AI助手不能保证内容正确，重要信息要自己核对；写作类和搜索类AI助手各有长处。',
    'An AI assistant cannot replace a doctor, but it can explain terms in plain words, which helps many people.',
  ])('%s is none', (text) => {
    expect(judge(text, '推荐几个AI助手 assistant')).toMatchObject({ valid: true, flags: [] });
  });

  test('a refusal with a list behind it is a partial one', () => {
    expect(judge('抱歉，我无法提供实时排名。\n\n1. 甲软件\n2. 乙软件')).toMatchObject({
      valid: true,
      flags: ['partial_refusal'],
    });
  });
});

describe('the other rungs', () => {
  test.each([
    ['', undefined, 'empty'],
    ['   \n', undefined, 'empty'],
    ['好的', undefined, 'empty'],
    ['', 'content_filter', 'blocked'],
    ['内容由于不合规被停止生成', undefined, 'blocked'],
    ['为保障访问安全，请完成人机验证后继续。', undefined, 'blocked'],
    ['Please log in to continue this conversation.', undefined, 'blocked'],
    ['服务器繁忙，请稍后再试。', undefined, 'transport'],
    ['{"error":{"message":"overloaded","type":"server_error"}}', undefined, 'transport'],
    ['Something went wrong. Please try again later.', undefined, 'transport'],
    ['<think>先想想</think>', undefined, 'reasoning_only'],
  ])('%j with %s is %s', (text, finish, reason) => {
    expect(judge(text, undefined, finish)).toMatchObject({ valid: false, reason });
  });

  test('a long answer may speak about busy servers', () => {
    expect(
      judge(
        `选AI助手先看稳定性：高峰期服务器繁忙时，很多产品会提示请稍后再试。${'再看回答质量、价格和隐私条款。'.repeat(12)}`,
      ),
    ).toMatchObject({ valid: true });
  });

  test('an answer in another language than the question is not irrelevant', () => {
    expect(judge('There are several good ones; pick by price and by the documents you read.')).toMatchObject({
      valid: true,
    });
  });
});
