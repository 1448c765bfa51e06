import fc from 'fast-check';

/**
 * Documents in Markdown as assistants write it: headings, lists of every kind within each other, tables, fences,
 * quotes, emphasis around Chinese with punctuation inside, links, HTML. Nesting is bounded, for the oracle's sake.
 */

/** How a document is spelt: as CommonMark would have it, or with the habits of answers. */
export type Spelling = 'plain' | 'habits';

const MAX_DEPTH = 3;

const word = fc.constantFrom(
  '语音自然',
  '免费',
  'Kimi',
  '豆包',
  'C++',
  'long context',
  '长文',
  'SK-II',
  '2.5',
  '（内测）',
  '价格',
  'AT&T',
);
const emphasised = fc
  .tuple(fc.constantFrom('**', '*', '***', '~~'), word, fc.constantFrom('', '：', '。', '”', '）'))
  .map(([mark, text, sign]) => `${mark}${text}${sign}${mark}`);
const piece = fc.oneof(
  { weight: 5, arbitrary: word },
  { weight: 2, arbitrary: emphasised },
  { weight: 1, arbitrary: word.map((text) => `\`${text}\``) },
  { weight: 1, arbitrary: word.map((text) => `[${text}](https://a.example/${encodeURIComponent(text)})`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '<b>粗</b>',
      '<br>',
      '<!-- 注 -->',
      '&amp;',
      '\\*',
      '[1]',
      '【3†source】',
      'https://b.example/x ',
    ),
  },
);
const separator = fc.constantFrom('', '，', ' ', '、', '：');
/** One line of prose that opens no other block. */
export const line = fc
  .tuple(
    fc.constantFrom('这里', '说到', 'About ', '“'),
    fc.array(fc.tuple(piece, separator), { minLength: 1, maxLength: 4 }),
    fc.constantFrom('', '。', '：'),
  )
  .map(([first, pieces, last]) => `${first}${pieces.flat().join('')}${last}`.trimEnd());

type Lines = string[];

const paragraph = fc
  .array(line, { minLength: 1, maxLength: 3 })
  .map((lines) => lines.map((text) => `${text.replace(/[。：]$/, '')}。`));
const heading = fc
  .tuple(fc.integer({ min: 1, max: 6 }), line, fc.constantFrom('', '', ' ##'))
  .map(([level, text, close]): Lines => [`${'#'.repeat(level)} ${text}${close}`]);
const underlined = fc
  .tuple(word, fc.constantFrom('===', '---', '====='))
  .map(([text, rule]): Lines => [`标题${text}`.replace(/[。：]$/, ''), rule]);
const rule = fc.constantFrom('---', '***', '___', '* * *', '-----').map((text): Lines => [text]);
const codeLine = fc.constantFrom(
  '1. x',
  '# y',
  '> z',
  '',
  '- [ ] 豆包',
  'const a = b[1];',
  '| a | b |',
  '`` ` ``',
  '**x**',
);
const fence = fc
  .tuple(
    fc.constantFrom('```', '~~~', '````'),
    fc.constantFrom('', 'js', ' python x'),
    fc.array(codeLine, { maxLength: 4 }),
  )
  .map(([signs, info, lines]): Lines => [`${signs}${info}`, ...lines, signs]);
const cell = fc.oneof(word, emphasised, fc.constantFrom('', '1', '-', 'a \\| b', '—'));
const table = fc.integer({ min: 2, max: 4 }).chain((columns) =>
  fc
    .tuple(
      fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), { minLength: 1, maxLength: 4 }),
      fc.constantFrom('--', ':-:', ':---', '-:'),
    )
    .map(([rows, delimiter]): Lines => {
      const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
      const [head, ...body] = rows;
      const titles = head!.map((title) => title || 'x');
      return [row(titles), `|${Array(columns).fill(delimiter).join('|')}|`, ...body.map(row)];
    }),
);

const bareTable = fc
  .tuple(word, word, fc.array(fc.tuple(word, word), { minLength: 1, maxLength: 3 }))
  .map(([a, b, rows]): Lines => [`${a} | ${b}`, '--- | ---', ...rows.map((cells) => cells.join(' | '))]);

/** The marks of the items of one list; `n` counts from 0. */
const plainMarks = fc.oneof(
  fc.constantFrom('-', '*', '+').map((sign) => () => `${sign} `),
  fc.tuple(fc.integer({ min: 1, max: 9 }), fc.constantFrom('.', ')')).map(
    ([first, sign]) =>
      (n: number) =>
        `${first + n}${sign} `,
  ),
  fc.constant(() => '1. '),
  fc.constantFrom('- [ ] ', '* [x] ').map((mark) => () => mark),
);
const habitMarks = fc.oneof(
  plainMarks,
  fc.constantFrom(
    (n: number) => `${n + 1}、`,
    (n: number) => `（${n + 1}）`,
    (n: number) => '①②③④⑤'[n]!,
    (n: number) => `${'一二三四五'[n]}、`,
    (n: number) => `第${'一二三四五'[n]}名：`,
    (n: number) => `${['🥇', '🥈', '🥉', '4️⃣', '5️⃣'][n]} `,
    (n: number) => `${n + 1}.`,
    () => '• ',
    () => '– ',
    (n: number) => `- ${['🥇', '🥈', '🥉', '4️⃣', '5️⃣'][n]} `,
  ),
);

