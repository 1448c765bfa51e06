import type { DocumentTypeRule } from './document-types.ts';
import type { FieldValue } from './field-value.ts';

/** What a person does to settle a reason. Every reason has exactly one such way out. */
export type WayOut = 'confirm' | 'fields';

/** Why the type is a person's to decide. */
export const TYPE_REASONS = ['type_unsure', 'type_none', 'type_unknown'] as const;
export type TypeReason = (typeof TYPE_REASONS)[number];

/** Pages could not be read: what is known of the document may be wrong. */
export const TEXT_INCOMPLETE = 'text_incomplete';

/** A person wants somebody to look at it. */
export const ASKED = 'asked';

/** `missing:total`, `ambiguous_date:issued_on`: settled by giving that field a value, or null for one that is not there. */
export const fieldReason = (what: string, field: string): string => `${what}:${field}`;

export const isAboutField = (reason: string): boolean => reason.includes(':');
export const isTypeReason = (reason: string): boolean => (TYPE_REASONS as readonly string[]).includes(reason);

export const wayOut = (reason: string): WayOut => (isAboutField(reason) ? 'fields' : 'confirm');

/** What is left of reasons when the type was confirmed. */
export const withoutConfirmed = (reasons: readonly string[]): string[] =>
  reasons.filter((reason) => wayOut(reason) !== 'confirm');

/** What is left of reasons when a person gave these fields. */
export const withoutFields = (reasons: readonly string[], fields: readonly string[]): string[] =>
  reasons.filter((reason) => wayOut(reason) !== 'fields' || !fields.includes(fieldOf(reason)));

const fieldOf = (reason: string): string => reason.slice(reason.indexOf(':') + 1);

/** Why the fields of a type ask for a person: what is required and missing, and what was read with a doubt. */
export function fieldReasons(type: DocumentTypeRule, fields: Readonly<Record<string, FieldValue>>): string[] {
  return type.fields.flatMap(({ code, required }) => {
    const found = fields[code];
    // What a person said is not there is not missing.
    if (found?.source === 'human') return [];
    const missing = required && (found?.value ?? null) === null ? [fieldReason('missing', code)] : [];
    return [...missing, ...(found?.warnings ?? []).map((warning) => fieldReason(warning, code))];
  });
}
