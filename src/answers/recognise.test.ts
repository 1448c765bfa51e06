import { expect, test } from 'vitest';
import { parseBrands } from './brands.ts';
import { compileBrands } from './compile-brands.ts';
import { readMarkdown } from './read-markdown.ts';
import { recognise } from './recognise.ts';

const compiled = compileBrands(
  parseBrands([
    { name: '豆包', aliases: ['豆包', 'Doubao'] },
    { name: 'Kimi' },
    { name: '腾讯元宝', aliases: ['腾讯元宝', '元宝'] },
  ]),
);

/** Every explicit hit as `surface:rule`, in order. */
const hits = (text: string): string[] =>
  recognise(readMarkdown(text), compiled)
    .matches.filter((match) => match.kind === 'explicit')
    .map((match) => `${match.surface}:${match.rule}`);

test.each([
  [
    'a gloss in any bracket counts once',
    '豆包【Doubao】和豆包（Doubao）',
    ['豆包:alias', 'Doubao:gloss', '豆包:alias', 'Doubao:gloss'],
  ],
  ['a gloss that the text ends in counts once', '豆包（Doubao', ['豆包:alias', 'Doubao:gloss']],
  ['a bracket of another brand is a mention', '豆包【Kimi】', ['豆包:alias', 'Kimi:alias']],
  ['nothing related was found', '搜索结果中没有与豆包相关的内容。', ['豆包:absence']],
  ['not to work together is no absence', '目前没有与Kimi合作的计划。', ['Kimi:alias']],
  ['traditional characters are the same name', '騰訊元寶和元寶', ['騰訊元寶:alias', '元寶:alias']],
])('%s', (_, text, expected) => {
  expect(hits(text)).toEqual(expected);
});
