import { CodedError } from '../errors/coded-error.ts';
import { haveSameValues, restingState } from './apply-result.ts';
import { humanValue } from './check-value.ts';
import type { Verdict } from './decide-document.ts';
import type { Document } from './document.ts';
import type { DocumentTypeRule, FieldRule } from './document-types.ts';
import { classifiedEvent, fieldsExtractedEvent, readyEvent } from './events.ts';
import { ASKED, fieldReasons, withoutConfirmed, withoutFields } from './review-reasons.ts';
import type { Shown, ShownField } from './shown.ts';

export const NOT_AT_REST = 'documents.not_completed';
export const TYPE_INVALID = 'documents.type_invalid';
export const FIELD_INVALID = 'documents.field_invalid';

/** Who gives values, and when. */
export interface Giver {
  readonly actorId: string;
  readonly now: Date;
}

/**
 * A person says that the type is right, or which it is, and that the text will do; with values of fields where they give
 * some. With another type its fields are read anew, and what they gave is kept.
 * @throws CodedError `documents.type_invalid`, `documents.field_invalid`, `documents.value_invalid`
 */
export function confirm(
  document: Document,
  types: readonly DocumentTypeRule[],
  said: { readonly type?: string | undefined; readonly fields?: Readonly<Record<string, unknown>> | undefined },
  giver: Giver,
): Verdict {
  refuseMoving(document);
  const type = typeNamed(types, said.type ?? document.type);
  const given = valuesOf(type, said.fields ?? {}, giver);
  if (type.code === document.fieldsType) {
    const shown = withValues({ ...document, confirmed: true, reasons: withoutConfirmed(document.reasons) }, given);
    return settled('documents.confirmed', document, shown);
  }
  const shown: Shown = {
    ...plainly(document),
    ...{ type: type.code, typeBy: 'human', model: null, confidence: null, confirmed: true },
    ...{ reasons: [], fieldsType: null, fields: given },
  };
  const events = type.code === document.type ? [] : [classifiedEvent(document.id, shown, 'live')];
  return { reason: 'documents.confirmed', to: 'extracting_fields', shown, events };
}

/**
 * A person gives values of fields: each is theirs from now on, and what was doubtful about it is settled.
 * @throws CodedError `documents.type_invalid` without a type, `documents.field_invalid`, `documents.value_invalid`
 */
export function editFields(
  document: Document,
  types: readonly DocumentTypeRule[],
  fields: Readonly<Record<string, unknown>>,
  giver: Giver,
): Verdict {
  refuseMoving(document);
  const given = valuesOf(typeNamed(types, document.type), fields, giver);
  return settled('documents.fields_edited', document, withValues(document, given));
}

/** A person says that this is nothing to be worked on. They say why. */
export const reject = (document: Document): Verdict => ({
  reason: 'documents.rejected',
  to: 'rejected',
  shown: plainly(document),
});

/** A person wants somebody to look at one that is ready. */
export const askReview = (document: Document): Verdict => ({
  reason: 'documents.review_asked',
  to: 'in_review',
  shown: { ...plainly(document), reasons: [...document.reasons.filter((one) => one !== ASKED), ASKED] },
});

/** Back among those that wait for a person. */
export const recover = (document: Document): Verdict => ({
  reason: 'documents.recovered',
  to: 'in_review',
  shown: plainly(document),
});

export type Step = 'text' | 'type' | 'fields';
const STATE_OF_STEP = { text: 'extracting_text', type: 'classifying', fields: 'extracting_fields' } as const;

/** A person sends one in review back to a step: it goes on from there by itself. */
export function sendBack(document: Document, step: Step): Verdict {
  if (step === 'fields' && document.type === null) throw noType('without a type there are no fields to read');
  const confirmed = step === 'fields' && document.confirmed;
  return { reason: `documents.back_to_${step}`, to: STATE_OF_STEP[step], shown: { ...plainly(document), confirmed } };
}

/**
 * What was shown once is shown again: a person's decision like any other, so nobody but a person changes the type again.
 * @param old what was shown then
 */
export function restore(document: Document, old: Shown): Verdict {
  refuseMoving(document);
  const reasons = withoutConfirmed(old.reasons);
  const shown = { ...old, reasons, confirmed: old.type !== null, fieldsType: old.type };
  return settled('documents.restored', document, shown);
}

/** What a machine proposed is taken as it stands. */
export function accept(document: Document, types: readonly DocumentTypeRule[], proposed: Shown): Verdict {
  refuseMoving(document);
  const type = typeNamed(types, proposed.type);
  const reasons = fieldReasons(type, proposed.fields);
  return settled('documents.accepted', document, { ...proposed, reasons, confirmed: true, fieldsType: type.code });
}

/** Where it rests since, and what others are told of it. */
function settled(reason: string, before: Document, after: Shown): Verdict {
  const shown = plainly(after);
  const to = restingState(shown);
  const { id } = before;
  return {
    reason,
    to: to === before.state ? null : to,
    shown,
    events: [
      ...(before.type === shown.type ? [] : [classifiedEvent(id, shown, 'live')]),
      ...(haveSameValues(before.fields, shown.fields) ? [] : [fieldsExtractedEvent(id, shown, 'live')]),
      ...(to === 'ready' && before.state !== 'ready' ? [readyEvent(id, shown.type, 'live')] : []),
    ],
  };
}

const withValues = (shown: Shown, given: Readonly<Record<string, ShownField>>): Shown => ({
  ...shown,
  reasons: withoutFields(shown.reasons, Object.keys(given)),
  fields: { ...shown.fields, ...given },
});

function valuesOf(
  type: DocumentTypeRule,
  fields: Readonly<Record<string, unknown>>,
  { actorId, now }: Giver,
): Record<string, ShownField> {
  const ruleOf = (code: string): FieldRule => {
    const rule = type.fields.find((field) => field.code === code);
    if (rule) return rule;
    const detail = { field: `fields.${code}` };
    throw new CodedError(FIELD_INVALID, 'permanent', `${type.code} has no field '${code}'`, { detail });
  };
  return Object.fromEntries(
    Object.entries(fields).map(([code, value]) => [code, humanValue(ruleOf(code), value, actorId, now)]),
  );
}

function typeNamed(types: readonly DocumentTypeRule[], code: string | null): DocumentTypeRule {
  if (code === null) throw noType('it has no type: say which');
  const type = types.find((one) => one.code === code);
  if (type) return type;
  throw noType(`there is no type '${code}'; there are: ${types.map((one) => one.code).join(', ') || 'none'}`);
}

const noType = (message: string) => new CodedError(TYPE_INVALID, 'permanent', message, { detail: { field: 'type' } });

/** A step is at work on it: what it shows is about to change. */
function refuseMoving({ state }: Document): void {
  if (state === 'ready' || state === 'in_review') return;
  throw new CodedError(NOT_AT_REST, 'permanent', `it is ${state}: neither ready nor in review`, { detail: { state } });
}

/** What is shown of a document, without the rest of it. */
export const plainly = ({ type, typeBy, model, confidence, confirmed, reasons, fieldsType, fields }: Shown): Shown => ({
  ...{ type, typeBy, model, confidence, confirmed, reasons, fieldsType, fields },
});
