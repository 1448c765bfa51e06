import { describe, expect, test } from 'vitest';
import { type Machine, mayMove } from '../core/machine.ts';
import { accept, askReview, confirm, editFields, recover, reject, restore, sendBack } from './decisions.ts';
import type { Document } from './document.ts';
import { parseTypes } from './document-types.ts';
import { documentMachine } from './machine.ts';
import { ASKED, TEXT_INCOMPLETE, TYPE_REASONS, wayOut } from './review-reasons.ts';
import { NOTHING_SHOWN, type ShownField } from './shown.ts';

const types = parseTypes({
  types: [
    {
      code: 'invoice',
      name: 'Invoice',
      fields: [
        { code: 'total', name: 'Total', type: 'money', required: true },
        { code: 'issued_on', name: 'Date', type: 'date' },
      ],
    },
    { code: 'memo', name: 'Memo' },
  ],
});
const field: ShownField = { value: null, raw: null, evidence: null, page: null, source: 'model', warnings: [] };
const document = (changes: Partial<Document> = {}): Document => ({
  ...NOTHING_SHOWN,
  ...{ id: 'd', state: 'in_review', version: 3, revision: 1, contentVersion: 1, fileName: 'a.pdf', kind: 'pdf' },
  ...{ sha256: '', bytes: 1, textVersion: 1, decidedAt: null, rulebookVersion: 1 },
  ...{ type: 'invoice', typeBy: 'model', fieldsType: 'invoice', fields: { total: field, issued_on: field } },
  ...changes,
});
const giver = { actorId: 'somebody', now: new Date('2026-03-05T10:00:00Z') };

/** Everything that may ask for a person. */
const REASONS = [
  ...TYPE_REASONS,
  TEXT_INCOMPLETE,
  ASKED,
  ...['missing', 'ambiguous_date', 'evidence_missing', 'conflict', 'normalised_differently'].flatMap((what) => [
    `${what}:total`,
    `${what}:issued_on`,
  ]),
];

/** What people can do that may settle a reason, with all that it can be given. */
const ACTIONS = {
  confirm: (one: Document) => confirm(one, types, {}, giver),
  fields: (one: Document) => editFields(one, types, { total: { value: 10, currency: 'EUR' }, issued_on: null }, giver),
};

describe('every reason has exactly one way out', () => {
  const pairs = REASONS.flatMap((reason) => (['confirm', 'fields'] as const).map((action) => ({ reason, action })));

  test.each(pairs)('$reason by $action', ({ reason, action }) => {
    const before = document({ reasons: [reason] });
    const { to, shown } = ACTIONS[action](before);
    const settles = wayOut(reason) === action;
    expect(shown.reasons).toEqual(settles ? [] : [reason]);
    expect(to).toBe(settles ? 'ready' : null);
    if (to !== null) expect(mayMove(documentMachine as unknown as Machine, 'in_review', to, 'human')).toBe(true);
  });

  test('a document with all of them is ready after both, in either order', () => {
    for (const order of [
      ['confirm', 'fields'],
      ['fields', 'confirm'],
    ] as const) {
      let one = document({ reasons: REASONS });
      let to: string | null = null;
      for (const action of order) {
        const verdict = ACTIONS[action](one);
        one = { ...one, ...verdict.shown };
        to = verdict.to;
      }
      expect([one.reasons, to]).toEqual([[], 'ready']);
    }
  });
});

