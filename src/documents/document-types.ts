import { z } from 'zod';
import { CodedError } from '../errors/coded-error.ts';

const code = z.string().regex(/^[a-z][a-z0-9_]{0,49}$/, 'is no code: small letters, digits and _');
const words = z.string().min(1).max(4_000);
const enumValue = z.union([
  code.transform((one) => ({ code: one, name: one, examples: [] as string[] })),
  z.strictObject({ code, name: words, examples: z.array(words).default([]) }),
]);

const field = z
  .strictObject({
    code,
    name: words,
    description: words.default(''),
    type: z.enum(['string', 'number', 'money', 'date', 'boolean', 'enum', 'list']),
    required: z.boolean().default(false),
    examples: z.array(words).default([]),
    values: z.array(enumValue).min(1).optional(),
    /** What a list holds. */
    items: z.enum(['string', 'number', 'money', 'date', 'boolean']).optional(),
  })
  .refine((one) => (one.type === 'enum') === (one.values !== undefined), {
    error: 'an enum has values, and nothing else has',
    path: ['values'],
  })
  .refine((one) => (one.type === 'list') === (one.items !== undefined), {
    error: 'a list has items, and nothing else has',
    path: ['items'],
  });

/** What a document is called that fits no type. */
export const NO_TYPE = 'none';

const typeSchema = z.strictObject({
  code: code.refine((one) => one !== NO_TYPE, `no type can be called ${NO_TYPE}`),
  name: words,
  description: words.default(''),
  confidence_threshold: z.number().min(0).max(1).default(0.7),
  priority: z.int().default(0),
  fields: z.array(field).default([]),
});

export type DocumentTypeRule = z.infer<typeof typeSchema>;
export type FieldRule = DocumentTypeRule['fields'][number];

export const TYPES_INVALID = 'documents.types_invalid';

/**
 * Checks the types that documents are sorted into, as in types.yaml, highest priority first.
 * @throws CodedError `documents.types_invalid`, which names the type and the field
 */
export function parseTypes(input: unknown): DocumentTypeRule[] {
  const parsed = z.strictObject({ types: z.array(typeSchema).min(1) }).safeParse(input);
  if (!parsed.success) throw invalid(z.prettifyError(parsed.error).split('\n').slice(0, 2).join(' '));
  const { types } = parsed.data;
  refuseRepeats(
    types.map((type) => type.code),
    'type',
  );
  for (const type of types) {
    refuseRepeats(
      type.fields.map((one) => one.code),
      `field of ${type.code}`,
    );
  }
  return types.toSorted((a, b) => b.priority - a.priority);
}

const invalid = (message: string) => new CodedError(TYPES_INVALID, 'permanent', message);

function refuseRepeats(codes: readonly string[], what: string): void {
  const twice = codes.find((one, at) => codes.indexOf(one) < at);
  if (twice !== undefined) throw invalid(`the ${what} '${twice}' stands there twice`);
}
