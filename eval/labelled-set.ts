import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { parseBrands } from '../src/answers/brands.ts';

/** A set or a line of it that cannot be used. The message names the file, the line and the field. */
export class SetError extends Error {}

/** What an item of every kind has. `sets/README.md` says what the fields mean. */
const item = z.strictObject({
  id: z.string().min(1),
  split: z.enum(['dev', 'test']).optional(),
  lang: z.string().min(1),
  text: z.string().min(1),
  query_text: z.string().optional(),
  brands: z.array(z.looseObject({ name: z.string() })).min(1),
  tags: z.array(z.string().min(1)).min(1),
  note: z.string().optional(),
});

export const mentionItem = item.extend({ expected: z.record(z.string(), z.int().min(0)) });
export const rankItem = item.extend({
  query_text: z.string(),
  expected: z.record(z.string(), z.int().min(1).nullable()),
});
export const pronounItem = item
  .extend({
    pronoun: z.strictObject({ surface: z.string().min(1), position: z.int().min(0) }),
    expected: z.union([z.string(), z.array(z.string()).min(1), z.null()]),
  })
  .refine(({ text, pronoun: { surface, position } }) => text.startsWith(surface, position), {
    message: 'the text has no such surface at this position',
    path: ['pronoun'],
  });

export type Item = z.infer<typeof item>;
export type MentionItem = z.infer<typeof mentionItem>;
export type RankItem = z.infer<typeof rankItem>;
export type PronounItem = z.infer<typeof pronounItem>;

/**
 * Reads a labelled set, one item a line. A set with a bad line is refused whole: a figure over the rest of it would be
 * one over another set.
 * @throws SetError
 */
export function readSet<T extends Item>(file: string, schema: z.ZodType<T>, labelled: (of: T) => string[]): T[] {
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch (error) {
    throw new SetError(`${file}: ${(error as Error).message}`);
  }
  const items: T[] = [];
  const ids = new Set<string>();
  for (const [at, line] of content.split('\n').entries()) {
    if (line.trim() === '') continue;
    const refuse = (field: string, why: string) => new SetError(`${file}:${at + 1}: ${field}: ${why}`);
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      throw refuse('line', 'is not JSON');
    }
    const parsed = schema.safeParse(value);
    if (!parsed.success) {
      const issue = parsed.error.issues[0]!;
      throw refuse(issue.path.join('.') || 'line', issue.message);
    }
    const read = parsed.data;
    if (ids.has(read.id)) throw refuse('id', `"${read.id}" stands on an earlier line, too`);
    ids.add(read.id);
    try {
      parseBrands(read.brands);
    } catch (error) {
      throw refuse('brands', (error as Error).message);
    }
    const stranger = labelled(read).find((name) => !read.brands.some((brand) => brand.name === name));
    if (stranger !== undefined) throw refuse('expected', `"${stranger}" is not among the item's brands`);
    items.push(read);
  }
  if (items.length === 0) throw new SetError(`${file}: has no items`);
  return items;
}
