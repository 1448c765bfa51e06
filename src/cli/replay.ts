import { setTimeout as wait } from 'node:timers/promises';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { Change, Measurement, Preview, Trial } from '../replay/action.ts';
import type { BatchState } from '../replay/batches.ts';
import { printLine, printTable, wantsJson } from './output.ts';
import { readBrandsFile } from './read-brands-file.ts';
import { readTypesFile } from './read-types-file.ts';
import { DEFAULT_FOLDER } from './start.ts';
import { openStation, type Station } from './station.ts';

interface Common {
  readonly data: string;
  readonly server?: string;
  readonly json?: boolean;
}

interface Scoped extends Common {
  readonly ids?: readonly string[];
  readonly type?: string;
  readonly all?: boolean;
  readonly reviewQueue?: boolean;
  readonly failed?: boolean;
  readonly mode?: string;
  readonly includeHuman?: boolean;
  readonly filter?: Readonly<Record<string, unknown>>;
}

const POLL_MS = 500;

export function replayCommand(): Command {
  const command = new Command('replay').description('do things again over the past, with open eyes');
  command.addCommand(
    scoped(about('preview', 'what a replay would touch and cost')).action((service, action, options: Scoped) =>
      ask(options, async (station) => {
        const body = { service, action, ...orderOf(options) };
        print(options, await station.api<Preview>('POST', '/replay/preview', body), showPreview);
      }),
    ),
  );
  command.addCommand(
    ruled(scoped(about('trial', 'try the rules on the newest items: what would change, written nowhere')))
      .option('--n <count>', 'how many items', wholeNumber, 50)
      .action((service, action, options: Scoped & { n: number; rules?: string }) =>
        ask(options, async (station) => {
          const body = {
            service,
            action,
            ...orderOf(options),
            n: options.n,
            ...(await rulesOf(service, options.rules)),
          };
          print(options, await station.api<Trial>('POST', '/replay/trial', body), showTrial);
        }),
      ),
  );
  command.addCommand(
    ruled(about('measure', 'hold the rules against what people decided')).action(
      (service, action, options: Common & { rules?: string }) =>
        ask(options, async (station) => {
          const body = { service, action, ...(await rulesOf(service, options.rules)) };
          print(options, await station.api<Measurement>('POST', '/replay/measure', body), showMeasurement);
        }),
    ),
  );
  command.addCommand(
    scoped(about('start', 'start a batch'))
      .option('--confirm-cascade', 'everything that is made of the results is made anew, and that is meant')
      .option('--force', 'although the same runs over the same scope')
      .option('--wait', 'stay until it is over')
      .action((service, action, options: Scoped & { confirmCascade?: boolean; force?: boolean; wait?: boolean }) =>
        ask(
          options,
          async (station) => {
            const { force = false, confirmCascade = false } = options;
            const body = { service, action, ...orderOf(options), force, confirm_cascade: confirmCascade };
            const { batch } = await station.api<{ batch: string }>('POST', '/replay', body);
            print(options, options.wait ? await untilOver(station, batch) : await read(station, batch), showBatch);
          },
          options.wait,
        ),
      ),
  );
  command.addCommand(
    connected(new Command('status').description('where a batch is'))
      .argument('<batch>')
      .action((batch: string, options: Common) =>
        ask(options, async (station) => print(options, await read(station, batch), showBatch)),
      ),
  );
  command.addCommand(
    connected(new Command('retry-failed').description('a new batch over those items of one that failed'))
      .argument('<batch>')
      .option('--wait', 'stay until it is over')
      .action((batch: string, options: Common & { wait?: boolean }) =>
        ask(
          options,
          async (station) => {
            const again = await station.api<{ batch: string }>(
              'POST',
              `/replay/${encodeURIComponent(batch)}/retry-failed`,
            );
            print(
              options,
              options.wait ? await untilOver(station, again.batch) : await read(station, again.batch),
              showBatch,
            );
          },
          options.wait,
        ),
      ),
  );
  for (const [steering, description] of [
    ['pause', 'hold a batch: what is outstanding ends, nothing is added'],
    ['resume', 'let it go on where it was'],
    ['cancel', 'end it: what waited is taken back, what is done stays'],
  ] as const) {
    command.addCommand(
      connected(new Command(steering).description(description))
        .argument('<batch>')
        .action((batch: string, options: Common) =>
          ask(options, async (station) => {
            await station.api('POST', `/replay/${encodeURIComponent(batch)}/${steering}`);
            print(options, await read(station, batch), showBatch);
          }),
        ),
    );
  }
  return command;
}

const connected = (command: Command): Command =>
  command
    .option('--data <dir>', 'data folder', DEFAULT_FOLDER)
    .option('--server <url>', 'ask a running server')
    .option('--json', 'JSON also on a terminal');

const about = (name: string, description: string): Command =>
  connected(new Command(name).description(description))
    .argument('<service>', 'answers or documents')
    .argument('<action>', 'answers: re-clean; documents: re-read, re-classify, re-extract');

