import { pick, unit, wholeBetween } from '../random.ts';
import { type JsonSchema, resolve, type SchemaObject, schemaError, typesOf } from './json-schema.ts';
import { leastDepth } from './least-depth.ts';
import { numberValue } from './number-value.ts';
import { stringValue } from './string-value.ts';
import { violation } from './violation.ts';

/** Values somebody would like to see in a property, best first; the first that the schema allows is taken. */
export type Wishes = (name: string, schema: SchemaObject) => readonly unknown[];

export interface FillOptions {
  readonly seed: string;
  readonly chinese: boolean;
  /** The text that properties like `evidence` quote. */
  readonly excerptOf: string;
  readonly wishes?: Wishes;
}

interface Filling extends FillOptions {
  readonly root: JsonSchema;
}

/** From this depth on the shortest way out is taken: recursive schemas end. */
const DEEP = 5;
const ATTEMPTS = 16;

/**
 * A JSON value that satisfies a JSON Schema: a pure function of the schema and the options.
 *
 * @throws CodedError `mock_model.bad_schema` where no value was found or the schema cannot be read
 */
export function fillSchema(schema: JsonSchema, options: FillOptions): unknown {
  if (leastDepth(schema, schema) === Infinity) throw schemaError('no finite value satisfies the schema');
  let broken: string | null = null;
  // Some keywords (oneOf, not, uniqueItems) are met by trying again rather than by construction.
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const seed = attempt === 0 ? options.seed : `${options.seed}#${attempt}`;
    const value = fill(schema, { ...options, seed, root: schema }, [], '');
    broken = violation(schema, value);
    if (broken === null) return value;
  }
  throw schemaError(`no value was found that satisfies the schema (${broken})`);
}

function fill(schema: JsonSchema, filling: Filling, path: readonly (string | number)[], name: string): unknown {
  const { seed, root } = filling;
  const s = resolve(schema, root);
  const wished = grant(s, filling, name);
  if (wished !== undefined) return wished;
  if (s.const !== undefined) return s.const;
  const place = JSON.stringify(path);
  if (s.enum) {
    if (s.enum.length === 0) throw schemaError(`${path.join('/')}: the enum is empty`);
    return pick(s.enum, seed, place);
  }
  const branches = s.anyOf ?? s.oneOf;
  if (branches) return fillBranch(s, branches, filling, path, name);
  const type = chooseType(s, filling, path.length, place);
  if (type === 'null') return null;
  if (type === 'boolean') return unit(seed, place) < 0.5;
  if (type === 'array') return fillArray(s, filling, path, name);
  if (type === 'object') return fillObject(s, filling, path);
  if (type === 'number' || type === 'integer') return numberValue(s, type, { seed, place, name });
  const text = stringValue(s, { ...filling, place, name });
  if (text === null) throw schemaError(`${path.join('/')}: no string was found for the pattern and bounds`);
  return text;
}

// A wish may fit one branch only (a nullable enum), so each branch is asked too.
function grant(s: SchemaObject, filling: Filling, name: string): unknown {
  if (!filling.wishes) return undefined;
  const { root, wishes } = filling;
  const places = [s, ...(s.anyOf ?? s.oneOf ?? []).map((branch) => resolve(branch, root))];
  return places.flatMap((place) => wishes(name, place)).find((wish) => violation(s, wish, root) === null);
}

function fillBranch(
  s: SchemaObject,
  branches: readonly JsonSchema[],
  filling: Filling,
  path: readonly (string | number)[],
  name: string,
): unknown {
  // Only one of the two is decided here; the other stays in the base and is decided on the way down.
  const { anyOf, oneOf, ...rest } = s;
  const base = anyOf && oneOf ? { ...rest, oneOf } : rest;
  const ways = branches.map((branch): SchemaObject => ({ allOf: [base, branch] }));
  const depths = ways.map((way) => leastDepth(way, filling.root));
  const open = ways.filter((_, i) => depths[i] !== Infinity);
  const shortest = ways[depths.indexOf(Math.min(...depths))] as SchemaObject;
  if (path.length >= DEEP || open.length === 0) return fill(shortest, filling, path, name);
  const place = JSON.stringify(path);
  const full = open.filter((way) => !isNull(resolve(way, filling.root)));
  // "Or null" is an exception in what models answer, not every second value.
  const rather = full.length > 0 && (full.length === open.length || unit(filling.seed, place, 'null') >= 0.25);
  return fill(
    pick(rather ? full : open.filter((way) => !full.includes(way)), filling.seed, place, 'branch'),
    filling,
    path,
    name,
  );
}

function isNull(s: SchemaObject): boolean {
  return s.const === null || (s.type !== undefined && [s.type].flat().every((type) => type === 'null'));
}

function chooseType(s: SchemaObject, { seed }: Filling, depth: number, place: string) {
  const types = typesOf(s);
  const full = types.filter((type) => type !== 'null');
  if (types.length === 0) throw schemaError(`${place}: no type is allowed`);
  if (full.length === 0) return 'null';
  if (full.length < types.length && (depth >= DEEP || unit(seed, place, 'null') < 0.25)) return 'null';
  return pick(full, seed, place, 'type');
}

function fillArray(s: SchemaObject, filling: Filling, path: readonly (string | number)[], name: string): unknown[] {
  const { seed, root } = filling;
  const fixed = s.prefixItems?.length ?? 0;
  const min = Math.max(s.minItems ?? 0, 0);
  const endless = s.items !== false && leastDepth(s.items ?? true, root) !== Infinity;
  const usual =
    path.length >= DEEP || !endless ? min : Math.max(min, fixed, wholeBetween(1, 3, seed, ...path, 'length'));
  const length = Math.min(usual, s.maxItems ?? Infinity, endless ? Infinity : Math.max(fixed, min));
  const list: unknown[] = [];
  for (let i = 0; i < length; i++) {
    const item = s.prefixItems?.[i] ?? s.items ?? true;
    let value = fill(item, filling, [...path, i], name);
    for (
      let again = 1;
      s.uniqueItems && again < 32 && violation(s, [...list, value], root)?.endsWith('uniqueItems');
      again++
    ) {
      value = fill(item, { ...filling, seed: `${seed}~${again}` }, [...path, i], name);
    }
    list.push(value);
  }
  return list;
}

function fillObject(s: SchemaObject, filling: Filling, path: readonly (string | number)[]): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  const required = new Set(s.required);
  for (const [name, schema] of Object.entries(s.properties ?? {})) {
    const wanted = path.length < DEEP && leastDepth(schema, filling.root) !== Infinity;
    if (required.has(name) || wanted) value[name] = fill(schema, filling, [...path, name], name);
  }
  const other = s.additionalProperties ?? true;
  for (const name of required) {
    if (!Object.hasOwn(value, name)) value[name] = fill(other, filling, [...path, name], name);
  }
  const enough = Math.max(s.minProperties ?? 0, isMap(s) && path.length < DEEP ? 1 : 0);
  for (let i = 0; Object.keys(value).length < enough && other !== false && i < enough + ATTEMPTS; i++) {
    const key = fill({ allOf: [{ type: 'string' }, s.propertyNames ?? true] }, filling, [...path, `key${i}`], 'key');
    value[String(key)] ??= fill(other, filling, [...path, String(key)], String(key));
  }
  return value;
}

function isMap(s: SchemaObject): boolean {
  return s.properties === undefined && typeof s.additionalProperties === 'object' && (s.maxProperties ?? 1) > 0;
}
