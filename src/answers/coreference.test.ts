import { expect, test } from 'vitest';
import { parseBrands } from './brands.ts';
import { compileBrands } from './compile-brands.ts';
import { readMarkdown } from './read-markdown.ts';
import { recognise } from './recognise.ts';

const compiled = compileBrands(
  parseBrands(['豆包', 'Kimi', '元宝', '腾讯', 'Slack', 'Zoom', 'Notion'].map((name) => ({ name }))),
);

/** Each pronoun that stands for brands, as `surface=brand`, in order. */
function references(text: string): string[] {
  return recognise(readMarkdown(text), compiled)
    .matches.filter((match) => match.kind === 'coreference')
    .map((match) => `${match.surface}=${match.standard_name}`);
}

test.each([
  ['the nearest brand of its own clause', 'Kimi不错，用豆包时它也会出声。', ['它=豆包']],
  ['the subject of the clause before', '豆包把Kimi的用户抢走了，它的语音更自然。', ['它=豆包']],
  ['the subject, behind a comparison', 'Slack beats Zoom on price; it also has threads.', ['it=Slack']],
  ['the last of several clauses', '豆包更快，Kimi更便宜，它还免费。', ['它=Kimi']],
  ['what a verb introduces', '腾讯推出了元宝，它接入了微信。', ['它=元宝']],
  ['several brands', '豆包和Kimi都免费。它们都支持联网。', ['它们=豆包', '它们=Kimi']],
  ['a company', 'Zoom raised its prices; they blame the cloud.', ['its=Zoom', 'they=Zoom']],
  ['two companies', 'Slack and Zoom share a plug-in: they work together.', ['they=Slack', 'they=Zoom']],
  ['a demonstrative', 'Notion is slow. This tool needs a network.', ['This tool=Notion']],
])('a pronoun stands for %s', (_, text, expected) => {
  expect(references(text)).toEqual(expected);
});

test.each([
  ['words that only contain one', '豆包和其他产品都行，尤其是Kimi，其实差别不大。'],
  ['weather', 'Skip Zoom when it is raining.'],
  ['an empty subject', 'Notion is large, and it is hard to find your notes again.'],
  ['what helps', 'Slack is loud; it helps to mute channels.'],
  ['people', 'Engineers love Slack because they can script.'],
  ['a thing just introduced', '豆包里有个按钮，长按它就能说话。'],
  ['another party that the paragraph named', 'Kimi和秘塔都能查资料。秘塔的来源更细，它会标出页码。'],
  ['a department', 'Slack在公司很常用，IT部门负责维护。'],
  ['a brand of another paragraph', '豆包不错。\n\n它的价格是多少？'],
  ['a brand of another item', '- 豆包\n- 它很快'],
])('a pronoun stands for nobody: %s', (_, text) => {
  expect(references(text)).toEqual([]);
});

test('"easy to use" speaks of the brand', () => {
  expect(references('Notion is popular; it is easy to use.')).toEqual(['it=Notion']);
});
