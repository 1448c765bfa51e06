import { describe, expect, test } from 'vitest';
import { parseTypes } from './document-types.ts';
import { conventionsOf, readValue } from './normalise-value.ts';

const [type] = parseTypes({
  types: [
    {
      code: 't',
      name: 't',
      fields: [
        { code: 'text', name: 'text', type: 'string' },
        { code: 'count', name: 'count', type: 'number' },
        { code: 'fit', name: 'fit', type: 'boolean' },
        { code: 'sum', name: 'sum', type: 'money' },
        { code: 'from', name: 'from', type: 'date' },
        { code: 'to', name: 'to', type: 'date' },
        {
          code: 'kind',
          name: 'kind',
          type: 'enum',
          values: [
            { code: 'annual', name: '年假', examples: ['年休假', 'Annual leave'] },
            { code: 'sick', name: '病假', examples: ['Sick leave'] },
            { code: 'male', name: '男', examples: ['M'] },
          ],
        },
      ],
    },
  ],
});
const read = (code: string, printed: string, document = printed) =>
  readValue(type!.fields.find((field) => field.code === code)!, printed, conventionsOf(document));
const readAs = (code: string, printed: string) => read(code, printed)?.value ?? null;

test.each([
  ['6年', 6],
  ['171 cm', 171],
  ['68.4kg', 68.4],
  ['1,234 units', 1234],
  ['1,5', 1.5],
  ['-3', -3],
  ['共三天', 3],
  ['十二', 12],
  ['二十', 20],
  ['４.５', 4.5],
  ['none', null],
])('the number in %s is %s', (printed, value) => {
  expect(readAs('count', printed)).toBe(value);
});

test.each([
  ['Yes', true],
  ['是', true],
  ['同意', true],
  ['不同意', false],
  ['合格', true],
  ['不合格', false],
  ['No', false],
  ['Not approved', false],
  ['☑ 是 ☐ 否', true],
  ['□是 ☑否', false],
  ['✓', true],
  ['Norway', null],
  ['perhaps', null],
])('%s is %s', (printed, value) => {
  expect(readAs('fit', printed)).toBe(value);
});

test.each([
  ['年休假', 'annual'],
  ['Sick leave', 'sick'],
  ['□年假 ☑病假', 'sick'],
  ['[ ] Annual leave [x] Sick leave', 'sick'],
  ['□年假 □病假', null],
  ['M', 'male'],
  ['Mx', null],
  ['sick leave after annual leave', 'sick'],
])('%s is one of its values: %s', (printed, value) => {
  expect(readAs('kind', printed)).toBe(value);
});

describe('amounts', () => {
  test.each([
    ['¥5.00（大写：伍元整）', 5, 'CNY'],
    ['10% 97.00', 97, null],
    ['97.00', 97, null],
    ['12 of 30 items', null, undefined],
  ])('%s', (printed, value, currency) => {
    expect(read('sum', printed)?.value ?? null).toBe(value);
    expect(read('sum', printed)?.currency).toBe(currency);
  });

  test('the one currency of the document holds for amounts without one', () => {
    expect(read('sum', '5.00', 'Currency: EUR\nTotal 5.00')).toMatchObject({ currency: 'EUR', warnings: [] });
    expect(read('sum', '5.00', '$4 or €3, 5.00')).toMatchObject({ currency: null });
  });

  test.each([
    ['VAT ID DE000000000', 'EUR'],
    ['VAT No. GB 000 0000 00', 'GBP'],
    ['IBAN: CH00 0000', 'CHF'],
  ])('without any, that of the country in %s, with a doubt', (printed, currency) => {
    expect(read('sum', '5.00', `Total 5.00 ${printed}`)).toMatchObject({ currency, warnings: ['currency_inferred'] });
  });
});

test('of a period a field about the beginning has the first day, one about the end the last', () => {
  expect(readAs('from', '1 March 2026 to 31 March 2026')).toBe('2026-03-01');
  expect(readAs('to', '1 March 2026 to 31 March 2026')).toBe('2026-03-31');
});

test.each([
  ['Jay Ltd.  ', 'Jay Ltd.'],
  ['甲社。', '甲社'],
  ['Jay <j@x.example>', 'Jay'],
  ['____', null],
  ['第一\n第二', '第一'],
])('the text of %j', (printed, value) => {
  expect(readAs('text', printed)).toBe(value);
});
