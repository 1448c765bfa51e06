import { CodedError } from '../errors/coded-error.ts';
import { isStorable } from '../text/storable.ts';
import type { FieldRule } from './document-types.ts';
import type { Scalar } from './field-value.ts';
import type { ShownField } from './shown.ts';

export const VALUE_INVALID = 'documents.value_invalid';

const MAX_TEXT = 10_000;
const MAX_LIST = 1_000;

/**
 * What a person gave for a field as a value of it. Money is a number or `{value, currency}`, a date an ISO date, an enum
 * one of its codes; null says that the document has none.
 * @throws CodedError `documents.value_invalid` (detail: field)
 */
export function humanValue(field: FieldRule, given: unknown, by: string, at: Date): ShownField {
  const { value, currency } = read(field, given);
  return {
    value,
    raw: null,
    ...(field.type === 'money' ? { currency: currency ?? null } : {}),
    evidence: null,
    page: null,
    source: 'human',
    warnings: [],
    edited_by: by,
    edited_at: at.toISOString(),
  };
}

interface Given {
  readonly value: Scalar | readonly Scalar[];
  readonly currency?: string | null;
}

function read(field: FieldRule, given: unknown): Given {
  const wrong = (what: string): never => {
    const detail = { field: `fields.${field.code}` };
    throw new CodedError(VALUE_INVALID, 'permanent', `${field.code}: ${what}`, { detail });
  };
  if (given === null) return { value: null };
  switch (field.type) {
    case 'money': {
      const { value, currency = null } =
        typeof given === 'object' ? (given as { value?: unknown; currency?: unknown }) : { value: given };
      if (typeof value !== 'number' || !Number.isFinite(value)) return wrong('an amount is a number');
      if (currency !== null && !/^[A-Z]{3}$/.test(String(currency))) return wrong('a currency is three letters');
      return { value, currency: currency as string | null };
    }
    case 'list': {
      if (!Array.isArray(given) || given.length > MAX_LIST) return wrong(`a list has up to ${MAX_LIST} values`);
      return { value: given.map((one) => scalar(field.items ?? 'string', field, one, wrong)) };
    }
    default:
      return { value: scalar(field.type, field, given, wrong) };
  }
}

function scalar(type: string, field: FieldRule, given: unknown, wrong: (what: string) => never): Scalar {
  if (type === 'number' || type === 'money') {
    return typeof given === 'number' && Number.isFinite(given) ? given : wrong('it is a number');
  }
  if (type === 'boolean') return typeof given === 'boolean' ? given : wrong('it is true or false');
  if (typeof given !== 'string' || given.length > MAX_TEXT || !isStorable(given)) return wrong('it is a text');
  if (type === 'date') return isDate(given) ? given : wrong('a date is written 2026-03-05');
  if (type === 'enum') {
    const codes = (field.values ?? []).map(({ code }) => code);
    return codes.includes(given) ? given : wrong(`it is one of ${codes.join(', ')}`);
  }
  return given;
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
