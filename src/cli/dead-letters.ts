import { Command } from 'commander';
import { printLine, printTable, wantsJson } from './output.ts';
import { DEFAULT_FOLDER } from './start.ts';
import { openStation, type Station } from './station.ts';

interface Options {
  readonly data: string;
  readonly server?: string;
  readonly json?: boolean;
  readonly id?: string[];
  readonly stage?: string;
  readonly code?: string;
}

interface Letter {
  readonly id: string;
  readonly item: string;
  readonly stage: string;
  readonly reached: string;
  readonly input_ref: string | null;
  readonly code: string;
  readonly message: string;
  readonly attempts: readonly unknown[];
  readonly created_at: string;
}

export function deadLettersCommand(): Command {
  const command = new Command('dead-letters').description('what was given up, and how to put it back');
  command.addCommand(
    filtered(
      new Command('list').description('open dead letters with the error of every attempt'),
      async (station, options) => {
        let cursor: string | null = null;
        const query = new URLSearchParams({ limit: '500' });
        if (options.stage) query.set('stage', options.stage);
        if (options.code) query.set('code', options.code);
        do {
          if (cursor) query.set('cursor', cursor);
          const page: { items: Letter[]; next_cursor: string | null } = await station.api(
            'GET',
            `/dead-letters?${query}`,
          );
          const wanted = options.id ? page.items.filter(({ id }) => options.id!.includes(id)) : page.items;
          if (wantsJson(options)) for (const letter of wanted) printLine(letter);
          else showLetters(wanted);
          cursor = page.next_cursor;
        } while (cursor);
      },
    ),
  );
  command.addCommand(
    filtered(new Command('preview').description('what a redrive would touch'), async (station, options) => {
      const { items } = await station.api<{ items: { stage: string; code: string; reached: string; count: number }[] }>(
        'POST',
        '/dead-letters/preview',
        filterOf(options),
      );
      if (wantsJson(options)) for (const row of items) printLine(row);
      else
        printTable(
          ['stage', 'error', 'back to', 'items'],
          items.map((row) => [row.stage, row.code, row.reached, row.count]),
        );
    }),
  );
  command.addCommand(
    filtered(
      new Command('redrive').description('put them back to the stage they reached'),
      async (station, options) => {
        const done = await station.api<{ redriven: number; left: number }>(
          'POST',
          '/dead-letters/redrive',
          filterOf(options),
        );
        if (wantsJson(options)) printLine(done);
        else process.stdout.write(`${done.redriven} put back, ${done.left} left\n`);
      },
    ),
  );
  return command;
}

function filtered(command: Command, act: (station: Station, options: Options) => Promise<void>): Command {
  return command
    .option('--id <id...>', 'these letters')
    .option('--stage <name>', 'of this stage')
    .option('--code <code>', 'with this error')
    .option('--data <dir>', 'data folder', DEFAULT_FOLDER)
    .option('--server <url>', 'ask a running server')
    .option('--json', 'JSON Lines also on a terminal')
    .action(async (options: Options) => {
      const station = await openStation({ server: options.server, folder: options.data, workers: false });
      try {
        await act(station, options);
      } finally {
        await station.close();
      }
    });
}

function filterOf({ id, stage, code }: Options) {
  return { ...(id ? { ids: id } : {}), ...(stage ? { stage } : {}), ...(code ? { code } : {}) };
}

function showLetters(letters: readonly Letter[]): void {
  printTable(
    ['id', 'stage', 'back to', 'input', 'error', 'attempts', 'since'],
    letters.map((one) => [
      one.id,
      one.stage,
      one.reached,
      one.input_ref,
      `${one.code}: ${one.message}`,
      one.attempts.length,
      one.created_at,
    ]),
  );
}
