import type { FieldRule } from './document-types.ts';
import { holds } from './evidence.ts';
import type { Scalar } from './field-value.ts';
import { findDates } from './normalise-date.ts';
import { findMoney } from './normalise-money.ts';
import { type Conventions, readValue } from './normalise-value.ts';

export interface Normalised {
  readonly value: Scalar;
  /** Of money only. */
  readonly currency?: string | null;
  readonly warnings: readonly string[];
}

/**
 * What was printed, as a value of the field: read by rules, while the model's own reading only chooses between what can be
 * read there. Where the two differ the rules count, `normalised_differently`; where they cannot read what is printed, what
 * the model said stands if it has the right form, `not_normalised`. What yes, no and the values of an enum are called in a
 * document is more than rules know: there the model's word is as good.
 * @param said by the model: a string, number or boolean; null for anything else
 */
export function normaliseAnswer(field: FieldRule, printed: string, said: Scalar, conventions: Conventions): Normalised {
  switch (field.type) {
    case 'string':
      return ofString(printed, said);
    case 'date':
      return ofDate(field, printed, said, conventions);
    case 'money':
      return ofMoney(field, printed, said, conventions);
    case 'number':
      return ofNumber(field, printed, said, conventions);
    default:
      return ofChoice(field, printed, said, conventions);
  }
}

const DIFFERENTLY = ['normalised_differently'];
const NOT_NORMALISED = ['not_normalised'];

/** A part of what is printed may be the value: `Seller: Larkspur Ltd`. */
function ofString(printed: string, said: Scalar): Normalised {
  const whole = plain(printed);
  const part = typeof said === 'string' ? plain(said) : '';
  if (part === '') return { value: whole || null, warnings: [] };
  return holds(printed, part) ? { value: part, warnings: [] } : { value: whole || null, warnings: DIFFERENTLY };
}

/** Without what only Markdown needs. */
const plain = (text: string): string =>
  text
    .replaceAll('**', '')
    .replace(/\\([\\`*_{}[\]()#+.!|~-])/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();

function ofDate(field: FieldRule, printed: string, said: Scalar, conventions: Conventions): Normalised {
  const chosen = findDates(printed, conventions.order).find(({ value }) => value === said);
  if (chosen) return { value: chosen.value, warnings: chosen.ambiguous ? ['ambiguous_date'] : [] };
  const reading = readValue(field, printed, conventions);
  if (reading) return { value: scalar(reading.value), warnings: [...reading.warnings, ...differing(said)] };
  return { value: isDate(said) ? said : null, warnings: NOT_NORMALISED };
}

function ofMoney(field: FieldRule, printed: string, said: Scalar, conventions: Conventions): Normalised {
  const chosen = findMoney(printed).find(({ value }) => value === said);
  if (chosen) return { value: chosen.value, currency: chosen.currency ?? conventions.currency, warnings: [] };
  const reading = readValue(field, printed, conventions);
  const { currency } = conventions;
  if (reading)
    return {
      value: scalar(reading.value),
      currency: reading.currency ?? currency,
      warnings: differing(said),
    };
  if (typeof said !== 'number') return { value: null, currency: null, warnings: NOT_NORMALISED };
  return { value: said, currency, warnings: NOT_NORMALISED };
}

/** Numbers with separators of either locale are written like amounts. */
function ofNumber(field: FieldRule, printed: string, said: Scalar, conventions: Conventions): Normalised {
  const reading = readValue(field, printed, conventions);
  const readings = [reading?.value, ...findMoney(printed).map(({ value }) => value)];
  if (typeof said === 'number' && readings.includes(said)) return { value: said, warnings: [] };
  if (reading) return { value: scalar(reading.value), warnings: differing(said) };
  return { value: typeof said === 'number' ? said : null, warnings: NOT_NORMALISED };
}

function ofChoice(field: FieldRule, printed: string, said: Scalar, conventions: Conventions): Normalised {
  const reading = readValue(field, printed, conventions);
  if (reading) return { value: scalar(reading.value), warnings: reading.value === said ? [] : DIFFERENTLY };
  const isOne = field.type === 'boolean' ? typeof said === 'boolean' : field.values?.some(({ code }) => code === said);
  return isOne ? { value: said, warnings: [] } : { value: null, warnings: NOT_NORMALISED };
}

/** A model that said nothing but what is printed has not said otherwise. */
const differing = (said: Scalar): readonly string[] => (said === null ? [] : DIFFERENTLY);

const scalar = (value: Scalar | readonly Scalar[]): Scalar => (Array.isArray(value) ? null : (value as Scalar));

const isDate = (said: Scalar): said is string =>
  typeof said === 'string' && findDates(said, null).some(({ value }) => value === said);
