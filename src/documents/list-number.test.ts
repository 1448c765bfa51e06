import { expect, test } from 'vitest';
import { listNumber } from './list-number.ts';

test.each([
  ['decimal', [1, 10, 1234], ['1', '10', '1234']],
  ['decimalZero', [1, 10], ['01', '10']],
  ['lowerLetter', [1, 26, 27, 53], ['a', 'z', 'aa', 'aaa']],
  ['upperRoman', [4, 9, 14, 1999, 4000], ['IV', 'IX', 'XIV', 'MCMXCIX', '4000']],
  ['lowerRoman', [3], ['iii']],
  [
    'ordinal',
    [1, 2, 3, 4, 11, 12, 13, 21, 101, 111],
    ['1st', '2nd', '3rd', '4th', '11th', '12th', '13th', '21st', '101st', '111th'],
  ],
  [
    'chineseCounting',
    [1, 10, 11, 20, 21, 105, 110, 1001, 1010],
    ['一', '十', '十一', '二十', '二十一', '一百零五', '一百一十', '一千零一', '一千零一十'],
  ],
  ['chineseLegalSimplified', [1, 10, 11, 105], ['壹', '壹拾', '壹拾壹', '壹佰零伍']],
  ['ideographTraditional', [1, 10, 11], ['甲', '癸', '11']],
  ['ideographDigital', [2026], ['二〇二六']],
  ['decimalEnclosedCircle', [1, 20, 21, 36, 50, 51], ['①', '⑳', '㉑', '㊱', '㊿', '51']],
  ['decimalFullWidth', [12], ['１２']],
  ['decimalEnclosedParen', [3], ['(3)']],
  ['none', [3], ['']],
  ['of some other kind', [3, 0, -1], ['3', '0', '-1']],
  ['constructor', [3], ['3']],
])('%s', (form, values, expected) => {
  expect(values.map((one) => listNumber(one, form))).toEqual(expected);
});
