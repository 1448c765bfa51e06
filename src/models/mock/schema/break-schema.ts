import { pick } from '../random.ts';
import type { JsonSchema } from './json-schema.ts';
import { resolve } from './json-schema.ts';
import { violation } from './violation.ts';

/**
 * Valid JSON that breaks a schema, made from a value that satisfies it: a property missing, of another type or outside
 * its enum, or another shape altogether; which of them is a matter of the seed. A schema that allows everything cannot
 * be broken: it gets an object nobody asked for.
 */
export function breakSchema(schema: JsonSchema, good: unknown, seed: string): unknown {
  const broken = candidates(schema, good).filter((value) => violation(schema, value) !== null);
  return broken.length === 0 ? { unexpected: true } : pick(broken, seed, 'wrong_schema');
}

function candidates(schema: JsonSchema, good: unknown): unknown[] {
  const shapes = [{ unexpected: true }, [good], 'unexpected', null, 42];
  if (typeof good !== 'object' || good === null || Array.isArray(good)) return shapes;
  const object = good as Record<string, unknown>;
  const required = resolve(schema, schema).required ?? [];
  const missing = required.map((name) => Object.fromEntries(Object.entries(object).filter(([key]) => key !== name)));
  const wrong = Object.keys(object).map((name) => ({ ...object, [name]: otherType(object[name]) }));
  const outside = Object.keys(object)
    .filter((name) => typeof object[name] === 'string')
    .map((name) => ({ ...object, [name]: 'not_in_the_schema' }));
  // Near misses first: they are what a reader that is not strict lets through.
  const near = [...missing, ...wrong, ...outside];
  return near.some((value) => violation(schema, value) !== null) ? near : shapes;
}

function otherType(value: unknown): unknown {
  if (typeof value === 'string') return { value };
  if (typeof value === 'number') return `about ${value}`;
  return typeof value === 'boolean' ? 'perhaps' : 7;
}
