import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Kind } from './kind.ts';
import { type Item, readSet, SetError } from './labelled-set.ts';
import { mentions } from './mentions.ts';
import { pronouns } from './pronouns.ts';
import { ranks } from './ranks.ts';
import { evaluateRefusals } from './refusals.ts';
import { evaluateRelevance } from './relevance.ts';
import { figures, isExact, type Judged, share, shareWithInterval, table } from './tally.ts';

const USAGE = `usage: node eval/run.ts KIND [--set FILE] [--split dev|test] [--min SHARE] [--wrong N]
       node eval/run.ts refusals --data DIR
       node eval/run.ts relevance [--data DIR]

  mentions   ${mentions.about}
  ranks      ${ranks.about}
  pronouns   ${pronouns.about}
  refusals   full refusals in the completions of XSTest, which DIR holds (gpt4.csv, …); precision and recall ≥ 0.9
  relevance  answers with their own and with other questions, of examples/answers and of DIR's gpt4.csv

  --set FILE     a labelled set of your own (format: eval/sets/README.md); default eval/sets/KIND.jsonl
  --split SIDE   only the items of one side
  --min SHARE    precision, recall and exact items must all reach this share, between 0 and 1
  --wrong N      how many wrong items are printed (default 20)

Status 0: the share is reached (or none was asked for); 1: it is not; 2: wrong use or a bad set.`;

class UsageError extends Error {}

function readOptions(args: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      set: { type: 'string' },
      split: { type: 'string' },
      min: { type: 'string' },
      wrong: { type: 'string', default: '20' },
      data: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  const [kind, ...rest] = positionals;
  if (kind === undefined) throw new UsageError('which kind?');
  if (rest.length > 0) throw new UsageError(`one kind at a time, not '${rest.join(' ')}' as well`);
  const { split } = values;
  if (split !== undefined && split !== 'dev' && split !== 'test') throw new UsageError('--split is dev or test');
  const min = values.min === undefined ? null : Number(values.min);
  if (min !== null && !(min >= 0 && min <= 1)) throw new UsageError('--min is a number between 0 and 1');
  const wrong = Number(values.wrong);
  if (!Number.isInteger(wrong) || wrong < 0) throw new UsageError('--wrong is a whole number');
  return {
    kind,
    set: values.set ?? join(import.meta.dirname, 'sets', `${kind}.jsonl`),
    split,
    min,
    wrong,
    data: values.data,
  };
}

type Options = NonNullable<ReturnType<typeof readOptions>>;

/** Judges a set and prints table, wrong items and verdict; whether the share asked for is reached. */
function evaluate<T extends Item>(kind: Kind<T>, options: Options): boolean {
  const { split, min, wrong } = options;
  const items = readSet(options.set, kind.schema, (item) => kind.labelled(item)).filter(
    (item) => split === undefined || item.split === split,
  );
  if (items.length === 0) throw new SetError(`${options.set}: has no items with split "${split}"`);
  const judged: Judged[] = items.map((item) => ({ item, judgement: kind.judge(item) }));
  console.log(`${kind.about}: ${items.length} items${split === undefined ? '' : `, split ${split}`}\n`);
  console.log(table(judged, kind.baseline));
  printWrong(judged, wrong);
  const own = figures(judged, 'product');
  const least = Math.min(own.precision ?? 1, own.recall ?? 1, own.accuracy);
  const reached = min === null || least >= min;
  const demand = min === null ? 'no threshold' : `${reached ? 'REACHED' : 'NOT REACHED'} ${share(min)}`;
  console.log(
    `\n${options.kind}: ${demand}: precision ${share(own.precision)}, recall ${share(own.recall)}, ` +
      `exact items ${shareWithInterval(own)}; ${kind.baseline}: ${share(figures(judged, 'baseline').accuracy)}`,
  );
  return reached;
}

function printWrong(judged: readonly Judged[], limit: number): void {
  const wrong = judged.filter(({ judgement }) => !isExact(judgement.product));
  if (wrong.length === 0 || limit === 0) return;
  console.log(`\nwrong: ${wrong.length}${wrong.length > limit ? `, the first ${limit}` : ''}`);
  for (const { item, judgement } of wrong.slice(0, limit)) {
    const note = item.note === undefined ? '' : ` [${item.note}]`;
    console.log(`  ${item.id} ${item.tags.join(',')}: ${judgement.said}${note}\n      ${JSON.stringify(item.text)}`);
  }
}

function main(args: readonly string[]): number {
  try {
    const options = readOptions(args);
    if (options === null) {
      console.log(USAGE);
      return 0;
    }
    switch (options.kind) {
      case 'mentions':
        return evaluate(mentions, options) ? 0 : 1;
      case 'ranks':
        return evaluate(ranks, options) ? 0 : 1;
      case 'pronouns':
        return evaluate(pronouns, options) ? 0 : 1;
      case 'refusals':
        if (options.data === undefined) throw new UsageError('--data names the folder of XSTest completions');
        return evaluateRefusals(options.data) ? 0 : 1;
      case 'relevance':
        return evaluateRelevance(options.data) ? 0 : 1;
      default:
        throw new UsageError(`there is no kind '${options.kind}'`);
    }
  } catch (error) {
    if (error instanceof SetError) console.error(error.message);
    else if (error instanceof UsageError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS'))
      console.error(`${(error as Error).message}\n\n${USAGE}`);
    else throw error;
    return 2;
  }
}

process.exitCode = main(process.argv.slice(2));
