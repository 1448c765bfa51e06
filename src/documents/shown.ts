import type { FieldValue } from './field-value.ts';

/** A field as it is shown: a value, and who put it there where a person did. */
export interface ShownField extends FieldValue {
  readonly edited_by?: string | null;
  readonly edited_at?: string | null;
}

/** What is shown of a document beside its text. */
export interface Shown {
  readonly type: string | null;
  readonly typeBy: 'model' | 'rules' | 'human' | null;
  readonly model: string | null;
  readonly confidence: number | null;
  /** A person said what type it is. */
  readonly confirmed: boolean;
  readonly reasons: readonly string[];
  /** The type whose fields these are; null while they are to be read. */
  readonly fieldsType: string | null;
  readonly fields: Readonly<Record<string, ShownField>>;
}

export const NOTHING_SHOWN: Shown = {
  type: null,
  typeBy: null,
  model: null,
  confidence: null,
  confirmed: false,
  reasons: [],
  fieldsType: null,
  fields: {},
};

/** Whether two values say the same; where they were found does not count. */
export function isSameValue(one: FieldValue | undefined, other: FieldValue | undefined): boolean {
  return (
    JSON.stringify([one?.value ?? null, one?.currency ?? null]) ===
    JSON.stringify([other?.value ?? null, other?.currency ?? null])
  );
}
