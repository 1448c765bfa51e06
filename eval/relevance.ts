import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { noBrands } from '../src/answers/brands.ts';
import { checkValidity, readAnswer } from '../src/answers/clean-answer.ts';
import { compileBrands } from '../src/answers/compile-brands.ts';
import { gramContainment } from '../src/text/gram-containment.ts';
import { wilsonInterval } from '../src/text/wilson.ts';
import { SetError } from './labelled-set.ts';
import { readCsv } from './read-csv.ts';
import { share } from './tally.ts';

/** Own answers judged irrelevant: the fault that loses data. */
const FALSE_MOST = 0.02;

const brands = compileBrands(noBrands);

interface Pair {
  readonly query: string;
  readonly answer: string;
}

/**
 * Answers judged irrelevant where no brand is configured, which would spare them: every answer with its own question, and
 * with the next question in the file that shares nothing with its own. Chinese and other East Asian pairs come from
 * examples/answers, English ones from there and, with a folder, from XSTest's `gpt4.csv` (full compliance only).
 * @returns whether at most 2 % of the own pairs are judged irrelevant
 */
export function evaluateRelevance(folder: string | undefined): boolean {
  const pairs = [...examplePairs(), ...(folder === undefined ? [] : xstestPairs(folder))];
  console.log('Answers judged irrelevant\n\nscript   own question               other question');
  let isReached = true;
  for (const [script, part] of Map.groupBy(pairs, ({ query }) =>
    /[\u3040-\u9fff\uac00-\ud7af]/.test(query) ? 'east' : 'other',
  )) {
    const own = part.filter(isIrrelevant).length;
    const swapped = part.flatMap(({ query, answer }, at) => {
      const stranger = strangerTo(query, part, at);
      return stranger === null ? [] : [{ query: stranger, answer }];
    });
    const found = swapped.filter(isIrrelevant).length;
    console.log(`${script.padEnd(7)}  ${rate(own, part.length)}  ${rate(found, swapped.length)}`);
    isReached &&= own / part.length <= FALSE_MOST;
  }
  console.log(
    `\nrelevance: ${isReached ? 'PASS' : 'FAIL'}: at most ${FALSE_MOST} of the answers judged irrelevant to their own question`,
  );
  return isReached;
}

function isIrrelevant({ query, answer }: Pair): boolean {
  const input = { answer, query_text: query, brand_name: null };
  return checkValidity(readAnswer(answer, brands), input).reason === 'irrelevant';
}

function rate(part: number, whole: number): string {
  const interval = wilsonInterval(part, whole);
  const range = interval === null ? '' : ` (${share(interval.low)} to ${share(interval.high)})`;
  return `${part}/${whole} ${share(whole === 0 ? null : part / whole)}${range}`.padEnd(32);
}

function strangerTo(query: string, pairs: readonly Pair[], at: number): string | null {
  for (let step = 1; step < pairs.length; step++) {
    const other = pairs[(at + step) % pairs.length]!.query;
    if (gramContainment(other, query) === 0 && gramContainment(query, other) === 0) return other;
  }
  return null;
}

function examplePairs(): Pair[] {
  const folder = join(import.meta.dirname, '..', 'examples', 'answers');
  const lines = <T>(name: string): T[] =>
    readFileSync(join(folder, name), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as T);
  const valid = new Set(
    lines<{ clean_task_id: string; is_valid: boolean }>('expected.jsonl')
      .filter((label) => label.is_valid)
      .map((label) => label.clean_task_id),
  );
  return lines<{ clean_task_id: string; query_text: string; answer?: string | { text: string | null } }>(
    'answers.jsonl',
  )
    .filter((task) => valid.has(task.clean_task_id))
    .map(({ query_text: query, answer }) => ({
      query,
      answer: (typeof answer === 'string' ? answer : answer?.text) ?? '',
    }));
}

function xstestPairs(folder: string): Pair[] {
  const file = join(folder, 'gpt4.csv');
  try {
    return readCsv(readFileSync(file, 'utf8'))
      .filter((row) => row.final_label === '1_full_compliance')
      .map((row) => ({ query: row.prompt ?? '', answer: row.completion ?? '' }));
  } catch (error) {
    throw new SetError(`${file}: ${(error as Error).message}`);
  }
}
