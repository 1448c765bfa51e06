import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Command } from 'commander';
import { EXIT } from './exit-status.ts';
import { complain, printLine, printTable, wantsJson } from './output.ts';
import { readTypesFile } from './read-types-file.ts';
import { DEFAULT_FOLDER } from './start.ts';
import { openStation, type Station } from './station.ts';

interface Common {
  readonly data: string;
  readonly server?: string;
  readonly json?: boolean;
}

export interface DocumentLine {
  readonly id: string;
  readonly file: string;
  readonly state: string;
  readonly type: string | null;
  readonly confidence: number | null;
  readonly by: string | null;
  readonly review_reasons: readonly string[];
  readonly stale: boolean;
}

interface Shown extends DocumentLine {
  readonly revision: number;
  readonly fields: Readonly<
    Record<
      string,
      { value: unknown; currency?: string | null; source: string; page: number | null; evidence: string | null }
    >
  >;
  readonly error: { code: string; message: string } | null;
}

interface Taken {
  readonly file: string;
  readonly outcome: 'stored' | 'known' | 'refused';
  readonly id: string | null;
  readonly error: { code: string; message: string } | null;
}

const POLL_MS = 300;
/** A server takes no more bytes of one upload; larger lists of files go in several. */
const BATCH_BYTES = 60 * 2 ** 20;
const BATCH_FILES = 50;

export function documentsCommand(): Command {
  const command = new Command('documents').description('documents that are kept: in, and what became of them');
  command.addCommand(
    connected(new Command('add').description('take files in; one result a file'))
      .argument('<file...>')
      .option('--types <file>', 'publish these types first (types.yaml)')
      .option('--wait', 'stay until each rests, and show what came of it')
      .action((files: string[], options: Common & { types?: string; wait?: boolean }) =>
        ask(
          options,
          async (station) => {
            if (options.types !== undefined) await putTypes(station, options.types);
            const taken = await add(station, files);
            for (const one of taken) tell(options, one);
            if (options.wait) await follow(station, taken, options);
            if (taken.some(({ outcome }) => outcome === 'refused')) process.exitCode = EXIT.someFailed;
          },
          options.wait ?? false,
        ),
      ),
  );
  command.addCommand(
    connected(new Command('list').description('documents that are not deleted'))
      .option('--state <state>', 'ready, in_review, rejected, failed, …')
      .option('--type <code>', 'of this type')
      .option('--stale', 'made by an older version of the types')
      .action((options: Common & { state?: string; type?: string; stale?: boolean }) =>
        ask(options, async (station) => {
          const lines: DocumentLine[] = [];
          for await (const line of everyLine(station, options)) {
            if (wantsJson(options)) printLine(line);
            else lines.push(line);
          }
          if (!wantsJson(options)) showList(lines);
        }),
      ),
  );
  command.addCommand(
    connected(new Command('show').description('one document with its fields'))
      .argument('<id>')
      .action((id: string, options: Common) =>
        ask(options, async (station) => {
          const document = await station.api<Shown>('GET', `/documents/${encodeURIComponent(id)}`);
          if (wantsJson(options)) printLine(document);
          else show(document);
        }),
      ),
  );
  command.addCommand(
    connected(new Command('types').description('the types that documents are sorted into; with a file: publish them'))
      .argument('[file]', 'types.yaml')
      .action((file: string | undefined, options: Common) =>
        ask(options, async (station) => {
          if (file !== undefined) await putTypes(station, file);
          printLine(await station.api('GET', '/documents/types'));
        }),
      ),
  );
  command.addCommand(
    connected(new Command('delete').description('file, texts and values of a document are gone for good'))
      .argument('<id...>')
      .action((ids: string[], options: Common) =>
        ask(options, async (station) => {
          for (const id of ids) printLine(await station.api('DELETE', `/documents/${encodeURIComponent(id)}`));
        }),
      ),
  );
  return command;
}

const connected = (command: Command): Command =>
  command
    .option('--data <dir>', 'data folder', DEFAULT_FOLDER)
    .option('--server <url>', 'ask a running server')
    .option('--json', 'JSON Lines also on a terminal');

async function ask(options: Common, work: (station: Station) => Promise<void>, workers = false): Promise<void> {
  const station = await openStation({ server: options.server, folder: options.data, workers });
  try {
    await work(station);
  } finally {
    await station.close();
  }
}

