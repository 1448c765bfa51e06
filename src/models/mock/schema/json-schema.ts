import { CodedError } from '../../../errors/coded-error.ts';

export type JsonType = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'array' | 'object';

/** The keywords that are filled and checked; others (title, description, …) change no value and are passed over. */
export interface SchemaObject {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly type?: JsonType | readonly JsonType[];
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly not?: JsonSchema;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly items?: JsonSchema;
  readonly prefixItems?: readonly JsonSchema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema;
  readonly propertyNames?: JsonSchema;
  readonly minProperties?: number;
  readonly maxProperties?: number;
}

export type JsonSchema = SchemaObject | boolean;

const NOTHING: SchemaObject = { not: {} };
const MOST_REFERENCES = 32;

/** A schema that cannot be read or met. */
export function schemaError(message: string): CodedError {
  return new CodedError('mock_model.bad_schema', 'permanent', message);
}

/**
 * One plain schema for one place: references followed, `allOf` folded in. For filling; `violation` reads the original.
 *
 * @throws CodedError `mock_model.bad_schema` for a reference that leads nowhere or in a circle
 */
export function resolve(schema: JsonSchema, root: JsonSchema): SchemaObject {
  let current: SchemaObject = asObject(schema);
  for (let i = 0; current.$ref !== undefined || current.allOf !== undefined; i++) {
    if (i === MOST_REFERENCES) throw schemaError('the schema refers to itself without an end');
    const { $ref, allOf = [], ...own } = current;
    const parts = $ref === undefined ? allOf : [pointed($ref, root), ...allOf];
    current = parts.map(asObject).reduce(fold, own);
  }
  return current;
}

/** `true` and `false` as the schemas they stand for. */
export function asObject(schema: JsonSchema): SchemaObject {
  if (typeof schema === 'object' && schema !== null) return schema;
  if (schema === true) return {};
  if (schema === false) return NOTHING;
  throw schemaError('a schema must be an object or a boolean');
}

/**
 * What a `$ref` inside `root` stands for.
 *
 * @throws CodedError `mock_model.bad_schema` where it leads nowhere
 */
export function pointed(ref: string, root: JsonSchema): JsonSchema {
  if (!ref.startsWith('#')) throw schemaError(`only references inside the schema are followed, not ${ref}`);
  let at: unknown = root;
  for (const step of decodeURIComponent(ref.slice(1)).split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    at =
      typeof at === 'object' && at !== null && Object.hasOwn(at, key)
        ? (at as Record<string, unknown>)[key]
        : undefined;
  }
  if (at === undefined) throw schemaError(`${ref} leads nowhere`);
  return at as JsonSchema;
}

// Both must hold, so bounds narrow and lists of conditions grow. Two patterns or two `not` cannot be folded, the second
// stays; who fills checks the value against the schema as it was.
function fold(a: SchemaObject, b: SchemaObject): SchemaObject {
  const properties: Record<string, JsonSchema> = { ...a.properties };
  for (const [name, schema] of Object.entries(b.properties ?? {})) {
    properties[name] = properties[name] === undefined ? schema : { allOf: [properties[name], schema] };
  }
  const merged: Record<string, unknown> = { ...a, ...b };
  if (a.properties || b.properties) merged.properties = properties;
  if (a.required && b.required) merged.required = [...new Set([...a.required, ...b.required])];
  if (a.allOf && b.allOf) merged.allOf = [...a.allOf, ...b.allOf];
  if (a.enum && b.enum) merged.enum = a.enum.filter((v) => b.enum?.some((w) => sameJson(v, w)));
  if (a.items !== undefined && b.items !== undefined) merged.items = { allOf: [a.items, b.items] };
  for (const key of ['anyOf', 'oneOf'] as const) {
    const [left, right] = [a[key], b[key]];
    if (left && right) merged[key] = left.flatMap((x) => right.map((y) => ({ allOf: [x, y] })));
  }
  for (const key of ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'] as const) {
    if (a[key] !== undefined && b[key] !== undefined) merged[key] = Math.max(a[key], b[key]);
  }
  for (const key of ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'] as const) {
    if (a[key] !== undefined && b[key] !== undefined) merged[key] = Math.min(a[key], b[key]);
  }
  if (a.type !== undefined && b.type !== undefined) merged.type = commonTypes(a, b);
  if (a.additionalProperties === false) merged.additionalProperties = false;
  return merged as SchemaObject;
}

function commonTypes(a: SchemaObject, b: SchemaObject): JsonType[] {
  const left = typesOf(a);
  const right = typesOf(b);
  const narrow = (type: JsonType, others: readonly JsonType[]) =>
    others.includes(type) || (type === 'integer' && others.includes('number'));
  return [...new Set([...left.filter((t) => narrow(t, right)), ...right.filter((t) => narrow(t, left))])];
}

/** The types a resolved schema allows; those it implies by its keywords where it names none; a string as a last resort. */
export function typesOf(schema: SchemaObject): readonly JsonType[] {
  const named = schema.type === undefined ? [implied(schema)] : [schema.type].flat();
  return schema.nullable && !named.includes('null') ? [...named, 'null'] : (named as readonly JsonType[]);
}

function implied(s: SchemaObject): JsonType {
  if (s.properties || s.required || s.additionalProperties !== undefined || s.propertyNames) return 'object';
  if (s.items !== undefined || s.prefixItems || s.minItems !== undefined) return 'array';
  if (s.minimum !== undefined || s.maximum !== undefined || s.multipleOf !== undefined) return 'number';
  return 'string';
}

/** Whether two JSON values are the same; the order of an object's properties does not count. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every(
      (k) => Object.hasOwn(b, k) && sameJson((a as Record<string, unknown>)[k], (b as Record<string, unknown>)[k]),
    )
  );
}
