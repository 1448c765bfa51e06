import { Command } from 'commander';
import type { PoolState } from '../jobs/slots.ts';
import type { Health } from '../jobs/watchdog.ts';
import type { SnakeNames } from '../server/snake-names.ts';
import { printLine, printTable, wantsJson } from './output.ts';
import { DEFAULT_FOLDER } from './start.ts';
import { openStation } from './station.ts';

export function queuesCommand(): Command {
  return new Command('queues')
    .description('what waits, what is at work, what is stuck')
    .option('--data <dir>', 'data folder', DEFAULT_FOLDER)
    .option('--server <url>', 'ask a running server')
    .option('--json', 'JSON also on a terminal')
    .action(async (options: { data: string; server?: string; json?: boolean }) => {
      const station = await openStation({ server: options.server, folder: options.data, workers: false });
      try {
        const health = await station.api<Board>('GET', '/queues');
        if (wantsJson(options)) printLine(health);
        else show(health);
      } finally {
        await station.close();
      }
    });
}

type Board = SnakeNames<Health & { pools: readonly PoolState[] }>;

const seconds = (value: number | null): string => (value === null ? '–' : `${Math.round(value)} s`);

function show({ queues, pools, stuck, dead_letters, oldest_dead_letter_seconds }: Board): void {
  printTable(
    ['queue', 'waiting', 'delayed', 'active', 'silent', 'oldest'],
    queues.map((queue) => [
      queue.name,
      queue.waiting,
      queue.delayed,
      queue.active,
      queue.silent,
      seconds(queue.oldest_seconds),
    ]),
  );
  if (pools.length) {
    printTable(
      ['provider', 'cap', 'held', 'lapsed', 'overhangs'],
      pools.map((pool) => [pool.name, pool.cap, pool.held, pool.lapsed, pool.overhangs]),
    );
  }
  if (stuck.length) {
    printTable(
      ['machine', 'item', 'state', 'for'],
      stuck.map((one) => [one.machine, one.item, one.state, seconds(one.seconds)]),
      'Stuck',
    );
  }
  process.stdout.write(
    `dead letters: ${dead_letters}${dead_letters ? `, oldest ${seconds(oldest_dead_letter_seconds)}` : ''}\n`,
  );
}