/** Columns that what belongs to an item is indented by. */
const widthOf = (mark: string): number => (/^[-*+•–] (?:\[|$)/.test(mark) ? 2 : /^\d\d/.test(mark) ? 4 : 3);
const indented = (lines: Lines, by: number): Lines => lines.map((text) => (text === '' ? '' : ' '.repeat(by) + text));

function list(spelling: Spelling, depth: number): fc.Arbitrary<Lines> {
  const inner: fc.Arbitrary<Lines>[] = [paragraph, fence, table, heading];
  if (depth > 1) inner.push(list(spelling, depth - 1), quote(spelling, depth - 1));
  const nested = depth > 1 ? list(spelling, depth - 1).map((lines) => ['tight', lines] as const) : null;
  const loose = fc.oneof(...inner).map((lines) => ['loose', lines] as const);
  const nothing = fc.constant(['none', [] as Lines] as const);
  const child =
    nested === null
      ? fc.oneof({ weight: 3, arbitrary: nothing }, { weight: 1, arbitrary: loose })
      : fc.oneof({ weight: 3, arbitrary: nothing }, { weight: 2, arbitrary: nested }, { weight: 1, arbitrary: loose });
  const item = fc.tuple(line, fc.constantFrom('', '', 'indented', 'lazy'), child, fc.boolean());
  const marks = spelling === 'plain' ? plainMarks : habitMarks;
  return fc.tuple(marks, fc.array(item, { minLength: 1, maxLength: 4 })).map(([mark, items]) =>
    items.flatMap(([first, more, [how, lines], gap], n): Lines => {
      const sign = mark(n);
      const width = widthOf(sign);
      const out = [`${sign}${first}`];
      if (more !== '') out.push(more === 'lazy' ? '说明文字。' : `${' '.repeat(width)}说明文字。`);
      if (how === 'loose') out.push('');
      out.push(...indented(lines, width));
      if (gap && n < items.length - 1) out.push('');
      return out;
    }),
  );
}

function quote(spelling: Spelling, depth: number): fc.Arbitrary<Lines> {
  const inner = depth > 1 ? fc.oneof(paragraph, list(spelling, depth - 1), heading, fence, table) : paragraph;
  return fc
    .array(inner, { minLength: 1, maxLength: 2 })
    .map((blocks) => joined(blocks).map((text) => (text === '' ? '>' : `> ${text}`)));
}

const joined = (blocks: readonly Lines[]): Lines => blocks.flatMap((lines, n) => (n === 0 ? lines : ['', ...lines]));

const habits: fc.Arbitrary<Lines>[] = [
  fc.tuple(word, fc.constantFrom('', '：', ':')).map(([text, sign]) => [`**推荐${text}**${sign}`]),
  fc.tuple(fc.integer({ min: 2, max: 4 }), word).map(([level, text]) => [`${'#'.repeat(level)}推荐${text}`]),
  line.map((text) => [`${text.replace(/[。：]$/, '')}。`, '---']),
  fc.tuple(paragraph, table).map(([lines, rows]) => [...rows, ...lines]),
  fc.tuple(word, paragraph).map(([text, lines]) => ['<details>', `<summary>${text}</summary>`, ...lines, '</details>']),
  fc.constantFrom(['[1]: https://a.example/x 标题'], ['[^2]: 豆包官网，https://b.example']),
  fc.constant(['#豆包 #Kimi']),
  fc.tuple(fc.integer({ min: 2, max: 5 }), line).map(([number, text]) => ['前一句。', `${number}. ${text}`]),
  fc.tuple(fc.integer({ min: 1, max: 3 }), line).map(([number, text]) => [`**${number}. 豆包**：${text}`]),
];

export function documents(spelling: Spelling): fc.Arbitrary<string> {
  const blocks: fc.WeightedArbitrary<Lines>[] = [
    { weight: 3, arbitrary: paragraph },
    { weight: 2, arbitrary: heading },
    { weight: 5, arbitrary: list(spelling, MAX_DEPTH) },
    { weight: 2, arbitrary: table },
    { weight: 1, arbitrary: fc.oneof(bareTable, underlined, rule) },
    { weight: 1, arbitrary: fence },
    { weight: 2, arbitrary: quote(spelling, MAX_DEPTH) },
  ];
  if (spelling === 'habits') blocks.push({ weight: 5, arbitrary: fc.oneof(...habits) });
  const block = fc.tuple(fc.oneof(...blocks), fc.boolean());
  return fc
    .tuple(fc.array(block, { minLength: 1, maxLength: 6 }), fc.boolean(), fc.constantFrom('\n', '\r\n'))
    .map(([all, ends, newLine]) => {
      const lines = all.flatMap(([own, close], n): Lines => {
        const last = all[n - 1]?.[0].at(-1);
        const isClose = last !== undefined && close && interrupts.test(own[0]!) && !/^\s*[>|]/.test(last);
        return n === 0 || isClose ? own : ['', ...own];
      });
      return lines.join(newLine) + (ends ? newLine : '');
    });
}

/** What may follow a paragraph without a blank line between. */
const interrupts = /^(?:#{1,6} |`{3}|~~~|> |[-*+] [^[]|\| )/;
