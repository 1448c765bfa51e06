import { createReadStream, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { Command } from 'commander';
import { parse } from 'yaml';
import { CodedError } from '../errors/coded-error.ts';
import { EXIT } from './exit-status.ts';
import { complain, printLine, printTable, wantsJson } from './output.ts';
import { openStation, type Station } from './station.ts';

/** Tasks handed in at once; results are printed in the order of the input, page by page. */
const PAGE = 500;

interface CleanOptions {
  readonly brands?: string;
  readonly data?: string;
  readonly server?: string;
  readonly json?: boolean;
}

interface TaskLine {
  readonly line: number;
  readonly task: Record<string, unknown>;
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
  const brands = options.brands === undefined ? null : readBrandsFile(options.brands);
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
  let page: TaskLine[] = [];
  const flush = async () => {
    const { lines, failures } = await cleanPage(station, file, page);
    failed += failures;
    shown += lines.length;
    if (wantsJson(options)) for (const one of lines) printLine(one);
    else showTable(lines, shown === lines.length);
    page = [];
  };
  for await (const one of readTasks(file, () => {
    failed += 1;
  })) {
    page.push(one);
    if (page.length >= PAGE) await flush();
  }
  if (page.length) await flush();
  if (!shown && !failed) complain(`${file}: no tasks`);
  return failed;
}

/** Throws CodedError `answers.brands_invalid`. */
function readBrandsFile(path: string): unknown[] {
  try {
    const content = parse(readFileSync(path, 'utf8')) as { brands?: unknown } | null;
    if (Array.isArray(content?.brands)) return content.brands;
  } catch (cause) {
    throw new CodedError('cli.unreadable', 'permanent', `${path}: ${(cause as Error).message}`, { cause });
  }
  throw new CodedError('answers.brands_invalid', 'permanent', `${path}: expected a list under 'brands'`);
}

async function* readTasks(file: string, onBad: () => void): AsyncGenerator<TaskLine> {
  const input = file === '-' ? process.stdin : createReadStream(file);
  const opened = new Promise<void>((resolve, reject) => {
    if (file === '-') resolve();
    input.once('error', (cause: Error) =>
      reject(new CodedError('cli.unreadable', 'permanent', `${file}: ${cause.message}`, { cause })),
    );
    input.once('open', () => resolve());
  });
  await opened;
  let line = 0;
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    line += 1;
    const content = line === 1 ? text.replace(/^\ufeff/, '') : text;
    if (!content.trim()) continue;
    try {
      const task: unknown = JSON.parse(content);
      if (task === null || typeof task !== 'object' || Array.isArray(task)) throw new Error('expected an object');
      yield { line, task: task as Record<string, unknown> };
    } catch (error) {
      complain(`${file}:${line}: not a task: ${(error as Error).message}`);
      onBad();
    }
  }
}

type Line = Record<string, unknown> & { clean_task_id: string };

/** Hands a page of tasks in, waits until each has its results, and returns them in the order of the input. */
async function cleanPage(
  station: Station,
  file: string,
  page: readonly TaskLine[],
): Promise<{ lines: Line[]; failures: number }> {
  const { rejected } = await station.api<{
    rejected: { index: number; error: { message: string; detail: { field?: string } } }[];
  }>(
    'POST',
    '/answers/clean-tasks',
    page.map(({ task }) => task),
  );
  for (const { index, error } of rejected) complain(`${file}:${page[index]!.line}: ${error.message}`);
  const bad = new Set(rejected.map(({ index }) => index));
  const ids = [...new Set(page.flatMap(({ task }, index) => (bad.has(index) ? [] : [String(task.clean_task_id)])))];
  const lines = await waitForResults(station, ids);
  const failures = rejected.length + lines.filter((one) => one.clean_state === 'failed').length;
  return { lines, failures };
}

async function waitForResults(station: Station, ids: readonly string[]): Promise<Line[]> {
  const found = new Map<string, Line[]>();
  for (let pause = 10; ; pause = Math.min(500, pause * 1.5)) {
    const missing = ids.filter((id) => !found.has(id));
    if (!missing.length) break;
    for (const chunk of chunksOf(missing, 100)) {
      for (const id of await finished(station, chunk)) found.set(id, []);
    }
    if (ids.some((id) => !found.has(id))) await wait(pause);
  }
  for (const chunk of chunksOf(ids, 100)) {
    for (const one of await resultsOf(station, chunk)) found.get(one.clean_task_id)?.push(one);
  }
  return ids.flatMap((id) => found.get(id) ?? []);
}

async function finished(station: Station, ids: readonly string[]): Promise<string[]> {
  const query = ids.map((id) => `clean_task_id=${encodeURIComponent(id)}`).join('&');
  const { items } = await station.api<{ items: { clean_task_id: string; terminal: boolean }[] }>(
    'GET',
    `/answers/samples?${query}`,
  );
  return items.filter((one) => one.terminal).map((one) => one.clean_task_id);
}

async function resultsOf(station: Station, ids: readonly string[]): Promise<Line[]> {
  const query = ids.map((id) => `clean_task_id=${encodeURIComponent(id)}`).join('&');
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

function* chunksOf<T>(list: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < list.length; at += size) yield list.slice(at, at + size);
}

const mark = (value: unknown): string => (value === true ? 'yes' : value === false ? 'no' : '–');

function showTable(lines: readonly Line[], first: boolean): void {
  const head = first ? ['task', 'brand', 'valid', 'why not', 'mentions', 'recommended', 'rank', 'cited', 'state'] : [];
  printTable(
    head,
    lines.map((one) => [
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
