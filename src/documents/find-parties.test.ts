import { expect, test } from 'vitest';
import { findParties } from './find-parties.ts';

const told = (text: string) => findParties(text).map(({ name, role }) => [name, role]);

test.each([
  [
    'BETWEEN\n\n(1) Fernhill Trust, of 2 Example Road (the “Client”); and\n\n(2) Larkspur Inc., of 12 Avenue (the “Provider”).',
    [
      ['Fernhill Trust', 'client'],
      ['Larkspur Inc.', 'provider'],
    ],
  ],
  [
    'is entered into by and\nbetween Redwood LLC, a limited company ("Client"), and Tomas Alder,\nan individual ("Consultant").',
    [
      ['Redwood LLC', 'client'],
      ['Tomas Alder', 'consultant'],
    ],
  ],
  [
    '甲 方：翠屏酒店（样本）有限公司（以下简称"甲方"）\n乙 方：鼎盛公司（以下简称“乙方”）',
    [
      ['翠屏酒店（样本）有限公司', '甲方'],
      ['鼎盛公司', '乙方'],
    ],
  ],
  [
    'This lease is made between Agnes Whitlock and Daniel Oyelaran. It begins soon.',
    [
      ['Agnes Whitlock', null],
      ['Daniel Oyelaran', null],
    ],
  ],
  ['The difference between tea and coffee is taste.', []],
  ['Nobody agrees with anybody here.', []],
])('%j', (text, parties) => {
  expect(told(text)).toEqual(parties);
});

test('each party says where its name stands', () => {
  const text = 'between **Redwood\nOrchards LLC** (the "Client") and Tomas Alder (the "Consultant")';
  expect(findParties(text).map(({ start, end }) => text.slice(start, end))).toEqual([
    'Redwood\nOrchards LLC',
    'Tomas Alder',
  ]);
});
