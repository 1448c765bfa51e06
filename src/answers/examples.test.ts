import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { noBrands, parseBrands, withTaskAliases } from './brands.ts';
import { type CleanInput, cleanAnswer } from './clean-answer.ts';
import { compileBrands } from './compile-brands.ts';

// The labels were written by hand, before the code that they judge.
const folder = new URL('../../examples/answers/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');
const lines = <T>(name: string): T[] =>
  read(name)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as T);

type Task = CleanInput & { clean_task_id: string; brand_name?: string | null; brand_aliases?: string[] };
type Label = Record<string, unknown> & { clean_task_id: string; brand_name: string };

/** The columns of `clean_result` that this test holds; `examples/check.mjs` compares everything that is labelled. */
const COLUMNS = [
  'is_valid',
  'invalid_reason',
  'is_mentioned',
  'mention_count',
  'is_recommended',
  'recommendation_rank',
  'has_citation',
] as const;

const brands = parseBrands(parse(read('brands.yaml')));
const tasks = new Map(lines<Task>('answers.jsonl').map((task) => [task.clean_task_id, task]));
const labels = lines<Label>('expected.jsonl');

function clean(task: Task, table: typeof brands): Map<string, Record<string, unknown>> {
  const name = task.brand_name ?? null;
  const own = name === null ? table : withTaskAliases(table, name, task.brand_aliases ?? []);
  const { validity, results } = cleanAnswer({ ...task, brand_name: name }, compileBrands(own));
  const head = { is_valid: validity.valid, invalid_reason: validity.reason };
  return new Map(results.map((result) => [result.brand_name, { ...head, ...result }]));
}

/** `*` labels every brand of a brandless task that has no line of its own. */
function differs({ clean_task_id, brand_name, ...expected }: Label): boolean {
  const cleaned = clean(tasks.get(clean_task_id)!, brands);
  const named = labels.filter((label) => label.clean_task_id === clean_task_id).map((label) => label.brand_name);
  const found =
    brand_name === '*'
      ? [...cleaned].filter(([name]) => !named.includes(name))
      : [...cleaned].filter(([name]) => name === brand_name);
  if (!found.length) return true;
  return found.some(([, result]) =>
    COLUMNS.some((column) => column in expected && result[column] !== expected[column]),
  );
}

test('every example answer is cleaned as it was labelled by hand', () => {
  expect(tasks.size).toBeGreaterThanOrEqual(80);
  expect(new Set(labels.map((label) => label.clean_task_id))).toEqual(new Set(tasks.keys()));
  const different = new Set(labels.filter(differs).map((label) => label.clean_task_id));
  expect([...different]).toEqual([]);
});

test("without configured brands the task's own aliases are all there is", () => {
  const [first] = labels;
  const result = clean(tasks.get(first!.clean_task_id)!, noBrands).get(first!.brand_name);
  expect(COLUMNS.map((column) => result?.[column])).toEqual(COLUMNS.map((column) => first![column]));
});
