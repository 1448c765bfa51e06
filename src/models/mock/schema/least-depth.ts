import { type JsonSchema, resolve, type SchemaObject, typesOf } from './json-schema.ts';

const DEEPEST = 64;

/**
 * How many levels the flattest value of a schema has; Infinity where every value would have to contain itself.
 * It shows the way out of recursive schemas.
 */
export function leastDepth(schema: JsonSchema, root: JsonSchema, open: ReadonlySet<unknown> = new Set()): number {
  // Folding makes new objects of conditions that refer to each other, which are never met again.
  if (open.size > DEEPEST) return Infinity;
  // A schema met again on the way down can only be entered a second time for an endless value.
  const identity = typeof schema === 'object' && schema.$ref !== undefined ? schema.$ref : schema;
  if (typeof schema === 'object' && open.has(identity)) return Infinity;
  const inside = new Set(open).add(identity);
  const s = resolve(schema, root);
  if (s.const !== undefined || s.enum) return 0;
  const branches = s.anyOf ?? s.oneOf;
  const ownDepth = leastOwnDepth(s, root, inside);
  if (!branches) return ownDepth;
  return Math.max(s.type === undefined ? 0 : ownDepth, Math.min(...branches.map((b) => leastDepth(b, root, inside))));
}

function leastOwnDepth(s: SchemaObject, root: JsonSchema, open: ReadonlySet<unknown>): number {
  const types = typesOf(s);
  if (types.some((type) => type !== 'array' && type !== 'object')) return 0;
  const ways = types.map((type) => {
    const parts = type === 'array' ? necessaryItems(s) : necessaryProperties(s);
    return 1 + Math.max(-1, ...parts.map((part) => leastDepth(part, root, open)));
  });
  return Math.min(...ways);
}

function necessaryItems(s: SchemaObject): JsonSchema[] {
  const fixed = (s.prefixItems ?? []).slice(0, s.minItems ?? 0);
  return (s.minItems ?? 0) > fixed.length ? [...fixed, s.items ?? true] : fixed;
}

function necessaryProperties(s: SchemaObject): JsonSchema[] {
  const properties = s.properties ?? {};
  return (s.required ?? []).map((name) =>
    Object.hasOwn(properties, name) ? (properties[name] as JsonSchema) : (s.additionalProperties ?? true),
  );
}
