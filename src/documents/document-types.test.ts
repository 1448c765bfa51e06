import { expect, test } from 'vitest';
import { parseTypes, TYPES_INVALID } from './document-types.ts';

const field = { code: 'total', name: 'Total', type: 'money' };

test.each([
  ['case 16: a mark of the system', [{ code: '__review__', name: 'Review' }]],
  ['case 16: the word for no type', [{ code: 'none', name: 'None' }]],
  [
    'a type twice',
    [
      { code: 'memo', name: 'Memo' },
      { code: 'memo', name: 'Memo' },
    ],
  ],
  ['a field twice', [{ code: 'memo', name: 'Memo', fields: [field, field] }]],
  ['an enum without values', [{ code: 'memo', name: 'Memo', fields: [{ ...field, type: 'enum' }] }]],
  ['a list of nothing', [{ code: 'memo', name: 'Memo', fields: [{ ...field, type: 'list' }] }]],
  ['a threshold that is none', [{ code: 'memo', name: 'Memo', confidence_threshold: 2 }]],
])('%s is refused', (_, types) => {
  expect(() => parseTypes({ types })).toThrow(expect.objectContaining({ code: TYPES_INVALID }));
});

test('types stand by priority', () => {
  const types = [
    { code: 'memo', name: 'Memo' },
    { code: 'invoice', name: 'Invoice', priority: 5, fields: [field] },
  ];
  expect(parseTypes({ types }).map(({ code }) => code)).toEqual(['invoice', 'memo']);
});
