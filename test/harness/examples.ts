import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { parseBrands, withTaskAliases } from '../../src/answers/brands.ts';
import { type CleanedAnswer, type CleanInput, cleanAnswer } from '../../src/answers/clean-answer.ts';
import { compileBrands } from '../../src/answers/compile-brands.ts';
import { ROOT } from './cli.ts';

export const EXAMPLES = join(ROOT, 'examples/answers');

export interface ExampleTask extends CleanInput {
  readonly clean_task_id: string;
  readonly brand_aliases?: readonly string[];
}

/** The example tasks with what the steps make of them, called by themselves: no database, no queue, no process. */
export function cleanedExamples(): { readonly task: ExampleTask; readonly cleaned: CleanedAnswer }[] {
  const read = (name: string) => readFileSync(join(EXAMPLES, name), 'utf8');
  const table = parseBrands(parse(read('brands.yaml')));
  return read('answers.jsonl')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const task = { brand_name: null, ...(JSON.parse(line) as Partial<ExampleTask>) } as ExampleTask;
      const own = task.brand_name === null ? table : withTaskAliases(table, task.brand_name, task.brand_aliases ?? []);
      return { task, cleaned: cleanAnswer(task, compileBrands(own)) };
    });
}
