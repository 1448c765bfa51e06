import { type Classification, classifyByRules } from './classify-by-rules.ts';
import type { DocumentTypeRule } from './document-types.ts';
import { extractFields } from './extract-fields.ts';
import type { FieldValue } from './field-value.ts';

export interface Extraction extends Omit<Classification, 'type'> {
  readonly type: string | null;
  readonly by: 'rules';
  readonly state: 'ready' | 'in_review';
  readonly review_reasons: readonly string[];
  readonly fields: Readonly<Record<string, FieldValue>>;
}

/**
 * From the text of a document to its type and fields, by rules alone. What is unsure asks for a person: a type below its
 * threshold, a required field that was not found, a value that can be read in two ways.
 */
export function extract(markdown: string, types: readonly DocumentTypeRule[]): Extraction {
  const classification = classifyByRules(markdown, types);
  const type = types.find(({ code }) => code === classification.type);
  const fields = type === undefined ? {} : extractFields(markdown, type);
  const reasons: string[] = type === undefined ? ['type_unsure'] : [];
  for (const { code, required } of type?.fields ?? []) {
    const found = fields[code]!;
    if (required && found.value === null) reasons.push(`missing:${code}`);
    for (const warning of found.warnings) reasons.push(`${warning}:${code}`);
  }
  return {
    ...classification,
    by: 'rules',
    state: reasons.length ? 'in_review' : 'ready',
    review_reasons: reasons,
    fields,
  };
}
