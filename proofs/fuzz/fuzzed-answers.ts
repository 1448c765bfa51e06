import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { parseBrands } from '../../src/answers/brands.ts';
import type { CleanInput } from '../../src/answers/clean-answer.ts';
import { type CompiledBrands, compileBrands } from '../../src/answers/compile-brands.ts';
import { cueWords } from '../../src/answers/lexicon.ts';
import type { Chance } from './chance.ts';
import { anyCharacter } from './characters.ts';
import { type Material, mutations } from './mutations.ts';

/** An answer in the form that carries everything a platform may deliver beside the text. */
export interface FuzzInput extends CleanInput {
  readonly answer: Exclude<CleanInput['answer'], string> & { readonly text: string };
}

/** The examples that are mutated, and the brands that they are searched for. */
export interface Corpus {
  readonly inputs: readonly FuzzInput[];
  readonly compiled: CompiledBrands;
  readonly material: Material;
}

export function readCorpus(): Corpus {
  const folder = new URL('../../examples/answers/', import.meta.url);
  const compiled = compileBrands(parseBrands(parse(readFileSync(new URL('brands.yaml', folder), 'utf8'))));
  const inputs = readFileSync(new URL('answers.jsonl', folder), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): FuzzInput => {
      const { answer, query_text, scene_type } = JSON.parse(line) as CleanInput;
      const fields = typeof answer === 'string' ? { text: answer } : { ...answer, text: answer.text ?? '' };
      return { answer: fields, query_text, scene_type, brand_name: null };
    });
  const names = compiled.brands.flatMap((brand) => brand.aliases.map((alias) => alias.text));
  const rules = compiled.brands.flatMap((brand) => [...brand.exclude, ...brand.require]);
  const words = [...cueWords.map((cue) => cue.text), ...rules, ...STEERING];
  return { inputs, compiled, material: { answers: inputs.map((input) => input.answer.text), names, words } };
}

/** Beside the words of the lexicon: what opens refusals, rankings, tiers and notices. */
const STEERING = [
  '抱歉，我无法回答',
  "I'm sorry, but I can't help with that.",
  '无法提供',
  '服务器繁忙，请稍后再试',
  '避雷清单：',
  '第一梯队：',
  'Tier 1: ',
  '排名第一',
  'Top 3: ',
  ' > ',
  '首选',
  '①',
  '🥇',
  '\n## 缺点\n',
  '\n1. ',
  '\n- ',
];

/** The kinds of mutation, and the two that are none of one text: several on top of each other, and pieces out of nothing. */
export const KINDS: readonly string[] = [...Object.keys(mutations), 'several at once', 'pieces at random'];

export function mutate(corpus: Corpus, kind: string, chance: Chance): FuzzInput {
  const input = mutateFields(chance.pick(corpus.inputs), chance);
  return withText(input, mutateText(corpus, input.answer.text, kind, chance));
}

export const withText = (input: FuzzInput, text: string): FuzzInput => ({
  ...input,
  answer: { ...input.answer, text },
});

function mutateText({ material }: Corpus, text: string, kind: string, chance: Chance): string {
  if (kind === 'pieces at random') return pieces(material, chance.magnitude(1, 120), chance);
  if (kind !== 'several at once') return mutations[kind]!(text, chance, material);
  let out = text;
  for (let times = chance.between(2, 5); times > 0; times--) {
    // Repeated repeating would leave no time for the others.
    if (out.length > 50_000) break;
    out = chance.pick(Object.values(mutations))(out, chance, material);
  }
  return out;
}

const glue = [
  '',
  '',
  '，',
  '。',
  '\n',
  '\n\n',
  ' ',
  '、',
  '- ',
  '1. ',
  '|',
  '**',
  '：',
  '>',
  '（',
  '）',
  '[',
  '](',
  '`',
];

/** Names, steering words, glue and characters of every plane without any answer around them. */
export function pieces({ names, words }: Material, count: number, chance: Chance): string {
  let out = '';
  for (let i = 0; i < count; i++) {
    const kind = chance.between(0, 9);
    out +=
      kind < 3
        ? chance.pick(names)
        : kind < 5
          ? chance.pick(words)
          : kind < 9
            ? chance.pick(glue)
            : anyCharacter(chance);
  }
  return out;
}

const hostileUrls = [
  '',
  'x',
  'https://',
  'javascript:豆包',
  'http://[::1',
  'https://kimi.com:99999/',
  '//',
  'https://\ud800.com',
  'https://a..b/',
  `https://${'a.'.repeat(500)}com`,
];

/** One answer in three also gets other fields: how it ended, its reasoning, its sources, its question. */
function mutateFields(input: FuzzInput, chance: Chance): FuzzInput {
  if (chance.happens(0.66)) return input;
  const { answer } = input;
  const url = (): string => (chance.happens(0.5) ? chance.pick(hostileUrls) : 'https://www.doubao.com/');
  return {
    ...input,
    query_text: chance.pick([input.query_text, '', '避雷', '\ud800', input.query_text.repeat(20)]),
    answer: {
      ...answer,
      finish_reason: chance.pick([undefined, null, 'stop', 'length', 'content_filter', 'error', '']),
      reasoning: chance.pick([undefined, null, '', answer.text]),
      searched: chance.pick([undefined, null, true, false]),
      citations: chance.pick([
        undefined,
        null,
        [],
        Array.from({ length: chance.between(1, 12) }, () => ({
          url: url(),
          title: chance.pick([null, '豆包', '36kr.com', '\udc00']),
        })),
      ]),
    },
  };
}
