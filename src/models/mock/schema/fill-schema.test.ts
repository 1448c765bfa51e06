import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { breakSchema } from './break-schema.ts';
import { fillSchema } from './fill-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import { violation } from './violation.ts';

const plain = { seed: 's', chinese: false, excerptOf: '' };
const fill = (schema: JsonSchema, options = {}) => fillSchema(schema, { ...plain, ...options });
const asJson = (schema: z.ZodType) => z.toJSONSchema(schema) as JsonSchema;

const leaf = fc.oneof(
  fc.constant(z.boolean()),
  fc.constant(z.null()),
  fc.constantFrom(z.email(), z.uuid(), z.url(), z.iso.date(), z.iso.datetime(), z.iso.time(), z.ipv4()),
  fc.constantFrom(
    z.string().regex(/^[A-Z]{2}-\d{3,5}$/),
    z
      .string()
      .regex(/^(?:sku|ean)_\w+$/)
      .max(12),
  ),
  fc.constantFrom(
    z.number(),
    z.int(),
    z.number().positive().lt(0.5),
    z.int().multipleOf(7).min(15),
    z.number().max(-3),
  ),
  fc.tuple(fc.nat(8), fc.nat(20)).map(([min, more]) =>
    z
      .string()
      .min(min)
      .max(min + more),
  ),
  fc.tuple(fc.integer(), fc.nat(5)).map(([min, more]) =>
    z
      .number()
      .min(min)
      .max(min + more),
  ),
  fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 4 }).map((v) => z.enum(v)),
  fc.constantFrom(z.literal('only'), z.literal(3)),
);

const names = fc.constantFrom('decision', 'evidence', 'total', 'issued_on', 'isOk', '标题', 'items', 'url', 'a b');
const anySchema: fc.Arbitrary<z.ZodType> = fc.letrec<{ node: z.ZodType }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf as fc.Arbitrary<z.ZodType>,
    fc.dictionary(names, tie('node'), { maxKeys: 4 }).map((shape) => z.object(shape)),
    fc.dictionary(names, tie('node'), { maxKeys: 3 }).map((shape) => z.strictObject(shape).partial()),
    fc.tuple(tie('node'), fc.nat(3)).map(([item, min]) => z.array(item).min(min)),
    tie('node').map((s) => s.nullable()),
    fc.tuple(tie('node'), tie('node')).map((pair) => z.union(pair)),
    fc.tuple(tie('node'), tie('node')).map((pair) => z.tuple(pair)),
    tie('node').map((s) => z.record(z.string(), s)),
  ),
})).node;

