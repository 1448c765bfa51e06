import type { Chance } from './chance.ts';
import { ENTITIES, INVISIBLE, SIGNS } from './characters.ts';
import { type Corpus, pieces } from './fuzzed-answers.ts';

/** A kind of hostile text that can be made as long as one likes. */
export interface Shape {
  readonly name: string;
  text(length: number): string;
}

/** A length in UTF-16 units, and the shortest processor time that cleaning took. */
export interface Take {
  readonly length: number;
  readonly ms: number;
}

/** Below this a time is the machine's, not the text's: caches and the young generation of the heap are still enough. */
const NOISE_MS = 20;
/** Takes of one length end after this time, but for the first. */
const ENOUGH_MS = 120;
const MAX_TAKES = 3;

const repeated = (unit: string): Shape => ({
  name: JSON.stringify(unit.length > 24 ? `${unit.slice(0, 24)}…` : unit),
  text: (length) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length),
});

/** Runs of each sign, and of what makes readers of Markdown, links, lists or names look far ahead or far back. */
const UNITS: readonly string[] = [
  ...SIGNS,
  ...INVISIBLE.slice(0, 4),
  ...ENTITIES,
  '\u0301',
  'e\u0301',
  'ﾞ',
  '\ud800',
  '\udc00',
  '🥇',
  '𝗞',
  'İ',
  'ß',
  '騰',
  'a',
  '1',
  '1.',
  '1. ',
  '\n1. a',
  '\n- ',
  '\n> ',
  '> ',
  '- > ',
  '\n\n',
  '**',
  '*a',
  '**a** ',
  '**豆包** ',
  '[a](',
  '[a](b) ',
  '[[',
  '![',
  '[^1',
  '[1]',
  '【3†source】',
  '<a href="',
  '<b>',
  '<!--',
  '<think>',
  '</think>',
  '<think>a</think>',
  '\n```\n',
  '`a',
  '\n# a\n',
  '\n|a|b|\n|-|-|\n|豆包|1|',
  '|a',
  '\n|',
  '\n|-',
  'https://',
  'https://a.example/ ',
  'http://a',
  'www.a.',
  'a@b.',
  'a.b',
  '-a',
  ' - ',
  'C++',
  'C\\+\\+',
  '豆包',
  '豆包（',
  '豆包（Doubao）',
  'Kimi > ',
  'Moonshot ',
  'Moonshot A',
  '豆包，它',
  '豆包和Kimi，它们',
  '他们',
  '吃苹果',
  '苹果红富士',
  '平安，',
  '平安保险',
  '未找到',
  '未找到豆包',
  '关于豆包',
  '不是不推荐豆包',
  '推荐',
  '比',
  '比豆包',
  '没有比',
  '首选豆包，',
  '第一',
  '第一名：豆包\n',
  '第一梯队：豆包\n',
  '①豆包',
  '1、豆包',
  '\n1. 豆包\n   - 它',
  '\n来源：\n1. 豆包',
  '来源：',
  '抱歉，我无法',
  '抱歉，我无法回答。',
  "I'm sorry, but ",
  'I cannot really just ',
  '服务器繁忙',
  ' a',
  'A'.repeat(200),
  'Doubao ',
  'doubaо',
  `豆包${'*'.repeat(40)}`,
  `豆包${' '.repeat(400)}\n`,
  `${'> '.repeat(60)}豆包\n`,
  `${'  '.repeat(40)}1. 豆包\n`,
];

export function shapesOf(corpus: Corpus, chance: Chance): Shape[] {
  const examples = corpus.material.answers.join('\n\n');
  const mixtures = Array.from({ length: 4 }, (_, i): Shape => {
    const mixture = pieces(corpus.material, 4000, chance);
    return { name: `random mixture ${i + 1}`, text: repeated(mixture).text };
  });
  const opened = ['豆包', '[', '<think>', '```\n', '> ', '| a |\n|--|\n', '1. ', '抱歉，', 'https://'].map(
    (opening): Shape => {
      const body = repeated('a豆包 ').text;
      return {
        name: `${JSON.stringify(opening)}, then names`,
        text: (length) => opening + body(length - opening.length),
      };
    },
  );
  return [{ name: 'example answers', text: repeated(examples).text }, ...mixtures, ...opened, ...UNITS.map(repeated)];
}

/** Lengths that double, from the first to the last. */
export function doublings(first: number, last: number): number[] {
  const lengths: number[] = [];
  for (let length = first; length <= last; length *= 2) lengths.push(length);
  return lengths;
}

/** Processor time of this thread in milliseconds: what other processes do to the machine is not in it. */
function processorMs(run: () => void): number {
  const before = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** The shortest of some takes: what else the machine does only ever makes them longer. */
export function shortestOf(run: () => void): number {
  let shortest = Number.POSITIVE_INFINITY;
  let spent = 0;
  for (let i = 0; i < MAX_TAKES && (i === 0 || spent < ENOUGH_MS); i++) {
    const ms = processorMs(run);
    shortest = Math.min(shortest, ms);
    spent += ms;
  }
  return shortest;
}

/** How many times longer a unit takes in the longest text than in the shortest that takes more than noise; 1 if none does. */
export function growthOf(takes: readonly Take[]): number {
  const measurable = takes.filter((take) => take.ms >= NOISE_MS);
  const first = measurable[0];
  const last = measurable.at(-1);
  if (first === undefined || last === undefined) return 1;
  return last.ms / last.length / (first.ms / first.length);
}
