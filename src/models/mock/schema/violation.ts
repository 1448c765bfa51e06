import {
  asObject,
  type JsonSchema,
  type JsonType,
  pointed,
  type SchemaObject,
  sameJson,
  schemaError,
} from './json-schema.ts';

/** The formats that are checked and can be filled; a format that is not here binds nobody. */
export const FORMATS: Readonly<Record<string, RegExp>> = {
  date: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/,
  time: /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d/,
  'date-time': /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2})$/,
  email: /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
  uri: /^[a-z][a-z0-9+.-]*:\S+$/i,
  uuid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  ipv4: /^(?:\d{1,3}\.){3}\d{1,3}$/,
  hostname: /^(?!-)[a-z0-9-]+(?:\.[a-z0-9-]+)*$/i,
};

/**
 * Says where a JSON value breaks a JSON Schema (the keywords of {@link SchemaObject}), or null where it does not.
 *
 * @param root the schema that `$ref` points into
 * @returns the first broken place as `path: keyword`, the path empty at the top
 * @throws CodedError `mock_model.bad_schema` where the schema itself cannot be read
 */
export function violation(schema: JsonSchema, value: unknown, root: JsonSchema = schema, path = ''): string | null {
  const s = asObject(schema);
  const broken = (keyword: string) => `${path}: ${keyword}`;
  for (const part of [...(s.$ref === undefined ? [] : [pointed(s.$ref, root)]), ...(s.allOf ?? [])]) {
    const inPart = violation(part, value, root, path);
    if (inPart !== null) return inPart;
  }
  if (!hasType(s, value)) return broken('type');
  // OpenAPI's nullable stands beside enum and anyOf, which need not repeat null.
  if (value === null && s.nullable) return null;
  if (s.const !== undefined && !sameJson(s.const, value)) return broken('const');
  if (s.enum && !s.enum.some((v) => sameJson(v, value))) return broken('enum');
  const holds = (sub: JsonSchema) => violation(sub, value, root, path) === null;
  if (s.anyOf && !s.anyOf.some(holds)) return broken('anyOf');
  if (s.oneOf && s.oneOf.filter(holds).length !== 1) return broken('oneOf');
  if (s.not !== undefined && holds(s.not)) return broken('not');
  if (typeof value === 'string') return withPath(path, stringViolation(s, value));
  if (typeof value === 'number') return withPath(path, numberViolation(s, value));
  if (Array.isArray(value)) return arrayViolation(s, value, root, path);
  if (typeof value === 'object' && value !== null) {
    return objectViolation(s, value as Record<string, unknown>, root, path);
  }
  return null;
}

function withPath(path: string, keyword: string | null): string | null {
  return keyword === null ? null : `${path}: ${keyword}`;
}

function hasType(s: SchemaObject, value: unknown): boolean {
  if (s.type === undefined || (value === null && s.nullable)) return true;
  return ([s.type].flat() as JsonType[]).some((type) => isOfType(type, value));
}

function isOfType(type: JsonType, value: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  const plain: string = typeof value;
  return plain === type;
}

function stringViolation(s: SchemaObject, value: string): string | null {
  const length = [...value].length;
  if (s.minLength !== undefined && length < s.minLength) return 'minLength';
  if (s.maxLength !== undefined && length > s.maxLength) return 'maxLength';
  if (s.pattern !== undefined && !patternOf(s.pattern).test(value)) return 'pattern';
  if (s.format !== undefined && FORMATS[s.format]?.test(value) === false) return 'format';
  return null;
}

/** A JSON Schema's pattern as a regular expression. @throws CodedError `mock_model.bad_schema` */
export function patternOf(pattern: string): RegExp {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, flags);
    } catch {
      // Patterns from older validators escape more than the u flag allows; without it they are read as meant.
    }
  }
  throw schemaError(`not a regular expression: ${pattern}`);
}

function numberViolation(s: SchemaObject, value: number): string | null {
  if (s.minimum !== undefined && value < s.minimum) return 'minimum';
  if (s.maximum !== undefined && value > s.maximum) return 'maximum';
  if (s.exclusiveMinimum !== undefined && value <= s.exclusiveMinimum) return 'exclusiveMinimum';
  if (s.exclusiveMaximum !== undefined && value >= s.exclusiveMaximum) return 'exclusiveMaximum';
  if (s.multipleOf !== undefined) {
    const times = value / s.multipleOf;
    // 0.3 is a multiple of 0.1, though not in binary.
    if (Math.abs(times - Math.round(times)) > 1e-9 * Math.max(1, Math.abs(times))) return 'multipleOf';
  }
  return null;
}

function arrayViolation(s: SchemaObject, value: readonly unknown[], root: JsonSchema, path: string): string | null {
  if (s.minItems !== undefined && value.length < s.minItems) return `${path}: minItems`;
  if (s.maxItems !== undefined && value.length > s.maxItems) return `${path}: maxItems`;
  if (s.uniqueItems && value.some((v, i) => value.slice(0, i).some((w) => sameJson(v, w)))) {
    return `${path}: uniqueItems`;
  }
  for (const [i, item] of value.entries()) {
    const broken = violation(s.prefixItems?.[i] ?? s.items ?? true, item, root, `${path}/${i}`);
    if (broken !== null) return broken;
  }
  return null;
}

function objectViolation(
  s: SchemaObject,
  value: Readonly<Record<string, unknown>>,
  root: JsonSchema,
  path: string,
): string | null {
  const names = Object.keys(value);
  const missing = s.required?.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return `${path}/${missing}: required`;
  if (s.minProperties !== undefined && names.length < s.minProperties) return `${path}: minProperties`;
  if (s.maxProperties !== undefined && names.length > s.maxProperties) return `${path}: maxProperties`;
  for (const name of names) {
    const known = s.properties !== undefined && Object.hasOwn(s.properties, name);
    const schema = (known ? s.properties?.[name] : s.additionalProperties) ?? true;
    const broken =
      violation(schema, value[name], root, `${path}/${name}`) ??
      (s.propertyNames === undefined ? null : violation(s.propertyNames, name, root, `${path}/${name}`));
    if (broken !== null) return broken;
  }
  return null;
}
