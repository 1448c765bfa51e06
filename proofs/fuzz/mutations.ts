import { Converter } from 'opencc-js/cn2t';
import type { Chance } from './chance.ts';
import { anyCharacter, ENTITIES, INVISIBLE, JOINING, LONE_SURROGATES, otherForm, SIGNS } from './characters.ts';

/** What mutations draw from: whole answers, the names that are looked for, words that steer the measures. */
export interface Material {
  readonly answers: readonly string[];
  readonly names: readonly string[];
  readonly words: readonly string[];
}

type Mutation = (text: string, chance: Chance, material: Material) => string;

/** Mutations know the structure of answers: they move, tear and dress its blocks, lists, tables, names and marks. */
export const mutations: Readonly<Record<string, Mutation>> = {
  'blocks spliced': splice,
  'lists repeated and nested': nest,
  'tables torn': tear,
  'names wrapped': wrap,
  'letters in other forms': dress,
  'invisible signs inserted': sprinkle,
  'characters of every plane': scatter,
  'cut at any offset': cut,
  'runs of one sign': run,
  'brackets and quotes nested': bury,
  'marks and reasoning': mark,
  'words that steer': steer,
};

const toTraditional = Converter({ from: 'cn', to: 't' });

/** Calls `put` for `times` random offsets, ascending, and puts what it returns there. */
function insertAt(text: string, times: number, chance: Chance, put: () => string): string {
  const offsets = Array.from({ length: times }, () => chance.between(0, text.length)).sort((a, b) => a - b);
  let out = '';
  let from = 0;
  for (const offset of offsets) {
    out += text.slice(from, offset) + put();
    from = offset;
  }
  return out + text.slice(from);
}

const withLines = (text: string, change: (lines: string[]) => string[]): string => change(text.split('\n')).join('\n');

function splice(text: string, chance: Chance, { answers }: Material): string {
  const blocks = text.split(/\n{2,}/);
  for (let more = chance.between(1, 3); more > 0; more--) blocks.push(...chance.pick(answers).split(/\n{2,}/));
  return chance
    .shuffled(blocks)
    .slice(0, chance.between(1, blocks.length))
    .join(chance.pick(['\n\n', '\n', '', '\r\n', ' ']));
}

function nest(text: string, chance: Chance): string {
  return withLines(text, (lines) => {
    const from = chance.between(0, lines.length - 1);
    const part = lines.slice(from, from + chance.between(1, 8));
    const repeated: string[] = [];
    const step = chance.pick(['', ' ', '  ', '   ', '    ', '\t', '> ', '- ', '1. ', '>', '   1. ', '　']);
    for (let i = 0, prefix = ''; i < chance.magnitude(2, 60); i++, prefix += step) {
      repeated.push(...part.map((line) => prefix + line));
    }
    return [...lines.slice(0, from), ...repeated, ...lines.slice(from)];
  });
}

function tear(text: string, chance: Chance, { names }: Material): string {
  const table = [
    `| 产品 | ${chance.pick(['排名', '价格', 'Rank', '#'])} |`,
    '|:--|--:|',
    ...Array.from({ length: chance.between(1, 6) }, (_, i) => `| ${chance.pick(names)} | ${i + 1} |`),
  ];
  const lines = text.includes('|') ? text.split('\n') : [...text.split('\n'), '', ...table];
  const damage: ((line: string) => string | string[])[] = [
    (line) => line.replace('|', ''),
    (line) => line.slice(0, chance.between(0, line.length)),
    (line) => line.replaceAll('|', chance.pick(['||', '\\|', '｜', '|\n|', ' '])),
    (line) => [line, line],
    () => [],
    (line) => `${line}${'|'.repeat(chance.magnitude(1, 200))}`,
    (line) => `${chance.pick(['> ', '- ', '    ', '```'])}${line}`,
  ];
  return lines
    .flatMap((line) => (line.includes('|') && chance.happens(0.4) ? chance.pick(damage)(line) : line))
    .join('\n');
}

const wrappers: readonly (readonly [string, string])[] = [
  ['**', '**'],
  ['*', '*'],
  ['***', '**'],
  ['__', '__'],
  ['~~', '~~'],
  ['`', '`'],
  ['```', '```'],
  ['<b>', '</b>'],
  ['<a href="https://kimi.com/x?y=1&amp;z">', '</a>'],
  ['<!--', '-->'],
  ['<', '>'],
  ['[', '](https://a.example/b_(c))'],
  ['[', ']'],
  ['![', '](<x y> "豆包")'],
  ['【', '】'],
  ['（', '）'],
  ['(', ''],
  ['"', '"'],
  ['“', '”'],
  ['《', '》'],
  ['https://', '.com/豆包'],
  ['@', '.cn'],
  ['不推荐', ''],
  ['豆包（', '）'],
  ['$', '$'],
  ['\\', '\\'],
  ['1. ', '\n'],
  ['&', ';'],
];

