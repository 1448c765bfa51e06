import type { AskModel } from '../models/index.ts';
import type { Sorted } from './apply-result.ts';
import { classifyByRules } from './classify-by-rules.ts';
import { classifyWithModel } from './classify-with-model.ts';
import type { DocumentTypeRule } from './document-types.ts';
import { extractFields } from './extract-fields.ts';
import { extractWithModel } from './extract-with-model.ts';
import type { FieldValue } from './field-value.ts';
import { fieldReasons, type TypeReason } from './review-reasons.ts';
import type { Readable } from './sort-and-read.ts';

export interface Extraction extends Pick<Sorted, 'type' | 'confidence' | 'candidates' | 'by'> {
  /** The model's name at its provider; left out where rules did it. */
  readonly model?: string;
  readonly state: 'ready' | 'in_review';
  readonly review_reasons: readonly string[];
  readonly fields: Readonly<Record<string, FieldValue>>;
}

/**
 * From the text of a document to its type and fields, by rules alone. What is unsure asks for a person: a type below its
 * threshold, a required field that was not found, a value that can be read in two ways.
 */
export function extract({ markdown, pages }: Readable, types: readonly DocumentTypeRule[]): Extraction {
  const classification = classifyByRules(markdown, types);
  const type = types.find(({ code }) => code === classification.type);
  const fields = type === undefined ? {} : extractFields(markdown, type, pages);
  return { ...classification, by: 'rules', ...outcome(type, 'type_unsure', fields) };
}

/** The same by asking a model. Throws what asking throws. */
export async function extractAsking(
  { markdown, pages }: Readable,
  types: readonly DocumentTypeRule[],
  ask: AskModel,
): Promise<Extraction> {
  const { reason, model, ...sorted } = await classifyWithModel({ markdown, types, ask });
  const type = types.find(({ code }) => code === sorted.type);
  const fields = type === undefined ? {} : await extractWithModel({ markdown, pages, type, ask });
  return { ...sorted, ...(model === null ? {} : { model }), ...outcome(type, reason ?? 'type_unsure', fields) };
}

function outcome(
  type: DocumentTypeRule | undefined,
  without: TypeReason,
  fields: Readonly<Record<string, FieldValue>>,
): Pick<Extraction, 'state' | 'review_reasons' | 'fields'> {
  const review_reasons = type === undefined ? [without] : fieldReasons(type, fields);
  return { state: review_reasons.length ? 'in_review' : 'ready', review_reasons, fields };
}
