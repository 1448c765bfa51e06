import { expect, test } from 'vitest';
import { parseHanNumeral, parseRank, readOrdinal } from './ordinal.ts';

test.each([
  ['1. 豆包', 1, '豆包'],
  ['1.豆包', 1, '豆包'],
  ['12、豆包', 12, '豆包'],
  ['3) x', 3, 'x'],
  ['（2）豆包', 2, '豆包'],
  ['(十一) 豆包', 11, '豆包'],
  ['⑩豆包', 10, '豆包'],
  ['❷ 豆包', 2, '豆包'],
  ['四、豆包', 4, '豆包'],
  ['🥉豆包', 3, '豆包'],
  ['1️⃣ 豆包', 1, '豆包'],
  ['第二名：豆包', 2, '豆包'],
  ['TOP 3: 豆包', 3, '豆包'],
  ['#1 豆包', 1, '豆包'],
  ['【1】豆包', 1, '豆包'],
  ['【TOP 2】豆包', 2, '豆包'],
  ['【第三名】：豆包', 3, '豆包'],
  ['01 豆包', 1, '豆包'],
  ['TOP2 豆包', 2, '豆包'],
  ['排名3：豆包', 3, '豆包'],
  ['第一：豆包', 1, '豆包'],
  ['贰、豆包', 2, '豆包'],
])('%s', (text, value, rest) => {
  const ordinal = readOrdinal(text, 0, text.length);
  expect(ordinal?.value).toBe(value);
  expect(text.slice(ordinal!.end)).toBe(rest);
});

test.each([
  '1.5倍',
  '2024年',
  '2026.',
  '一个',
  '（例如）',
  '3G',
  '第一次',
  'Top 3 tools',
  '01',
  '007 部',
  '排名',
  '名片',
  '豆包',
  '',
])('%s is no ordinal', (text) => {
  expect(readOrdinal(text, 0, text.length)).toBeNull();
});

test('numerals and rank cells', () => {
  expect(['一', '十', '十二', '二十', '九十九', '一二', ''].map(parseHanNumeral)).toEqual([
    1,
    10,
    12,
    20,
    99,
    null,
    null,
  ]);
  expect(['2', '第2名', '**No.3**', '🥇', '②', '第二', '1st', '长文本', '4.8'].map(parseRank)).toEqual([
    2,
    2,
    3,
    1,
    2,
    2,
    1,
    null,
    null,
  ]);
});

test('half a medal, where a text was cut, is no place', () => {
  expect(parseRank('\ud83e')).toBeNull();
  expect(readOrdinal('豆包\ud83e', 2, 3)).toBeNull();
});
