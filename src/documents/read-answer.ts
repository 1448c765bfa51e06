import type { FieldRule } from './document-types.ts';
import { holds, type Place, type Source } from './evidence.ts';
import type { FieldAnswer, ValueAnswer } from './extraction-question.ts';
import type { Scalar } from './field-value.ts';
import { normaliseAnswer } from './normalise-answer.ts';
import { findDates } from './normalise-date.ts';
import { findMoney } from './normalise-money.ts';
import type { Conventions } from './normalise-value.ts';
import { leaks, unescaped } from './prompt.ts';
import { speaksToModel } from './speaks-to-model.ts';

/** A value that a model read in one part of a document. */
export interface FoundValue {
  readonly value: Scalar;
  readonly raw: string | null;
  readonly currency?: string | null;
  /** Where the passage stands that says so; null where the document does not have it. */
  readonly place: Place | null;
  readonly warnings: readonly string[];
}

/**
 * The values of a field in a model's answer, one unless it is a list. Each is held against the text from `from` on: a
 * passage that is not there, or does not have the value in it, is `evidence_missing`; one in which the document tells models
 * what to say is `suspicious_evidence`, and so is an answer that repeats its instructions, whose value is not taken.
 */
export function readAnswer(
  field: FieldRule,
  answer: FieldAnswer,
  source: Source,
  from: number,
  conventions: Conventions,
): FoundValue[] {
  if (answer === null) return [];
  const one = field.type === 'list' ? { ...field, type: field.items! } : field;
  const answers = 'items' in answer ? answer.items : [answer];
  return answers.flatMap((value) => readOne(one, value, source, from, conventions) ?? []);
}

function readOne(
  field: FieldRule,
  answer: ValueAnswer,
  source: Source,
  from: number,
  conventions: Conventions,
): FoundValue | null {
  const said = scalarOf(answer.value);
  const evidence = textOf(answer.evidence);
  const raw = textOf(answer.raw) ?? (said === null ? null : String(said));
  if (leaks(answer)) return { value: null, raw: null, place: null, warnings: ['suspicious_evidence'] };
  if (raw === null) return null;
  const place = evidence === null ? null : source.locate(evidence, from);
  const passage = place === null ? '' : source.markdown.slice(place.start, place.end);
  const { warnings, ...read } = normaliseAnswer(field, raw, said, conventions);
  const printed = read.currency === undefined ? null : findMoney(passage).find(({ value }) => value === read.value);
  return {
    ...read,
    ...(printed?.currency ? { currency: printed.currency } : {}),
    raw,
    place,
    warnings: [
      ...warnings,
      ...(says(passage, raw, read.value, conventions) ? [] : ['evidence_missing']),
      ...(place !== null && speaksToModel(linesAround(source.markdown, place)) ? ['suspicious_evidence'] : []),
    ],
  };
}

/** Models write a date or an amount as they understand it, where they should have copied it. */
function says(passage: string, raw: string, value: Scalar, { order }: Conventions): boolean {
  if (passage === '') return false;
  if (holds(passage, raw)) return true;
  if (typeof value === 'number') return findMoney(passage).some((one) => one.value === value);
  return typeof value === 'string' && findDates(passage, order).some((one) => one.value === value);
}

/** The lines that a passage stands in, with the one before. */
function linesAround(text: string, { start, end }: Place): string {
  const line = text.lastIndexOf('\n', start - 1);
  const before = line <= 0 ? 0 : text.lastIndexOf('\n', line - 1) + 1;
  const behind = text.indexOf('\n', end);
  return text.slice(before, behind === -1 ? text.length : behind);
}

const textOf = (text: string | null): string | null => (text === null ? null : unescaped(text).trim() || null);

function scalarOf(value: unknown): Scalar {
  if (typeof value === 'string') return textOf(value);
  return typeof value === 'number' || typeof value === 'boolean' ? value : null;
}
