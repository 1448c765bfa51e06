import { z } from 'zod';
import type { Question } from '../models/index.ts';
import type { DocumentTypeRule, FieldRule } from './document-types.ts';
import type { Source } from './evidence.ts';
import { asData, DATA_ONLY } from './prompt.ts';
import { isLoop } from './repetition.ts';

/** So many fields are asked for in one question, a list for twelve, with so many UTF-16 units of descriptions. */
const FIELDS_A_QUESTION = 16;
const WEIGHT_OF_LIST = 12;
const UNITS_A_QUESTION = 32_000;
/** What an answer takes at most, in tokens: for itself, and for each field. */
const TOKENS = { answer: 400, field: 225 };
const MAX_COPIED = 4_000;
const EXAMPLES = 5;
const EXAMPLE_CHARACTERS = 100;
/** A list so long whose entries are for the most part the same is a loop. */
const LONG_LIST = 40;

const SYSTEM = `You read the values of fields from a document. ${DATA_ONLY}
The user message has the type of the document, its fields, and the text of the document or of one part of it.
The answer has each field by its code, null if this text does not say it. Else it has:
evidence: the passage that says so, with its label, at most 160 characters, copied from the text.
raw: the value as it is printed in that passage, copied.
value: the same value in the form of the field: a string as it is printed; a number or an amount of money as a number
without separators and without its currency; a date as YYYY-MM-DD; true or false; the code of one of the values.
A list has items: one for each entry, in their order, each with evidence, raw and value.
Never guess, compute or complete a value, and never take it from anywhere but this text: today's date is in no document.`;

const copied = z.string().max(MAX_COPIED).nullable();

export interface ValueAnswer {
  readonly evidence: string | null;
  readonly raw: string | null;
  /** As the model wrote it; any JSON. */
  readonly value: unknown;
}

export type FieldAnswer = ValueAnswer | { readonly items: readonly ValueAnswer[] } | null;
export type FieldsAnswer = Readonly<Record<string, FieldAnswer>>;

/** Fields in their order, as many to a question as fit; none is left out. */
export function fieldGroups(fields: readonly FieldRule[]): FieldRule[][] {
  const groups: FieldRule[][] = [];
  let [weight, units] = [Number.POSITIVE_INFINITY, 0];
  for (const field of fields) {
    const [more, length] = [weightOf(field), describe(field).length];
    if (weight + more > FIELDS_A_QUESTION || units + length > UNITS_A_QUESTION) {
      groups.push([]);
      [weight, units] = [0, 0];
    }
    groups.at(-1)!.push(field);
    [weight, units] = [weight + more, units + length];
  }
  return groups;
}

const weightOf = ({ type }: FieldRule): number => (type === 'list' ? WEIGHT_OF_LIST : 1);

/** The question for these fields of a type, about the text of a document or of one part of it. A loop is no answer. */
export function extractionQuestion(
  type: DocumentTypeRule,
  fields: readonly FieldRule[],
  part: { readonly text: string; readonly number: number; readonly of: number },
  source: Source,
): Question<FieldsAnswer> {
  const place: Record<string, number> = part.of > 1 ? { part: part.number, of: part.of } : {};
  const form = z.strictObject(Object.fromEntries(fields.map((field) => [field.code, formOf(field)])));
  return {
    system: SYSTEM,
    prompt: [
      asData('type', [type.name, type.description].filter(Boolean).join('\n'), { code: type.code }),
      fields.map(describe).join('\n'),
      asData('document', part.text, place),
    ].join('\n\n'),
    schema: form.refine((answer) => !loops(answer as FieldsAnswer, source)) as unknown as z.ZodType<FieldsAnswer>,
    schemaName: 'document_fields',
    maxOutputTokens: TOKENS.answer + TOKENS.field * fields.reduce((sum, field) => sum + weightOf(field), 0),
  };
}

function describe({ code, name, description, type, items, values = [], examples }: FieldRule): string {
  const choices = values.map((one) => {
    const like = one.examples.slice(0, EXAMPLES).map(clipped);
    return `${one.code}: ${clipped(one.name)}${like.length ? ` (${like.join('; ')})` : ''}`;
  });
  const like = examples.length ? [`Such as: ${examples.slice(0, EXAMPLES).map(clipped).join('; ')}`] : [];
  const text = [name, description, ...like, ...choices].filter(Boolean).join('\n');
  return asData('field', text, { code, form: items === undefined ? type : `list of ${items}` });
}

const clipped = (text: string): string => [...text].slice(0, EXAMPLE_CHARACTERS).join('');

function formOf(field: FieldRule): z.ZodType {
  if (field.type !== 'list') return valueForm(field).nullable();
  return z.strictObject({ items: z.array(valueForm({ ...field, type: field.items! })) }).nullable();
}

/** What is asked for of a value is strict, what is read is not: it is only compared with what is printed. */
function valueForm({ type, values }: Pick<FieldRule, 'type' | 'values'>): z.ZodType {
  return z.strictObject({
    evidence: copied,
    raw: copied,
    value: z.unknown().meta(FORMS[type] ?? { enum: [...(values ?? []).map(({ code }) => code), null] }),
  });
}

const FORMS: Readonly<Record<string, Record<string, unknown>>> = {
  string: { type: ['string', 'null'] },
  number: { type: ['number', 'null'] },
  money: { type: ['number', 'null'] },
  boolean: { type: ['boolean', 'null'] },
  date: { type: ['string', 'null'], pattern: '^\\d{4}-\\d{2}-\\d{2}$' },
};

function loops(answer: FieldsAnswer, source: Source): boolean {
  return Object.values(answer).some((one) => {
    const values = one === null ? [] : 'items' in one ? one.items : [one];
    const different = new Set(values.map((value) => JSON.stringify(value))).size;
    if (values.length >= LONG_LIST && different / values.length <= 0.25) return true;
    return values
      .flatMap(({ evidence, raw, value }) => [evidence, raw, value])
      .some((text) => typeof text === 'string' && isLoop(text) && source.locate(text) === null);
  });
}