const SCOPES = ['ids', 'type', 'all', 'reviewQueue', 'failed', 'filter'];

/** One of these; there is no default, and all of them has to be said. */
const scoped = (command: Command): Command => {
  const scope = (flags: string, name: string, description: string) =>
    new Option(flags, description).conflicts(SCOPES.filter((other) => other !== name));
  return command
    .addOption(scope('--ids <id...>', 'ids', 'these items'))
    .addOption(scope('--type <code>', 'type', 'those of this type'))
    .addOption(scope('--all', 'all', 'all of them'))
    .addOption(scope('--review-queue', 'reviewQueue', 'those that wait for a person'))
    .addOption(scope('--failed', 'failed', 'those that were given up in this step'))
    .addOption(
      scope('--filter <json>', 'filter', 'those that fit, as in the list: {"batch_id":"B1","stale":true}').argParser(
        json,
      ),
    )
    .option('--mode <mode>', 'what becomes of the results: apply (or replace, fill_empty), propose')
    .option('--include-human', 'also set aside what people decided up to now');
};

const ruled = (command: Command): Command =>
  command.option('--rules <file>', 'a draft instead of the rules in force (brands.yaml, types.yaml)');

function json(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw new InvalidArgumentError('it is not JSON');
  }
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('it is not a whole number from 1');
  return value;
}

function orderOf({ mode, includeHuman, ...options }: Scoped) {
  return {
    scope: scopeOf(options),
    ...(mode === undefined ? {} : { mode }),
    include_human: includeHuman ?? false,
  };
}

function scopeOf({ ids, type, all, reviewQueue, failed, filter }: Scoped): unknown {
  if (ids) return { ids };
  if (type !== undefined) return { type };
  if (all) return { all };
  if (reviewQueue) return { review_queue: true };
  if (failed) return { failed };
  // The server says what a scope is where there is none.
  return filter ? { filter } : {};
}

async function rulesOf(service: string, file: string | undefined) {
  if (file === undefined) return {};
  if (service === 'documents') return { rules: { types: (await readTypesFile(file)).items } };
  return { rules: { brands: await readBrandsFile(file) } };
}

async function ask(options: Common, work: (station: Station) => Promise<void>, workers = false): Promise<void> {
  const station = await openStation({ server: options.server, folder: options.data, workers });
  try {
    await work(station);
  } finally {
    await station.close();
  }
}

const read = (station: Station, batch: string): Promise<BatchState> =>
  station.api('GET', `/replay/${encodeURIComponent(batch)}`);

async function untilOver(station: Station, batch: string): Promise<BatchState> {
  for (;;) {
    const found = await read(station, batch);
    if (found.state !== 'running') return found;
    await wait(POLL_MS);
  }
}

function print<Answer>(options: Common, answer: Answer, show: (answer: Answer) => void): void {
  if (wantsJson(options)) printLine(answer);
  else show(answer);
}

function showPreview(preview: Preview): void {
  const { items, human_decided, human_edited, stale, stages, model_calls, tokens, cost, warnings } = preview;
  printTable(
    ['items', 'decided by people', 'edited by people', 'stale', 'stages', 'model calls', 'tokens', 'cost'],
    [
      [
        items,
        human_decided,
        human_edited,
        stale,
        stages.join(', '),
        model_calls,
        tokens,
        `${cost.low} to ${cost.high}`,
      ],
    ],
  );
  for (const [edge, count] of Object.entries(preview.moves)) process.stdout.write(`${count} ${edge}\n`);
  for (const warning of warnings) process.stdout.write(`${warning}\n`);
}

function showChanges(changes: readonly Change[]): void {
  printTable(
    ['item', 'of', 'field', 'before', 'after'],
    changes.map(({ id, of, field, before, after }) => [id, of, field, JSON.stringify(before), JSON.stringify(after)]),
  );
}

function showTrial({ tried, changed_items, moves, by_field, changes }: Trial): void {
  process.stdout.write(`${changed_items} of ${tried} items would change\n`);
  for (const [edge, count] of Object.entries(moves)) process.stdout.write(`${count} ${edge}\n`);
  printTable(['field', 'values'], Object.entries(by_field));
  showChanges(changes);
}

function showMeasurement({ fields, changes }: Measurement): void {
  printTable(
    ['field', 'labels', 'agreed before', 'agree now'],
    Object.entries(fields).map(([field, counts]) => [field, counts.labels, counts.before, counts.after]),
  );
  showChanges(changes);
}

function showBatch({ batch, service, action, state, dispatched, preview, progress }: BatchState): void {
  printTable(
    ['batch', 'action', 'state', 'dispatched', ...Object.keys(progress)],
    [[batch, `${service} ${action}`, state, `${dispatched} of ${preview.items}`, ...Object.values(progress)]],
  );
}
