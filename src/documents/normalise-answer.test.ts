import { expect, test } from 'vitest';
import { parseTypes } from './document-types.ts';
import type { Scalar } from './field-value.ts';
import { normaliseAnswer } from './normalise-answer.ts';

const field = (type: string, more: Record<string, unknown> = {}) =>
  parseTypes({ types: [{ code: 't', name: 't', fields: [{ code: 'f', name: 'f', type, ...more }] }] })[0]!.fields[0]!;
const ways = field('enum', { values: ['cash', { code: 'bank', name: '转账', examples: ['bank transfer'] }] });
const nothingKnown = { order: null, currency: null };

test.each<[string, ReturnType<typeof field>, string, Scalar, Scalar, string[]]>([
  ['a string', field('string'), 'INV-17', 'INV-17', 'INV-17', []],
  ['a part of what is printed', field('string'), 'Seller:  Larkspur\n Ltd', 'Larkspur Ltd', 'Larkspur Ltd', []],
  ['a string with marks of Markdown', field('string'), '**INV\\_17**', 'INV_17', 'INV_17', []],
  ['another string', field('string'), 'Larkspur Ltd', 'Larkspur Limited', 'Larkspur Ltd', ['normalised_differently']],
  ['a string that the model left out', field('string'), 'INV-17', null, 'INV-17', []],
  ['a date', field('date'), '2026年3月5日', '2026-03-05', '2026-03-05', []],
  ['another date', field('date'), '5 March 2026', '2026-05-03', '2026-03-05', ['normalised_differently']],
  ['one of two dates', field('date'), '2026-06-01 至 2027-05-31', '2027-05-31', '2027-05-31', []],
  ['a date of two readings', field('date'), '03/05/2026', '2026-03-05', '2026-03-05', ['ambiguous_date']],
  ['a date in words', field('date'), 'the Ides of March 2026', '2026-03-15', '2026-03-15', ['not_normalised']],
  ['no date', field('date'), 'as soon as possible', 'soon', null, ['not_normalised']],
  ['a day that is none', field('date'), 'the last of February', '2026-02-30', null, ['not_normalised']],
  ['an amount', field('money'), '1.253,69 €', 1253.69, 1253.69, []],
  ['another amount', field('money'), '1.253,69 €', 1.25369, 1253.69, ['normalised_differently']],
  ['an amount in capitals', field('money'), '人民币壹仟贰佰叁拾肆元伍角整', 1234.5, 1234.5, []],
  ['an amount in words', field('money'), 'twelve pounds', 12, 12, ['not_normalised']],
  ['no amount', field('money'), 'to be agreed', null, null, ['not_normalised']],
  ['a number', field('number'), '1,253', 1253, 1253, []],
  ['a number of another locale', field('number'), '1.253,5', 1253.5, 1253.5, []],
  ['another number', field('number'), '17 pieces', 71, 17, ['normalised_differently']],
  ['a number in words', field('number'), 'seventeen', 17, 17, ['not_normalised']],
  ['a yes', field('boolean'), '是', true, true, []],
  ['a yes that rules do not know', field('boolean'), 'The tenant may keep pets', true, true, []],
  ['a yes for a no', field('boolean'), 'No', true, false, ['normalised_differently']],
  ['no boolean', field('boolean'), 'perhaps', 'perhaps', null, ['not_normalised']],
  ['a value of an enum', ways, '银行转账', 'bank', 'bank', []],
  ['one that rules do not know', ways, 'wire', 'bank', 'bank', []],
  ['another value of an enum', ways, 'cash', 'bank', 'cash', ['normalised_differently']],
  ['a value that the enum does not have', ways, 'barter', 'barter', null, ['not_normalised']],
])('%s', (_what, of, printed, said, value, warnings) => {
  expect(normaliseAnswer(of, printed, said, nothingKnown)).toMatchObject({ value, warnings });
});

test('an amount has the currency that is printed with it, else the one of the document', () => {
  const money = field('money');
  expect(normaliseAnswer(money, '£12.00', 12, { order: null, currency: 'EUR' })).toMatchObject({ currency: 'GBP' });
  expect(normaliseAnswer(money, '12.00', 12, { order: null, currency: 'EUR' })).toMatchObject({ currency: 'EUR' });
  expect(normaliseAnswer(money, '12.00', 12, nothingKnown)).toMatchObject({ currency: null });
  expect(normaliseAnswer(field('number'), '12', 12, nothingKnown)).not.toHaveProperty('currency');
});
