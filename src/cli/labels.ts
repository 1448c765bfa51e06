import { Command } from 'commander';
import type { Label } from '../answers/labels.ts';
import { printLine, printTable, wantsJson } from './output.ts';
import { DEFAULT_FOLDER } from './start.ts';
import { openStation } from './station.ts';

export function labelsCommand(): Command {
  return new Command('labels')
    .description('what people decided about findings of cleaning, with what the machine said, one label a line')
    .option('--data <dir>', 'data folder', DEFAULT_FOLDER)
    .option('--server <url>', 'ask a running server')
    .option('--json', 'JSON Lines also on a terminal')
    .action(async (options: { data: string; server?: string; json?: boolean }) => {
      const station = await openStation({ server: options.server, folder: options.data, workers: false });
      try {
        const labels = station.lines<Label>('/answers/labels');
        if (wantsJson(options)) for await (const label of labels) printLine(label);
        else await show(labels);
      } finally {
        await station.close();
      }
    });
}

async function show(labels: AsyncIterable<Label>): Promise<void> {
  const rows: unknown[][] = [];
  for await (const { clean_task_id, brand_name, field, match_position, value, machine_value, decided_at } of labels) {
    const what = match_position === null ? field : `${field} at ${match_position}`;
    rows.push([clean_task_id, brand_name, what, JSON.stringify(value), JSON.stringify(machine_value), decided_at]);
  }
  printTable(['task', 'brand', 'finding', 'person', 'machine', 'at'], rows);
}
