import { expect, test } from 'vitest';
import { readReasoning } from './read-reasoning.ts';

test.each<[string, string[], boolean]>([
  ['推荐豆包。', [], false],
  ['a < b, [1] and [THINKING]', [], false],
  ['<think>先想</think>推荐豆包。', ['<think>先想</think>'], false],
  ['<think>\n先想\n</think>\n', ['<think>\n先想\n</think>'], true],
  ['<THINKING>x</THINKING>y', ['<THINKING>x</THINKING>'], false],
  ['◁think▷先想◁/think▷推荐豆包。', ['◁think▷先想◁/think▷'], false],
  ['[THINK]x[/THINK]y', ['[THINK]x[/THINK]'], false],
  ['<seed:think>x</seed:think>y', ['<seed:think>x</seed:think>'], false],
  ['也许选Kimi？</think>推荐豆包。', ['也许选Kimi？</think>'], false],
  ['先想</think>', ['先想</think>'], true],
  ['<think>先想，还没', ['<think>先想，还没'], true],
  ['答案。\n<think>再想', ['<think>再想'], false],
  ['<think>a</think>b<think>c</think>', ['<think>a</think>', '<think>c</think>'], false],
  ['<think>a <think>b</think>c', ['<think>a <think>b</think>'], false],
  ['R1 会先输出 `<think>` 标签，再给答案。', [], false],
  ['模型把思考写在 <think> 之后，这里没有。', [], false],
])('%j', (text, reasoning, only) => {
  const found = readReasoning(text);
  expect(found.spans.map(({ start, end }) => text.slice(start, end))).toEqual(reasoning);
  expect(found.only).toBe(only);
});
