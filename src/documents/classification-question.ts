import { z } from 'zod';
import type { Question } from '../models/index.ts';
import type { ConfirmedExample } from './configured.ts';
import { type DocumentTypeRule, NO_TYPE } from './document-types.ts';
import type { Source } from './evidence.ts';
import { asData, DATA_ONLY } from './prompt.ts';
import { isLoop } from './repetition.ts';
import { speaksToModel } from './speaks-to-model.ts';
import { headAndTail } from './windows.ts';

/** What of a document is looked at, in UTF-16 units. */
const HEAD = 6_000;
const TAIL = 2_000;
/** Of confirmed documents: so many of each type, with the beginning of each. */
const EXAMPLES_A_TYPE = 2;
const EXAMPLE_CHARACTERS = 400;
const MAX_EVIDENCE = 2_000;

const SYSTEM = `You sort documents into types. ${DATA_ONLY}
The user message has the types, with a code, a name, a description and the names of the fields that such a document has,
perhaps the beginnings of documents that people have sorted, and the text of one document: its beginning and, where it is
long, its end.
The answer has:
evidence: a passage of at most 120 characters, copied from the document, that shows what it is; empty if there is none.
type: the code of the type that the document is, or ${NO_TYPE} if it is none of them. Do not choose the nearest one.
confidence: how sure you are of the type, from 0 to 1.`;

export interface TypeAnswer {
  readonly evidence: string;
  readonly type: string;
  readonly confidence: number;
}

/**
 * The question which of these types a document is. Any code is read, though only those of the types are asked for: one that
 * was invented is told from an answer that is none. A loop in place of evidence is no answer.
 */
export function classificationQuestion(
  source: Source,
  types: readonly DocumentTypeRule[],
  examples: readonly ConfirmedExample[],
): Question<TypeAnswer> {
  const codes = [...types.map(({ code }) => code), NO_TYPE];
  return {
    system: SYSTEM,
    prompt: [
      types.map(describe).join('\n'),
      ...excerpts(types, examples),
      asData('document', headAndTail(source.markdown, HEAD, TAIL)),
    ].join('\n\n'),
    schema: z.strictObject({
      evidence: z
        .string()
        .max(MAX_EVIDENCE)
        .refine((text) => !isLoop(text) || source.locate(text) !== null),
      type: z.string().meta({ enum: codes }),
      confidence: z.number().meta({ minimum: 0, maximum: 1 }),
    }),
    schemaName: 'document_type',
    maxOutputTokens: 500,
  };
}

/** What a type takes of the prompt, in UTF-16 units. */
export const lengthOf = (type: DocumentTypeRule): number => describe(type).length;

function describe({ code, name, description, fields }: DocumentTypeRule): string {
  const named = fields.length ? [`Fields: ${fields.map((field) => field.name).join('; ')}`] : [];
  return asData('type', [name, description, ...named].filter(Boolean).join('\n'), { code });
}

/** A document that speaks to a model would do so beside every other one: it is no example. */
function excerpts(types: readonly DocumentTypeRule[], examples: readonly ConfirmedExample[]): string[] {
  return types.flatMap(({ code }) =>
    examples
      .filter(({ type, markdown }) => type === code && !speaksToModel(markdown))
      .slice(0, EXAMPLES_A_TYPE)
      .map(({ markdown }) => asData('example', headAndTail(markdown, EXAMPLE_CHARACTERS, 0), { type: code })),
  );
}
