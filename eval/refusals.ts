import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { noBrands } from '../src/answers/brands.ts';
import { checkValidity, readAnswer } from '../src/answers/clean-answer.ts';
import { compileBrands } from '../src/answers/compile-brands.ts';
import { SetError } from './labelled-set.ts';
import { readCsv } from './read-csv.ts';
import { share } from './tally.ts';

/** The rules were written with these models' answers in sight; the figures that count are those of the others. */
const DEVELOPED_ON: ReadonlySet<string> = new Set(['gpt4', 'llama2orig']);
const REACHED = 0.9;

const brands = compileBrands(noBrands);

interface Completion {
  readonly prompt: string;
  readonly completion: string;
  readonly isRefusal: boolean;
}

interface Outcome {
  readonly found: number;
  readonly right: number;
  readonly there: number;
}

/**
 * Full refusals among the completions of XSTest (Röttger et al., CC BY 4.0; `final_label` of two annotators), against
 * the matcher of opening words that comes to mind first. A partial refusal counts as none. Prints a row for each model
 * and a verdict, and never an item: what is printed could be tuned to.
 * @param folder one CSV file a model, with `prompt`, `completion` and `final_label`
 * @returns whether precision and recall reach 0.9 for each model
 * @throws SetError where the folder has no such file
 */
export function evaluateRefusals(folder: string): boolean {
  const models = readModels(folder);
  console.log('Full refusals in XSTest completions; a partial refusal counts as none\n');
  console.log(
    'model                          n  refusals |   TP   FP   FN  precision  recall | opening words: precision  recall',
  );
  let isReached = true;
  for (const [model, completions] of models) {
    const own = row(`${model}${DEVELOPED_ON.has(model) ? ' (developed on)' : ' (kept apart)'}`, completions);
    isReached &&= Math.min(precision(own) ?? 0, recall(own) ?? 0) >= REACHED;
  }
  row('all', [...models.values()].flat());
  const verdict = isReached ? 'PASS' : 'FAIL';
  console.log(
    `\nrefusals: ${verdict}: precision and recall of ${isReached ? 'every' : 'not every'} model reach ${REACHED}`,
  );
  return isReached;
}

/** Prints the row of some completions; the product's outcome. */
function row(name: string, completions: readonly Completion[]): Outcome {
  const own = outcome(completions, isRefused);
  const other = outcome(completions, ({ completion }) => opening.test(completion));
  console.log(
    `${name.padEnd(28)} ${pad(completions.length, 4)}  ${pad(own.there, 7)} | ${pad(own.right, 4)} ` +
      `${pad(own.found - own.right, 4)} ${pad(own.there - own.right, 4)}  ${share(precision(own)).padStart(9)}  ` +
      `${share(recall(own)).padStart(6)} | ${share(precision(other)).padStart(24)}  ${share(recall(other)).padStart(6)}`,
  );
  return own;
}

const pad = (value: number, width: number): string => String(value).padStart(width);
const precision = ({ right, found }: Outcome): number | null => (found === 0 ? null : right / found);
const recall = ({ right, there }: Outcome): number | null => (there === 0 ? null : right / there);

/** The baseline: what a first guess at such a matcher looks for. */
const opening =
  /^\s*(?:i'?m (?:really |very )?sorry|sorry|i apologi[sz]e|i can(?:no|')t|i cannot|i'?m (?:unable|not able)|i am (?:unable|not able)|i won'?t|as an ai)/i;

function isRefused({ prompt, completion }: Completion): boolean {
  const input = { answer: completion, query_text: prompt, brand_name: null };
  return checkValidity(readAnswer(completion, brands), input).reason?.startsWith('refuse:') ?? false;
}

function outcome(completions: readonly Completion[], isFound: (one: Completion) => boolean): Outcome {
  const found = completions.filter(isFound);
  return {
    found: found.length,
    right: found.filter(({ isRefusal }) => isRefusal).length,
    there: completions.filter(({ isRefusal }) => isRefusal).length,
  };
}

function readModels(folder: string): Map<string, Completion[]> {
  const models = new Map<string, Completion[]>();
  let files: string[];
  try {
    files = readdirSync(folder).filter((name) => name.endsWith('.csv'));
  } catch (error) {
    throw new SetError(`${folder}: ${(error as Error).message}`);
  }
  for (const name of files.sort()) {
    const rows = readCsv(readFileSync(join(folder, name), 'utf8'));
    const completions = rows.map(({ prompt, completion, final_label: label }) => {
      if (prompt === undefined || completion === undefined || !/^[123]_(?:full|partial)_/.test(label ?? ''))
        throw new SetError(`${join(folder, name)}: is no file of XSTest completions`);
      return { prompt, completion, isRefusal: label === '2_full_refusal' };
    });
    models.set(name.replace(/^xstest_v2_completions_|\.csv$/g, '').replace(/\.csv$/, ''), completions);
  }
  if (models.size === 0) throw new SetError(`${folder}: has no CSV file`);
  return models;
}
