import type { Sorted } from './apply-result.ts';
import { classifyByRules } from './classify-by-rules.ts';
import { classifyWithModel } from './classify-with-model.ts';
import type { ConfirmedExample, Hand } from './configured.ts';
import type { DocumentTypeRule } from './document-types.ts';
import { extractFields } from './extract-fields.ts';
import { extractWithModel } from './extract-with-model.ts';
import type { FieldValue } from './field-value.ts';
import type { PageRecord } from './page-record.ts';

/** A text with its pages. */
export interface Readable {
  readonly markdown: string;
  readonly pages: readonly PageRecord[];
}

/** Sorts a text among the types, by the model that is at hand or by rules alone. Throws what asking throws. */
export async function sortText(
  { markdown }: Readable,
  types: readonly DocumentTypeRule[],
  examples: readonly ConfirmedExample[],
  { ask }: Hand,
): Promise<Sorted> {
  if (ask !== null) return classifyWithModel({ markdown, types, examples, ask });
  const { type, confidence, candidates } = classifyByRules(markdown, types, examples);
  return { type, confidence, by: 'rules', model: null, reason: type === null ? 'type_unsure' : null, candidates };
}

/** Reads the fields of a type, by the model that is at hand or by rules alone. Throws what asking throws. */
export async function readFields(
  { markdown, pages }: Readable,
  type: DocumentTypeRule,
  { ask }: Hand,
): Promise<Readonly<Record<string, FieldValue>>> {
  return ask === null ? extractFields(markdown, type, pages) : extractWithModel({ markdown, pages, type, ask });
}
