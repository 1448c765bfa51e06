/** What a value is: a list holds plain values. */
export type Scalar = string | number | boolean | null;

/** A value of a field, as results carry it. */
export interface FieldValue {
  readonly value: Scalar | readonly Scalar[];
  /** As it is printed; null without a value. */
  readonly raw: string | null;
  /** Of money only: its ISO 4217 code, null where the document does not say. */
  readonly currency?: string | null;
  /** The place that says so, verbatim. */
  readonly evidence: string | null;
  /** The page of the evidence, from 1; null where it is not known. */
  readonly page: number | null;
  readonly source: 'model' | 'rules' | 'human';
  readonly warnings: readonly string[];
}
