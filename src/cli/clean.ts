import { setTimeout as wait } from 'node:timers/promises';
import { Command } from 'commander';
import { CodedError } from '../errors/coded-error.ts';
import { EXIT } from './exit-status.ts';
import { complain, printLine, printTable, wantsJson } from './output.ts';
import { readBrandsFile } from './read-brands-file.ts';
import { readTasks, refuseUnreadable, type TaskLine } from './read-tasks.ts';
import { openStation, type Station } from './station.ts';

/** Tasks handed in at once; results are printed in the order of the input, page by page. */
const PAGE = 500;
/** A page ends sooner at so many characters, six bytes each at the most: the server takes 32 MiB at once. */
const PAGE_CHARACTERS = 4_000_000;

interface CleanOptions {
  readonly brands?: string;
  readonly data?: string;
  readonly server?: string;
  readonly json?: boolean;
}

export function cleanCommand(): Command {
  return new Command('clean')
    .description('run the cleaning pipeline over answers, one result a line')
    .argument('<file>', 'cleaning tasks as JSON Lines; - reads standard input')
    .option('--brands <file>', 'brands.yaml; without it the aliases of each task are all there is')
    .option('--data <dir>', 'keep everything in this data folder; without it nothing is kept')
    .option('--server <url>', 'let a running server do it (its key in SIGNALBOX_API_KEY)')
    .option('--json', 'JSON Lines also on a terminal')
    .action(async (file: string, options: CleanOptions) => {
      process.exitCode = await clean(file, options);
    });
}

async function clean(file: string, options: CleanOptions): Promise<number> {
  refuseUnreadable(file);
  const brands = options.brands === undefined ? null : await readBrandsFile(options.brands);
  const station = await openStation({ server: options.server, folder: options.data ?? null, workers: true });
  try {
    if (brands) await station.api('PUT', '/answers/brands', { items: brands, note: `from ${options.brands}` });
    return (await cleanTasks(station, file, options)) ? EXIT.someFailed : EXIT.done;
  } finally {
    await station.close();
  }
}

/**
 * Cleans the tasks of a file and prints their results.
 * @returns how many tasks could not be processed
 */
export async function cleanTasks(
  station: Station,
  file: string,
  options: { readonly json?: boolean | undefined },
): Promise<number> {
  let failed = 0;
  let shown = 0;
  let tasks = 0;
  let page: TaskLine[] = [];
  let size = 0;
  const flush = async () => {
    const { lines, failures } = await cleanPage(station, file, page);
    failed += failures;
    tasks += page.length;
    shown += lines.length;
    if (wantsJson(options)) for (const one of lines) printLine(one);
    else showTable(lines, shown === lines.length);
    page = [];
    size = 0;
  };
  for await (const one of readTasks(file, () => {
    failed += 1;
  })) {
    if (size && size + one.size > PAGE_CHARACTERS) await flush();
    page.push(one);
    size += one.size;
    if (page.length >= PAGE) await flush();
  }
  if (page.length) await flush();
  if (!tasks && !failed) complain(`${file}: no tasks`);
  else if (!shown && !failed) complain(`${file}: no brand to measure: name one in the tasks or give --brands`);
  return failed;
}

type Line = Record<string, unknown> & { clean_task_id: string };

/** Hands a page of tasks in, waits until each has its results, and returns them in the order of the input. */
async function cleanPage(
  station: Station,
  file: string,
  page: readonly TaskLine[],
): Promise<{ lines: Line[]; failures: number }> {
  const rejected = await handIn(station, page);
  for (const { index, error } of rejected) complain(`${file}:${page[index]!.line}: ${error.message}`);
  const bad = new Set(rejected.map(({ index }) => index));
  const ids = [...new Set(page.flatMap(({ task }, index) => (bad.has(index) ? [] : [String(task.clean_task_id)])))];
  const lines = await waitForResults(station, ids);
  const failures = rejected.length + lines.filter((one) => one.clean_state === 'failed').length;
  return { lines, failures };
}

