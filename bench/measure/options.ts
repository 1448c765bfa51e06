import { parseArgs } from 'node:util';

/** What a person may change about a run. Unset: the benchmark's own size. */
export interface Options {
  /** A short run, to see that all of it works; its verdict counts for little. */
  readonly quick: boolean;
  /** Show where our time goes, statement by statement. */
  readonly profile: boolean;
  readonly repetitions: number;
  readonly items: number | undefined;
  readonly rows: number | undefined;
}

export const USAGE = `  --quick           few items, one repetition
  --repetitions N   alternations of A and B (3)
  --items N         items a repetition
  --rows N          rows to load first (finished, dispatch)
  --profile         print milliseconds a statement (stages, queue, clean)`;

/** Throws a plain Error for an option that does not exist or is no number. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
      repetitions: { type: 'string' },
      items: { type: 'string' },
      rows: { type: 'string' },
    },
  });
  const { quick, profile } = values;
  return {
    quick,
    profile,
    repetitions: count('repetitions', values.repetitions) ?? (quick ? 1 : 3),
    items: count('items', values.items),
    rows: count('rows', values.rows),
  };
}

function count(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text.replaceAll('_', ''));
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} takes a number from 1, not '${text}'`);
  return value;
}
