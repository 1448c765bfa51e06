import { CodedError } from '../errors/coded-error.ts';
import type { AskModel } from '../models/index.ts';
import type { DocumentTypeRule } from './document-types.ts';
import { openSource } from './evidence.ts';
import { extractionQuestion, fieldGroups } from './extraction-question.ts';
import type { FieldValue } from './field-value.ts';
import { mergeList, mergeOne } from './merge-values.ts';
import { conventionsOf } from './normalise-value.ts';
import type { PageRecord } from './page-record.ts';
import { type FoundValue, readAnswer } from './read-answer.ts';
import { windowsOf } from './windows.ts';

/** In UTF-16 units: what one question shows of a text, what neighbours share, and what is read at all. */
const WINDOW = 20_000;
const OVERLAP = 1_000;
const MOST = 800_000;

export const TOO_LONG = 'documents.too_long';

export interface ToExtract {
  readonly markdown: string;
  readonly pages: readonly PageRecord[];
  readonly type: DocumentTypeRule;
  readonly ask: AskModel;
}

/**
 * Reads the fields of a type by asking a model: all of a short document in one question, a long one in windows that overlap,
 * many fields in several questions. Each value is read from what is printed and comes with the passage that says so and its
 * page; doubts are warnings (`evidence_missing`, `suspicious_evidence`, `normalised_differently`, `not_normalised`,
 * `ambiguous_date`, `conflict`). A field that no part of the text states is null.
 * Throws `documents.too_long` (permanent), and what asking throws: one answer that is none makes all of them none.
 */
export async function extractWithModel({ markdown, pages, type, ask }: ToExtract): Promise<Record<string, FieldValue>> {
  if (markdown.length > MOST) {
    const message = `its text is longer than ${MOST} characters: no model reads all of it`;
    throw new CodedError(TOO_LONG, 'permanent', message, { detail: { characters: markdown.length, most: MOST } });
  }
  const source = openSource(markdown);
  const conventions = conventionsOf(markdown);
  const windows = windowsOf(markdown, WINDOW, OVERLAP);
  const found = new Map(type.fields.map(({ code }) => [code, [] as FoundValue[][]]));
  for (const fields of fieldGroups(type.fields)) {
    for (const [n, { start, text }] of windows.entries()) {
      const part = { text, number: n + 1, of: windows.length };
      const { value } = await ask(extractionQuestion(type, fields, part, source));
      for (const field of fields)
        found.get(field.code)!.push(readAnswer(field, value[field.code] ?? null, source, start, conventions));
    }
  }
  return Object.fromEntries(
    type.fields.map(({ code, type: form }) => {
      const parts = found.get(code)!;
      return [
        code,
        form === 'list' ? mergeList(parts, { markdown, pages }) : mergeOne(parts.flat(), { markdown, pages }),
      ];
    }),
  );
}
