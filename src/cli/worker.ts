import { Command } from 'commander';
import { CodedError } from '../errors/coded-error.ts';
import { complain } from './output.ts';
import { log, reportError } from './report-error.ts';
import { untilSignal } from './until-signal.ts';

export function workerCommand(): Command {
  return new Command('worker')
    .description('workers alone, any number, on any machine (PostgreSQL only: DATABASE_URL)')
    .option('--only <queues>', 'comma-separated names of queues', (value) => value.split(','))
    .action(async (options: { only?: string[] }) => {
      if (!process.env.DATABASE_URL) {
        throw new CodedError('cli.needs_postgres', 'permanent', 'worker needs PostgreSQL: set DATABASE_URL');
      }
      const { openHouse } = await import('../server/house.ts');
      const house = await openHouse({
        folder: null,
        databaseUrl: process.env.DATABASE_URL,
        workers: options.only ?? true,
        anyFile: process.env.SIGNALBOX_ANY_FILE === '1',
        env: process.env,
        onError: reportError,
      });
      const unknown = (options.only ?? []).filter((name) => !house.stages.some((stage) => stage.name === name));
      if (unknown.length) {
        await house.stop();
        const known = house.stages.map(({ name }) => name).join(', ');
        throw new CodedError('cli.queue_unknown', 'permanent', `no queue ${unknown.join(', ')}; there are: ${known}`);
      }
      complain(`worker ${house.worker} is at work`);
      log.info({ signal: await untilSignal() }, 'stopping');
      await house.stop();
    });
}