describe('a person', () => {
  test('confirms the type as it is: nobody is told, nothing is read again', () => {
    const verdict = confirm(document({ state: 'ready' }), types, {}, giver);
    expect(verdict).toMatchObject({ to: null, shown: { confirmed: true, typeBy: 'model' }, events: [] });
  });

  test('gives another type: its fields are read, what they gave with it is theirs', () => {
    const verdict = confirm(document({ reasons: ['type_unsure'] }), types, { type: 'memo' }, giver);
    expect(verdict).toMatchObject({
      to: 'extracting_fields',
      shown: { type: 'memo', typeBy: 'human', confirmed: true, reasons: [], fieldsType: null, fields: {} },
      events: [{ type: 'documents.document.classified' }],
    });
    const back = confirm(
      document({ type: 'memo', fieldsType: 'memo', fields: {} }),
      types,
      {
        type: 'invoice',
        fields: { total: 12 },
      },
      giver,
    );
    expect(back.shown.fields.total).toMatchObject({ value: 12, source: 'human', edited_by: 'somebody' });
  });

  test('takes the type that an unsure answer left: its fields, never read, are', () => {
    const unread = document({ type: 'invoice', fieldsType: null, fields: {}, reasons: ['type_unsure'] });
    expect(confirm(unread, types, {}, giver)).toMatchObject({ to: 'extracting_fields', events: [] });
  });

  test.each([
    ['a type that nobody described', { type: 'passport' }, 'documents.type_invalid'],
    ['a field that the type has not', { fields: { colour: 'red' } }, 'documents.field_invalid'],
    ['an amount that is none', { fields: { total: 'much' } }, 'documents.value_invalid'],
    ['a currency that is none', { fields: { total: { value: 1, currency: '€' } } }, 'documents.value_invalid'],
    ['a day that is none', { fields: { issued_on: '2026-02-30' } }, 'documents.value_invalid'],
    ['a date in another form', { fields: { issued_on: '5.3.2026' } }, 'documents.value_invalid'],
  ])('is refused %s', (_, said, code) => {
    expect(() => confirm(document(), types, said, giver)).toThrow(expect.objectContaining({ code }));
  });

  test.each(['uploaded', 'extracting_text', 'classifying', 'extracting_fields', 'failed', 'rejected'])(
    'cannot settle one that is %s',
    (state) => {
      const refused = expect.objectContaining({ code: 'documents.not_completed' });
      expect(() => confirm(document({ state }), types, {}, giver)).toThrow(refused);
      expect(() => editFields(document({ state }), types, {}, giver)).toThrow(refused);
      expect(() => restore(document({ state }), NOTHING_SHOWN)).toThrow(refused);
    },
  );

  test('rejects, recovers, asks for a look, sends back', () => {
    expect(reject(document()).to).toBe('rejected');
    expect(recover(document({ state: 'rejected' })).to).toBe('in_review');
    expect(askReview(document({ state: 'ready' }))).toMatchObject({ to: 'in_review', shown: { reasons: [ASKED] } });
    const confirmed = document({ confirmed: true });
    expect(sendBack(confirmed, 'text')).toMatchObject({ to: 'extracting_text', shown: { confirmed: false } });
    expect(sendBack(confirmed, 'type')).toMatchObject({ to: 'classifying', shown: { confirmed: false } });
    expect(sendBack(confirmed, 'fields')).toMatchObject({ to: 'extracting_fields', shown: { confirmed: true } });
    expect(() => sendBack(document({ type: null }), 'fields')).toThrow('without a type');
  });

  test('restores what was shown once, as their own word', () => {
    const old = { ...NOTHING_SHOWN, type: 'memo', typeBy: 'rules' as const, reasons: ['type_unsure'] };
    const verdict = restore(document({ state: 'ready' }), old);
    expect(verdict).toMatchObject({ to: null, shown: { type: 'memo', confirmed: true, reasons: [] } });
    expect(verdict.events?.map(({ type }) => type)).toEqual(['documents.document.classified']);
  });

  test('accepts what was proposed', () => {
    const proposed = { ...NOTHING_SHOWN, type: 'invoice', fields: { total: { ...field, value: 7 } } };
    const verdict = accept(document({ state: 'in_review', reasons: ['missing:total'] }), types, proposed);
    expect(verdict).toMatchObject({ to: 'ready', shown: { confirmed: true, reasons: [] } });
  });
});
