import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readBlocks } from './markdown-blocks.ts';

const outline = (text: string) =>
  readBlocks(text).map(
    (block) =>
      `${block.kind}${block.level}${block.ordinal === null ? '' : `#${block.ordinal.value}`}:${text.slice(block.content, block.end)}`,
  );

test('lists keep their numbers, nesting and continuation lines', () => {
  expect(outline('导语：\n1. 豆包\n   1. 子项\n   - 点\n续行\n\n2、Kimi\n\n后记')).toEqual([
    'paragraph0:导语：',
    'item0#1:豆包',
    'item1#1:子项',
    'item2:点\n续行',
    'item0#2:Kimi',
    'paragraph0:后记',
  ]);
});

test('bullets written directly under a numbered item belong to it', () => {
  const blocks = readBlocks('1. 豆包\n- 优点\n- 缺点\n2. Kimi');
  expect(blocks.map((block) => [block.level, block.parent, block.underOrdered])).toEqual([
    [0, -1, false],
    [1, 0, true],
    [1, 0, true],
    [0, -1, false],
  ]);
});

test('headings, bold lines, rules and quotes', () => {
  expect(outline('## 1. 豆包 \n---\n**推荐**：\n> 引用\n##标题')).toEqual([
    'heading2#1:豆包',
    'heading7:推荐**：',
    'paragraph0:引用',
    'heading2:标题',
  ]);
});

test('tables give cells without their spaces', () => {
  const text = '| 产品 | 排名 |\n|:--|--:|\n| Kimi | 2 |\n豆包 \\| x | 1\n\n不是 | 表';
  const blocks = readBlocks(text);
  expect(blocks.map((block) => block.kind)).toEqual(['row', 'row', 'row', 'paragraph']);
  expect(blocks.map((block) => block.cells.map((cell) => text.slice(cell.start, cell.end)))).toEqual([
    ['产品', '排名'],
    ['Kimi', '2'],
    ['豆包 \\| x', '1'],
    [],
  ]);
});

test('code keeps its info apart', () => {
  const text = '```js title\n1. 豆包\n```\n后';
  const blocks = readBlocks(text);
  expect(blocks.map((block) => [block.kind, text.slice(block.info.start, block.info.end)])).toEqual([
    ['code', 'js title'],
    ['paragraph', ''],
  ]);
});

test.each([
  ['a heading in an item holds for that item', '## 推荐\n1. 豆包\n   ### 优点\n   - 快\n2. Kimi', [-1, 0, 0, 2, 0]],
  ['a bold line in an item is no heading', '1. 豆包\n\n   **优点**\n\n   快\n2. Kimi', [-1, -1, -1, -1]],
  ['an underlined title', '推荐\n===\n豆包\n\nKimi\n---\n元宝', [-1, 0, 0, 2]],
  ['a rule under a sentence', '先说豆包。\n---\n再说Kimi', [-1, -1]],
])('%s', (_, text, headings) => {
  expect(readBlocks(text).map((block) => block.heading)).toEqual(headings);
});

test.each([
  ['hashtags', '#豆包 #Kimi\n\n#豆包#\n\n#豆包', ['paragraph0:#豆包 #Kimi', 'paragraph0:#豆包#', 'heading1:豆包']],
  ['signs that close a heading', '## 豆包 ##\n## C#\n##', ['heading2:豆包', 'heading2:C#', 'heading2:']],
  ['tasks', '- [x] 豆包\n- [ ] Kimi\n- [1] 元宝', ['item0:豆包', 'item0:Kimi', 'item0:[1] 元宝']],
  ['code in one line is no fence', '```豆包```很好\n\nKimi', ['paragraph0:```豆包```很好', 'paragraph0:Kimi']],
  ['a fence ends at its own signs', '````\n```js\n```\n````\n豆包', ['code0:', 'paragraph0:豆包']],
  [
    'a fence in an item, badly indented',
    '1. 先\n   ```sh\nnpm i\n   ```\n2. 后',
    ['item0#1:先', 'code0:', 'item0#2:后'],
  ],
  ['a fence in a quote ends with it', '> ```\n> x\n豆包', ['code0:', 'paragraph0:豆包']],
  [
    'a quote begins a paragraph',
    '豆包\n> Kimi\n元宝\n\n- a\n> b',
    ['paragraph0:豆包', 'paragraph0:Kimi\n元宝', 'item0:a', 'paragraph0:b'],
  ],
  ['bars in other blocks end a table', '| a |\n|--|\n| b |\n- x | y', ['row0:| a |', 'row0:| b |', 'item0:x | y']],
])('%s', (_, text, expected) => {
  expect(outline(text).map((line) => line.replace(/^code0:.*/s, 'code0:'))).toEqual(expected);
});

test('a row of dashes is a row, the line under the header is none; escaped bars divide nothing', () => {
  const text = '| a | b |\n|--|--|\n| - | - |\n| c\\|d | e\\\\| f |';
  expect(readBlocks(text).map((block) => block.cells.map((cell) => text.slice(cell.start, cell.end)))).toEqual([
    ['a', 'b'],
    ['-', '-'],
    ['c\\|d', 'e\\\\', 'f'],
  ]);
});

test('a table in an item belongs to it', () => {
  const blocks = readBlocks('1. 对比\n   | a | b |\n   |--|--|\n   | c | d |\n2. 后');
  expect(blocks.map((block) => [block.kind, block.parent])).toEqual([
    ['item', -1],
    ['row', 0],
    ['row', 0],
    ['item', -1],
  ]);
});

test('blocks are in order, disjoint and within the text, whatever it is', () => {
  const piece = fc.constantFrom(
    '1. ',
    '- ',
    '  ',
    '\n',
    '\n\n',
    '|',
    '|--|\n',
    '```',
    '# ',
    '**',
    '> ',
    '豆包',
    'a',
    '①',
    '\t',
    '\r\n',
    '---',
    '[x]',
    '一、',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const text = pieces.join('');
      let last = 0;
      for (const block of readBlocks(text)) {
        expect(block.start).toBeGreaterThanOrEqual(last);
        expect(block.content).toBeGreaterThanOrEqual(block.start);
        expect(block.end).toBeGreaterThanOrEqual(block.content);
        expect(block.end).toBeLessThanOrEqual(text.length);
        last = block.end;
      }
    }),
    { numRuns: 500 },
  );
});