async function putTypes(station: Station, file: string): Promise<void> {
  await station.api('PUT', '/documents/types', { items: (await readTypesFile(file)).items, note: basename(file) });
}

/** Uploads files, a few at a time. A file that cannot be read is refused by itself. */
export async function add(station: Station, files: readonly string[]): Promise<Taken[]> {
  const { DEFAULT_BUDGETS } = await import('../documents/budgets.ts');
  const taken: Taken[] = [];
  let batch: { name: string; bytes: Uint8Array<ArrayBuffer> }[] = [];
  const send = async () => {
    if (!batch.length) return;
    const { items } = await station.upload<{ items: Taken[] }>('/documents', batch);
    taken.push(...items);
    batch = [];
  };
  for (const file of files) {
    try {
      const bytes = readCapped(file, DEFAULT_BUDGETS.bytes + 1);
      const size = batch.reduce((sum, one) => sum + one.bytes.length, bytes.length);
      if (size > BATCH_BYTES || batch.length === BATCH_FILES) await send();
      batch.push({ name: basename(file), bytes });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
      await send();
      const { message } = error as Error;
      taken.push({ file, outcome: 'refused', id: null, error: { code: 'cli.unreadable', message } });
    }
  }
  await send();
  return taken;
}

/** A file, or as much of it as is enough to know that it is too large. */
function readCapped(path: string, most: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Math.min(statSync(path).size, most));
  const handle = openSync(path, 'r');
  try {
    for (let at = 0; at < bytes.length; ) {
      const read = readSync(handle, bytes, at, bytes.length - at, at);
      if (!read) return bytes.slice(0, at);
      at += read;
    }
    return bytes;
  } finally {
    closeSync(handle);
  }
}

function tell(options: Common, { file, outcome, id, error }: Taken): void {
  if (wantsJson(options)) printLine({ file, outcome, id, error });
  else process.stdout.write(`${file}: ${outcome} ${id ?? ''}\n`);
  if (error) complain(`${file}: ${error.message} (${error.code})`);
}

/** Where nothing more happens by itself. */
export const RESTING = new Set(['ready', 'in_review', 'rejected', 'failed']);

async function follow(station: Station, taken: readonly Taken[], options: Common): Promise<void> {
  for (const { id } of taken) {
    if (id === null) continue;
    for (;;) {
      const document = await station.api<Shown>('GET', `/documents/${id}`);
      if (RESTING.has(document.state)) {
        if (wantsJson(options)) printLine(document);
        else show(document);
        break;
      }
      await wait(POLL_MS);
    }
  }
}

async function* everyLine(
  station: Station,
  { state, type, stale }: { state?: string; type?: string; stale?: boolean },
): AsyncGenerator<DocumentLine> {
  const query = new URLSearchParams({
    ...(state === undefined ? {} : { state }),
    ...(type === undefined ? {} : { type }),
    ...(stale ? { stale: 'true' } : {}),
    limit: '500',
  });
  for (;;) {
    const page = await station.api<{ items: DocumentLine[]; next_cursor: string | null }>('GET', `/documents?${query}`);
    yield* page.items;
    if (page.next_cursor === null) return;
    query.set('cursor', page.next_cursor);
  }
}

export function showList(lines: readonly DocumentLine[]): void {
  printTable(
    ['id', 'file', 'state', 'type', 'sure', 'by', 'waits for'],
    lines.map(({ id, file, state, type, confidence, by, review_reasons, stale }) => [
      ...[id, file, state, stale ? `${type} (stale)` : type, confidence, by, review_reasons.join(', ')],
    ]),
  );
}

function show({ file, state, type, confidence, review_reasons, fields, error }: Shown): void {
  const why = error
    ? `: ${error.message} (${error.code})`
    : review_reasons.length
      ? `: ${review_reasons.join(', ')}`
      : '';
  printTable(
    ['field', 'value', 'from', 'page', 'evidence'],
    Object.entries(fields).map(([code, { value, currency, source, page, evidence }]) => [
      code,
      currency ? `${value} ${currency}` : Array.isArray(value) ? value.join(', ') : value,
      ...[source, page, evidence],
    ]),
    `${file}: ${type ?? 'no type'}${confidence === null ? '' : ` (${confidence})`}, ${state}${why}`,
  );
}