describe('fillSchema', () => {
  test('whatever the schema, the value satisfies it, and always the same value', () => {
    fc.assert(
      fc.property(anySchema, fc.string(), (schema, seed) => {
        const json = asJson(schema);
        const value = fill(json, { seed });
        expect(schema.safeParse(value).error?.message).toBeUndefined();
        expect(violation(json, value)).toBeNull();
        expect(fill(json, { seed })).toEqual(value);
      }),
      { numRuns: 150 },
    );
  });

  test('another seed gives another value', () => {
    const schema = asJson(z.object({ decision: z.enum(['approve', 'reject', 'unsure']), score: z.number() }));
    const values = Array.from({ length: 20 }, (_, i) => JSON.stringify(fill(schema, { seed: String(i) })));
    expect(new Set(values).size).toBeGreaterThan(10);
    for (const word of ['approve', 'reject', 'unsure']) expect(values.join()).toContain(word);
  });

  test('recursive schemas end', () => {
    const tree = z.object({
      name: z.string(),
      get children() {
        return z.array(tree).min(1).nullable();
      },
    });
    expect(tree.safeParse(fill(asJson(tree))).success).toBe(true);
    const endless = {
      $defs: { a: { type: 'object', properties: { a: { $ref: '#/$defs/a' } }, required: ['a'] } },
      $ref: '#/$defs/a',
    };
    expect(() => fill(endless as JsonSchema)).toThrow('no finite value');
  });

  test.each<[string, JsonSchema]>([
    [
      'allOf narrows',
      {
        allOf: [
          { type: 'integer', minimum: 5 },
          { type: 'number', maximum: 6 },
        ],
      },
    ],
    ['required without a property', { type: 'object', required: ['x'] }],
    ['nullable as in OpenAPI', { type: 'string', nullable: true, enum: ['a'] }],
    ['several types', { type: ['array', 'null'], items: { enum: [1, 2, 3] }, uniqueItems: true, minItems: 3 }],
    ['no keywords at all', {}],
    ['a tuple that is closed', { type: 'array', prefixItems: [{ const: 1 }, { type: 'string' }], items: false }],
    ['oneOf whose branches overlap', { oneOf: [{ type: 'integer' }, { type: 'number', minimum: 50 }] }],
    ['not', { type: 'boolean', not: { const: true } }],
    ['a map with minProperties', { type: 'object', additionalProperties: { type: 'integer' }, minProperties: 3 }],
    ['a pattern with \\p and a look-ahead', { type: 'string', pattern: '^(?=.*\\d)\\p{Lu}[^a-z]{2,4}\\d+$' }],
    ['a pattern open at its end', { type: 'string', pattern: '^ab', minLength: 9 }],
    ['references with escapes', { $defs: { 'a/b': { const: 'here' } }, $ref: '#/$defs/a~1b' }],
  ])('%s', (_, schema) => {
    for (const seed of ['1', '2', '3']) expect(violation(schema, fill(schema, { seed }))).toBeNull();
  });

  test.each<[string, JsonSchema, string]>([
    ['a reference that leads nowhere', { $ref: '#/$defs/none' }, 'leads nowhere'],
    ['a reference to itself', { $ref: '#' }, 'itself'],
    ['bounds that leave no room', { type: 'integer', minimum: 3, maximum: 2 }, 'bounds'],
    ['an empty enum', { enum: [] }, 'empty'],
    ['false', false, 'no value'],
    ['a pattern that is none', { type: 'string', pattern: '(' }, 'not a regular expression'],
  ])('%s is a clear error', (_, schema, message) => {
    expect(() => fill(schema)).toThrow(expect.objectContaining({ code: 'mock_model.bad_schema' }));
    expect(() => fill(schema)).toThrow(message);
  });

  test('evidence is a piece of the text', () => {
    const excerptOf = '第一行内容\n\nThe second line is rather long and will have to be cut somewhere.';
    for (const seed of ['1', '2', '3', '4']) {
      const { evidence } = fill(asJson(z.object({ evidence: z.string() })), { seed, excerptOf }) as {
        evidence: string;
      };
      expect(evidence.length).toBeGreaterThan(0);
      expect(excerptOf).toContain(evidence);
    }
  });

  test('a wish is granted where the schema allows it and passed over where not', () => {
    const schema = asJson(z.object({ decision: z.enum(['approve', 'reject']).nullable(), n: z.int().max(5) }));
    const wishes = (name: string) => (name === 'decision' ? ['perhaps', 'reject'] : name === 'n' ? [9, 4] : []);
    expect(fill(schema, { wishes })).toEqual({ decision: 'reject', n: 4 });
  });
});

describe('violation', () => {
  test('takes no value that zod refuses', () => {
    fc.assert(
      fc.property(anySchema, fc.jsonValue(), (schema, value) => {
        const json = asJson(schema);
        // zod takes undefined members and strips unknown ones; JSON has no undefined and toJSONSchema closes objects.
        if (violation(json, value) === null) expect(schema.safeParse(value).success).toBe(true);
      }),
    );
  });

  test.each<[JsonSchema, unknown, string | null]>([
    [{ type: 'integer' }, 1.5, ': type'],
    [{ multipleOf: 0.1 }, 0.3, null],
    [{ type: 'object', properties: { a: { items: { maxLength: 1 } } } }, { a: ['x', 'yy'] }, '/a/1: maxLength'],
    [{ required: ['a'] }, { b: 1 }, '/a: required'],
    [{ additionalProperties: false, properties: { a: {} } }, { a: 1, b: 2 }, '/b: not'],
    [
      { uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      ': uniqueItems',
    ],
    [{ oneOf: [{ type: 'integer' }, { type: 'number' }] }, 1, ': oneOf'],
    [{ format: 'date' }, '2026-13-01', ': format'],
    [{ maxLength: 1 }, '😀', null],
  ])('%j of %j: %s', (schema, value, expected) => {
    expect(violation(schema, value)).toBe(expected);
  });
});

test('breakSchema breaks every schema that can be broken, and its value stays JSON', () => {
  fc.assert(
    fc.property(anySchema, fc.string(), (schema, seed) => {
      const json = asJson(schema);
      const broken = breakSchema(json, fill(json, { seed }), seed);
      expect(JSON.parse(JSON.stringify(broken))).toEqual(broken);
      expect(violation(json, broken)).not.toBeNull();
    }),
  );
  expect(breakSchema({}, 'x', '1')).toEqual({ unexpected: true });
});
