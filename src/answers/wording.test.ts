import { expect, test } from 'vitest';
import { parseBrands } from './brands.ts';
import { cleanAnswer } from './clean-answer.ts';
import { compileBrands } from './compile-brands.ts';

const compiled = compileBrands(
  parseBrands(['豆包', 'Kimi', '元宝', 'Notion', 'Slack', 'Asana', 'C&A'].map((name) => ({ name }))),
);
const padding = '\n\n以下内容仅供参考，价格与功能以各家官网当天公布的信息为准。';

/** What is said about each brand that is mentioned: recommended (+, - or ?) and its place, if it has one. */
function said(text: string, query = '有哪些好用的工具'): Record<string, string> {
  const { results } = cleanAnswer({ answer: text + padding, query_text: query, brand_name: null }, compiled);
  return Object.fromEntries(
    results
      .filter((result) => result.is_mentioned)
      .map(({ brand_name, is_recommended, recommendation_rank }) => [
        brand_name,
        `${is_recommended === null ? '?' : is_recommended ? '+' : '-'}${recommendation_rank ?? ''}`,
      ]),
  );
}

test.each([
  ['写作的话，豆包也可以；Kimi也可以联网查资料。', { 豆包: '+', Kimi: '-' }],
  ['聊天用豆包、元宝都行。', { 豆包: '+', 元宝: '+' }],
  ['首选豆包，其他还有Kimi、元宝。', { 豆包: '+1', Kimi: '+', 元宝: '+' }],
  ['豆包的功能全，但在海外不好用，不建议作为主力。', { 豆包: '-' }],
  ['没有资料显示豆包会用到推荐数据。', { 豆包: '-' }],
  ['推荐豆包吗？要看情况，Kimi也一样。首选Kimi吗？未必。', { 豆包: '-', Kimi: '-' }],
  ['第一梯队：豆包、Kimi。\n\n第二梯队：元宝。\n\n建议先从第一梯队里选。', { 豆包: '+', Kimi: '+', 元宝: '-' }],
  ['- 写代码：Kimi\n- 如果常开会，又要做纪要：豆包', { 豆包: '+', Kimi: '+' }],
  [
    '1. **If you need docs and tasks together:** Notion is flexible.\n2. **If clients join:** Asana.',
    { Notion: '+', Asana: '+' },
  ],
  [
    '**What to skip**\n\n- Slack, unless you must.\n\n| Layer | Pick |\n|---|---|\n| Docs | Notion |',
    { Notion: '+', Slack: '-' },
  ],
  [
    'The simplest stack wins. Notion covers documents, and Asana covers tasks. Both connect to Slack.',
    { Notion: '+', Slack: '-', Asana: '+' },
  ],
  ['C&amp;A is a safe bet; Slack was mentioned in one review.', { 'C&A': '+', Slack: '-' }],
  ['Te recomiendo Notion. No te recomiendo Slack.', { Notion: '+', Slack: '-' }],
  ['Je vous conseille Notion. Je ne recommande pas Slack.', { Notion: '+', Slack: '-' }],
  ['Ich empfehle Notion. Slack würde ich nicht empfehlen.', { Notion: '+', Slack: '-' }],
  ['Notionがおすすめです。Slackはおすすめしません。', { Notion: '+', Slack: '-' }],
])('what is advised: %s', (text, expected) => {
  expect(said(text)).toEqual(expected);
});

test('适合 advises where recommendations are asked for, and describes elsewhere', () => {
  expect(said('豆包适合日常聊天。')).toEqual({ 豆包: '+' });
  expect(said('豆包适合日常聊天。', '豆包是什么时候发布的')).toEqual({ 豆包: '-' });
});

test.each([
  ['秘塔 > 豆包 > Kimi', { 豆包: '+2', Kimi: '+3' }],
  ['豆包 >> 秘塔 >> Kimi', { 豆包: '+1', Kimi: '+3' }],
  ['价格从高到低：豆包 > Kimi', { 豆包: '-', Kimi: '-' }],
  ['先在 豆包 -> Kimi 之间切换', { 豆包: '-', Kimi: '-' }],
  ['第一名是秘塔，第二名是豆包，Kimi排名第三。', { 豆包: '+2', Kimi: '+3' }],
  ['豆包没能排进第一名。', { 豆包: '-' }],
  ['冠军当属豆包，亚军是Kimi，季军给元宝。', { 豆包: '+1', Kimi: '+2', 元宝: '+3' }],
  ['豆包稳居第一，Kimi第二，元宝第三。', { 豆包: '+1', Kimi: '+2', 元宝: '+3' }],
  ['我的排序：一是豆包，二是Kimi。', { 豆包: '+1', Kimi: '+2' }],
  ['First, Notion, for the docs. Second, Slack, for the chat.', { Notion: '+1', Slack: '+2' }],
  ['Notion ranks first, Slack is the runner-up, and Asana comes in third.', { Notion: '+1', Slack: '+2', Asana: '+3' }],
  ['01 豆包\n02 Kimi', { 豆包: '+1', Kimi: '+2' }],
  ['### TOP1 豆包\n快。\n\n### TOP2 Kimi\n稳。', { 豆包: '+1', Kimi: '+2' }],
  ['\ufeff| 产品 | 排名 |\n|--|--|\n| Kimi | 2 |\n| 豆包 | 1 |', { 豆包: '+1', Kimi: '+2' }],
  ['推荐：\r\n\r\n1. 豆包\r\n2. Kimi', { 豆包: '+1', Kimi: '+2' }],
  ['推荐排名：\n\n1. 豆包\n   #### 优点\n   快\n2. Kimi', { 豆包: '+1', Kimi: '+2' }],
  ['不分先后：\n1. 豆包\n2. Kimi', { 豆包: '+', Kimi: '+' }],
  ['1. 豆包收费吗？\n免费。\n2. Kimi能联网吗？\n可以。', { 豆包: '-', Kimi: '-' }],
  ['| 奖牌 | 模型 |\n|---|---|\n| 🥇 | 豆包 |\n| 🥈 | Kimi |', { 豆包: '+1', Kimi: '+2' }],
  ['| 名次 | 型号 | 厂家 |\n|---|---|---|\n| 1 | X1 | 豆包 |\n| 2 | X2 | Kimi |', { 豆包: '+1', Kimi: '+2' }],
])('which place is given: %s', (text, expected) => {
  expect(said(text)).toEqual(expected);
});
