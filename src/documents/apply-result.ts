import type { DocumentTypeRule } from './document-types.ts';
import type { FieldValue } from './field-value.ts';
import { fieldReasons, isAboutField, isTypeReason, TEXT_INCOMPLETE, type TypeReason } from './review-reasons.ts';
import { isSameValue, type Shown, type ShownField } from './shown.ts';

/** What sorting found: a type, or the reason why there is none that is sure. */
export interface Sorted {
  readonly type: string | null;
  readonly confidence: number;
  readonly by: 'model' | 'rules';
  /** The model's id; null where rules sorted. */
  readonly model: string | null;
  /** Null with a type. */
  readonly reason: TypeReason | null;
  readonly candidates: readonly { readonly type: string; readonly confidence: number }[];
}

export interface FreshResult {
  /** Left out where the type stays what it is. */
  readonly sorted?: Sorted;
  /** The type whose fields were read; null where nothing is sure enough to be read. */
  readonly type: DocumentTypeRule | null;
  readonly fields: Readonly<Record<string, FieldValue>>;
  /** Whether pages of the text that it was made from could not be read; null: as it was. */
  readonly textIncomplete: boolean | null;
}

export interface How {
  /** `replace` what machines said, or `fill_empty` fields only. */
  readonly mode: 'replace' | 'fill_empty';
  /** Whether what people said yields. */
  readonly includeHuman: boolean;
}

export interface Applied {
  readonly shown: Shown;
  /** What was found and not put in place of what stood there. */
  readonly unused: Readonly<Record<string, FieldValue>>;
  readonly typeChanged: boolean;
  readonly fieldsChanged: boolean;
}

/**
 * Lays a machine's result over what is shown. A sure type is taken, and with another type the fields of the old one go;
 * an unsure answer asks for a person and leaves type and fields as they were. Of the fields, those that a person gave stay
 * unless they yield, and each keeps who gave it.
 */
export function applyResult(before: Shown, fresh: FreshResult, how: How): Applied {
  const { sorted, type } = fresh;
  if (sorted !== undefined && (sorted.reason !== null || type === null)) {
    const doubt = sorted.reason ?? 'type_none';
    const reasons = withText(before.reasons, [...before.reasons.filter(isAboutField), doubt], fresh);
    return { shown: { ...before, reasons }, unused: {}, typeChanged: false, fieldsChanged: false };
  }
  if (type === null) throw new Error('fields without a type');
  const typeChanged = before.type !== type.code;
  const { fields, unused } = mergeFields(typeChanged ? {} : before.fields, fresh, type, how);
  // What only fields were read for is as doubtful as before.
  const doubtsAboutType = sorted === undefined ? before.reasons.filter(isTypeReason) : [];
  const shown: Shown = {
    ...before,
    type: type.code,
    ...(sorted === undefined
      ? {}
      : { typeBy: sorted.by, model: sorted.model, confidence: sorted.confidence, confirmed: false }),
    reasons: withText(before.reasons, [...doubtsAboutType, ...fieldReasons(type, fields)], fresh),
    fieldsType: type.code,
    fields,
  };
  const fieldsChanged = before.fieldsType !== type.code || !haveSameValues(before.fields, fields);
  return { shown, unused, typeChanged, fieldsChanged };
}

/** Lays a type over what is shown before its fields are read: those of another one go at once. */
export function applySorted(before: Shown, sorted: Sorted, textIncomplete: boolean): Omit<Applied, 'fieldsChanged'> {
  if (sorted.type === null) return applyResult(before, { sorted, type: null, fields: {}, textIncomplete }, REPLACE);
  const { type, by: typeBy, model, confidence } = sorted;
  const typeChanged = before.type !== type;
  const fields = typeChanged ? { fieldsType: null, fields: {} } : {};
  const shown = { ...before, type, typeBy, model, confidence, confirmed: false, reasons: [], ...fields };
  return { shown, unused: {}, typeChanged };
}

const REPLACE: How = { mode: 'replace', includeHuman: false };

/** Where it rests with these reasons. */
export const restingState = ({ reasons }: Pick<Shown, 'reasons'>): 'ready' | 'in_review' =>
  reasons.length ? 'in_review' : 'ready';

/** With the reason that pages could not be read, where that is so. */
function withText(before: readonly string[], reasons: readonly string[], { textIncomplete }: FreshResult): string[] {
  const incomplete = textIncomplete ?? before.includes(TEXT_INCOMPLETE);
  return [...new Set(incomplete ? [...reasons, TEXT_INCOMPLETE] : reasons)];
}

function mergeFields(
  before: Readonly<Record<string, ShownField>>,
  { fields: found }: FreshResult,
  type: DocumentTypeRule,
  { mode, includeHuman }: How,
): { fields: Record<string, ShownField>; unused: Record<string, FieldValue> } {
  const fields: Record<string, ShownField> = {};
  const unused: Record<string, FieldValue> = {};
  for (const { code } of type.fields) {
    const old = before[code];
    const fresh = found[code];
    const isHuman = old?.source === 'human' && !includeHuman;
    const isFull = mode === 'fill_empty' && (old?.value ?? null) !== null;
    const keep = old !== undefined && (isHuman || isFull);
    const value = keep ? old : (fresh ?? old);
    if (value !== undefined) fields[code] = value;
    if (keep && fresh !== undefined && !isSameValue(old, fresh)) unused[code] = fresh;
  }
  return { fields, unused };
}

export function haveSameValues(
  one: Readonly<Record<string, FieldValue>>,
  other: Readonly<Record<string, FieldValue>>,
): boolean {
  const codes = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...codes].every((code) => isSameValue(one[code], other[code]));
}