function wrap(text: string, chance: Chance, { names }: Material): string {
  let out = text;
  for (let i = chance.between(1, 4); i > 0; i--) {
    const present = names.filter((name) => out.includes(name));
    const name = chance.pick(present.length > 0 ? present : names);
    const [open, close] = chance.pick(wrappers);
    const wrapped = present.length > 0 ? name : ` ${name} `;
    out =
      present.length > 0
        ? out.replaceAll(name, `${open}${wrapped}${close}`)
        : insertAt(out, chance.between(1, 5), chance, () => `${open}${wrapped}${close}`);
  }
  return out;
}

function dress(text: string, chance: Chance): string {
  if (chance.happens(0.3)) return toTraditional(text);
  const probability = chance.pick([0.02, 0.2, 1]);
  return Array.from(text, (character) => (chance.happens(probability) ? otherForm(character, chance) : character)).join(
    '',
  );
}

function sprinkle(text: string, chance: Chance): string {
  const kind = chance.pick([INVISIBLE, JOINING, LONE_SURROGATES, ENTITIES]);
  return insertAt(text, chance.magnitude(1, 200), chance, () => chance.pick(kind));
}

function scatter(text: string, chance: Chance): string {
  return insertAt(text, chance.magnitude(1, 100), chance, () => anyCharacter(chance));
}

function cut(text: string, chance: Chance): string {
  const from = chance.happens(0.5) ? 0 : chance.between(0, text.length);
  return text.slice(from, chance.between(from, text.length));
}

function run(text: string, chance: Chance): string {
  const signs = chance.happens(0.7) ? chance.pick(SIGNS) : chance.pick(SIGNS) + chance.pick(SIGNS);
  return insertAt(text, chance.between(1, 3), chance, () => signs.repeat(chance.magnitude(10, 5000)));
}

const pairs = ['（）', '()', '[]', '【】', '“”', '「」', '《》', '{}', '<>', '**', '__', '``'] as const;

function bury(text: string, chance: Chance, { names }: Material): string {
  const depth = chance.magnitude(2, 2000);
  const core = chance.happens(0.5) ? chance.pick(names) : text.slice(0, 200);
  const [open, close] = [...chance.pick(pairs)] as [string, string];
  const quotes = chance.pick(['> ', '>', '- > ', '>  1. ']).repeat(Math.min(depth, 300));
  const kind = chance.between(0, 3);
  if (kind === 0) return `${text}\n${open.repeat(depth)}${core}${close.repeat(chance.between(0, depth))}`;
  if (kind === 1) return `${quotes}${core}\n${text}`;
  if (kind === 2) return `${text}\n${`${chance.pick(names)}${open}`.repeat(Math.min(depth, 300))}`;
  return `${text}\n${Array.from({ length: Math.min(depth, 100) }, (_, i) => `${'  '.repeat(i)}${i + 1}. ${core.slice(0, 20)}`).join('\n')}`;
}

const marks = [
  '[1]',
  '[^2]',
  '[1][2][3]',
  '[citation:4]',
  '[ref_1]',
  '【3†source】',
  '【3†',
  '\ue200cite\ue202turn0search1\ue201',
  '\ue200',
  '<think>',
  '</think>',
  '<think></think>',
  '<thinking>',
  '来源：',
  '\n参考资料：\n',
  '\n[1]: https://a.example "豆包"\n',
  '[^2]: ',
  'https://kimi.com/a?b=豆包',
  'www.kimi.com',
  'a@doubao.com',
  '```\n',
  '~~~~',
  '[[1]](https://x.example)',
  '<sup>1</sup>',
  '\\[1\\]',
];

function mark(text: string, chance: Chance): string {
  return insertAt(text, chance.magnitude(1, 40), chance, () => chance.pick(marks));
}

function steer(text: string, chance: Chance, { names, words }: Material): string {
  return insertAt(text, chance.magnitude(1, 60), chance, () => {
    const word = chance.pick(words);
    return chance.happens(0.5) ? word + chance.pick(names) : chance.pick(names) + word;
  });
}