interface Rejected {
  readonly index: number;
  readonly error: { readonly message: string };
}

async function handIn(station: Station, page: readonly TaskLine[]): Promise<readonly Rejected[]> {
  const tasks = page.map(({ task }) => task);
  try {
    return (await station.api<{ rejected: Rejected[] }>('POST', '/answers/clean-tasks', tasks)).rejected;
  } catch (error) {
    // One line alone can be more than a server takes: it is the line that is wrong, and the others are good.
    if (page.length === 1 && error instanceof CodedError && error.code === 'request.too_large')
      return [{ index: 0, error }];
    throw error;
  }
}

async function waitForResults(station: Station, ids: readonly string[]): Promise<Line[]> {
  const found = new Map<string, Line[]>();
  for (let pause = 10; ; pause = Math.min(500, pause * 1.5)) {
    const missing = ids.filter((id) => !found.has(id));
    if (!missing.length) break;
    for (const query of queriesOf(missing)) {
      for (const id of await finished(station, query)) found.set(id, []);
    }
    if (ids.some((id) => !found.has(id))) await wait(pause);
  }
  for (const query of queriesOf(ids)) {
    for (const one of await resultsOf(station, query)) found.get(one.clean_task_id)?.push(one);
  }
  return ids.flatMap((id) => found.get(id) ?? []);
}

async function finished(station: Station, query: string): Promise<string[]> {
  const { items } = await station.api<{ items: { clean_task_id: string; terminal: boolean }[] }>(
    'GET',
    `/answers/samples?${query}`,
  );
  return items.filter((one) => one.terminal).map((one) => one.clean_task_id);
}

async function resultsOf(station: Station, query: string): Promise<Line[]> {
  const lines: Line[] = [];
  for (let cursor: string | null = null; ; ) {
    const more: string = cursor === null ? '' : `&cursor=${cursor}`;
    const page: { items: Line[]; next_cursor: string | null } = await station.api(
      'GET',
      `/answers/results?details=true&limit=500&${query}${more}`,
    );
    lines.push(...page.items);
    if (page.next_cursor === null) return lines;
    cursor = page.next_cursor;
  }
}

/** A server reads 16 KiB of a request's head; an id of 64 Chinese characters takes 576 bytes of that. */
const QUERY_CHARACTERS = 6_000;

/** Query strings that together name all the ids. */
function* queriesOf(ids: readonly string[]): Generator<string> {
  let query = '';
  for (const id of ids) {
    const one = `clean_task_id=${encodeURIComponent(id)}`;
    if (query.length + one.length > QUERY_CHARACTERS) {
      yield query;
      query = '';
    }
    query += query ? `&${one}` : one;
  }
  if (query) yield query;
}

const mark = (value: unknown): string => (value === true ? 'yes' : value === false ? 'no' : '–');

/** Of a task that measures every brand, people see the brands that it names; programs get all lines. */
function worthShowing(lines: readonly Line[]): Line[] {
  return [...Map.groupBy(lines, (one) => one.clean_task_id).values()].flatMap((ofTask) => {
    const named = ofTask.filter((one) => Number(one.mention_count) > 0);
    return ofTask.length === 1 || !named.length ? ofTask.slice(0, 1) : named;
  });
}

function showTable(lines: readonly Line[], first: boolean): void {
  const head = first ? ['task', 'brand', 'valid', 'why not', 'mentions', 'recommended', 'rank', 'cited', 'state'] : [];
  printTable(
    head,
    worthShowing(lines).map((one) => [
      one.clean_task_id,
      one.brand_name,
      mark(one.is_valid),
      one.invalid_reason,
      one.mention_count,
      mark(one.is_recommended),
      one.recommendation_rank,
      mark(one.has_citation),
      one.clean_state,
    ]),
  );
}
