import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyResult, type FreshResult, haveSameValues, restingState, type Sorted } from './apply-result.ts';
import { parseTypes } from './document-types.ts';
import type { FieldValue } from './field-value.ts';
import { NOTHING_SHOWN, type Shown, type ShownField } from './shown.ts';

const [invoice, memo] = parseTypes({
  types: [
    {
      code: 'invoice',
      name: 'Invoice',
      priority: 2,
      fields: [
        { code: 'total', name: 'Total', type: 'money', required: true },
        { code: 'date', name: 'Date', type: 'date' },
        { code: 'note', name: 'Note', type: 'string' },
      ],
    },
    { code: 'memo', name: 'Memo', priority: 1, fields: [{ code: 'note', name: 'Note', type: 'string' }] },
  ],
}) as [ReturnType<typeof parseTypes>[number], ReturnType<typeof parseTypes>[number]];

const value = (one: FieldValue['value'], changes: Partial<ShownField> = {}): ShownField => ({
  ...{ value: one, raw: one === null ? null : String(one), evidence: null, page: null, source: 'model', warnings: [] },
  ...changes,
});
const human = (one: FieldValue['value']) => value(one, { source: 'human', edited_by: 'somebody' });
const sure = (type: string): Sorted => ({
  ...{ type, confidence: 0.9, by: 'model', model: 'm', reason: null, candidates: [] },
});
const unsure: Sorted = {
  ...{ type: null, confidence: 0.3, by: 'model', model: 'm', reason: 'type_unsure', candidates: [] },
};
const shown = (changes: Partial<Shown>): Shown => ({
  ...NOTHING_SHOWN,
  ...{ type: 'invoice', typeBy: 'model', fieldsType: 'invoice', fields: { total: value(10) } },
  ...changes,
});
const REPLACE = { mode: 'replace', includeHuman: false } as const;
const fresh = (changes: Partial<FreshResult>): FreshResult => ({
  ...{ type: invoice, fields: {}, textIncomplete: null },
  ...changes,
});

describe('laying a result over what is shown', () => {
  test('case 3: what a person gave stays, with its author; the rest is replaced', () => {
    const before = shown({ fields: { total: value(10), note: human('keep') } });
    const { shown: after } = applyResult(
      before,
      fresh({ fields: { total: value(12), note: value('other') } }),
      REPLACE,
    );
    expect(after.fields).toMatchObject({ total: { value: 12 }, note: { value: 'keep', edited_by: 'somebody' } });
  });

  test('case 4: filling in touches nothing that has a value, and keeps what it did not use', () => {
    const before = shown({ fields: { total: human(10), date: value(null) } });
    const found = { total: value(12), date: value('2026-01-02') };
    const applied = applyResult(before, fresh({ fields: found }), { mode: 'fill_empty', includeHuman: false });
    expect(applied.shown.fields).toMatchObject({ total: { value: 10 }, date: { value: '2026-01-02' } });
    expect(applied.unused).toEqual({ total: found.total });
  });

  test('what people gave yields when it is asked to', () => {
    const before = shown({ fields: { total: human(10) } });
    const { shown: after } = applyResult(before, fresh({ fields: { total: value(12) } }), {
      ...REPLACE,
      includeHuman: true,
    });
    expect(after.fields.total).toMatchObject({ value: 12, source: 'model' });
  });

  test('case 7: of another type no field of the old one is left, though it has the same name', () => {
    const before = shown({ fields: { total: value(10), note: human('of the invoice') } });
    const applied = applyResult(
      before,
      fresh({ sorted: sure('memo'), type: memo, fields: { note: value(null) } }),
      REPLACE,
    );
    expect(applied).toMatchObject({ typeChanged: true, fieldsChanged: true });
    expect(applied.shown.fields).toEqual({ note: value(null) });
  });

  test('an unsure answer leaves type and fields and asks for a person', () => {
    const before = shown({});
    const {
      shown: after,
      typeChanged,
      fieldsChanged,
    } = applyResult(before, fresh({ sorted: unsure, type: null }), REPLACE);
    expect([after.type, after.fields, after.reasons]).toEqual(['invoice', before.fields, ['type_unsure']]);
    expect([typeChanged, fieldsChanged, restingState(after)]).toEqual([false, false, 'in_review']);
  });

  test('a doubt about the type is not settled by reading fields again', () => {
    const before = shown({ reasons: ['type_unsure', 'missing:total'], fields: { total: value(null) } });
    const { shown: after } = applyResult(before, fresh({ fields: { total: value(12) } }), REPLACE);
    expect(after.reasons).toEqual(['type_unsure']);
  });

  test('a required field that is missing, and a value with a doubt, ask for a person', () => {
    const doubtful = value('2026-03-04', { warnings: ['ambiguous_date'] });
    const { shown: after } = applyResult(shown({}), fresh({ fields: { total: value(null), date: doubtful } }), REPLACE);
    expect(after.reasons).toEqual(['missing:total', 'ambiguous_date:date']);
  });

  test('what a person says is not there is not missing', () => {
    const before = shown({ fields: { total: human(null) } });
    expect(applyResult(before, fresh({ fields: { total: value(null) } }), REPLACE).shown.reasons).toEqual([]);
  });

  const fieldValues = fc.record(
    {
      total: fc.oneof(fc.constant(null), fc.integer()),
      date: fc.constantFrom(null, '2026-01-01', '2026-02-02'),
      note: fc.oneof(fc.constant(null), fc.string({ maxLength: 5 })),
    },
    { requiredKeys: ['total', 'date', 'note'] },
  );
  const states = fc.record({
    values: fieldValues,
    humans: fc.subarray(['total', 'date', 'note']),
    found: fieldValues,
    mode: fc.constantFrom('replace' as const, 'fill_empty' as const),
  });
  const toFields = (values: Record<string, unknown>, humans: readonly string[] = []) =>
    Object.fromEntries(
      Object.entries(values).map(([code, one]) => [
        code,
        humans.includes(code) ? human(one as string) : value(one as string),
      ]),
    );

  test('property: a person’s values stay, and a second time changes nothing', () => {
    fc.assert(
      fc.property(states, ({ values, humans, found, mode }) => {
        const before = shown({ fields: toFields(values, humans) });
        const result = fresh({ sorted: sure('invoice'), fields: toFields(found) });
        const once = applyResult(before, result, { mode, includeHuman: false });
        for (const code of humans) expect(once.shown.fields[code]).toEqual(before.fields[code]);
        const twice = applyResult(once.shown, result, { mode, includeHuman: false });
        expect(twice.shown).toEqual(once.shown);
        expect([twice.typeChanged, twice.fieldsChanged]).toEqual([false, false]);
        expect(once.fieldsChanged).toBe(!haveSameValues(before.fields, once.shown.fields));
      }),
    );
  });
});
