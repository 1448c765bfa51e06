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
