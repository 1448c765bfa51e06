import { expect, test } from 'vitest';
import { clauseAt, sentenceAt, splitClauses } from './clauses.ts';

const split = (text: string) => {
  const { starts } = splitClauses(text);
  return starts.map((start, i) => text.slice(start, starts[i + 1] ?? text.length)).filter((clause) => clause !== '');
};

test.each([
  ['推荐：豆包、Kimi，不贵。试试！！', ['推荐：豆包、Kimi，', '不贵。', '试试！！']],
  ['It costs 1,000.50 dollars, e.g. now. Next', ['It costs 1,000.50 dollars,', ' e.g. now.', ' Next']],
  ['一行\n二行', ['一行\n', '二行']],
  ['| a | b |', ['|', ' a |', ' b |']],
])('%j', (text, clauses) => {
  expect(split(text)).toEqual(clauses);
});

test('clauses know their sentence', () => {
  const text = '甲，乙。丙';
  const clauses = splitClauses(text);
  expect([0, 2, 4].map((at) => clauseAt(clauses, at))).toEqual([0, 1, 2]);
  expect([0, 2, 4].map((at) => sentenceAt(clauses, at))).toEqual([0, 0, 1]);
});
