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

type Task = CleanInput & { clean_task_id: string; brand_name: string; brand_aliases: string[] };
interface Label {
  clean_task_id: string;
  flags: string[];
}

const brands = parseBrands(parse(read('brands.yaml')));
const tasks = lines<Task>('answers.jsonl');
const labels = lines<Label>('expected.jsonl');

function label(task: Task, table: typeof brands): Label {
  const { validity, results } = cleanAnswer(
    task,
    compileBrands(withTaskAliases(table, task.brand_name, task.brand_aliases)),
  );
  const [result] = results;
  return {
    clean_task_id: task.clean_task_id,
    is_valid: validity.valid,
    invalid_reason: validity.reason,
    flags: validity.flags,
    is_mentioned: result!.is_mentioned,
    mention_count: result!.mention_count,
    is_recommended: result!.is_recommended,
    recommendation_rank: result!.recommendation_rank,
    has_citation: result!.has_citation,
  } as Label;
}

test('every example answer is cleaned as it was labelled by hand', () => {
  expect(tasks.length).toBeGreaterThanOrEqual(24);
  expect(labels.map((row) => row.clean_task_id)).toEqual(tasks.map((row) => row.clean_task_id));
  expect(tasks.map((task) => label(task, brands))).toEqual(labels);
});

test("without configured brands the task's own aliases are all there is", () => {
  const task = tasks[0]!;
  expect(label(task, noBrands)).toEqual(labels[0]);
});
