import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { parse } from 'yaml';
import { cleanTasks } from './clean.ts';
import { complain, printTable } from './output.ts';
import { reportError } from './report-error.ts';
import { listen, portOption } from './start.ts';
import { overHouse } from './station.ts';
import { untilSignal } from './until-signal.ts';

const examples = join(import.meta.dirname, '../../examples');

export function demoCommand(): Command {
  return new Command('demo')
    .description('load the examples into a fresh database, run them for real, show what came out, then serve')
    .option('--once', 'end instead of serving')
    .option('--port <n>', 'where to listen', portOption, 8080)
    .action(async (options: { once?: boolean; port: number }) => {
      const folder = mkdtempSync(join(tmpdir(), 'signalbox-demo-'));
      const localKey = randomBytes(32).toString('base64url');
      const { mentionRate, successRate } = await import('../answers/index.ts');
      const { openHouse } = await import('../server/house.ts');
      const house = await openHouse({
        folder,
        workers: true,
        anyFile: true,
        env: { ...process.env, DATABASE_URL: undefined },
        localKey,
        onError: reportError,
        pollSeconds: 0.5,
      });
      try {
        const station = overHouse(house, localKey);
        const { brands } = parse(readFileSync(join(examples, 'answers/brands.yaml'), 'utf8')) as { brands: unknown[] };
        await station.api('PUT', '/answers/brands', { items: brands, note: 'the examples' });
        const failed = await cleanTasks(station, join(examples, 'answers/answers.jsonl'), { json: false });
        const hours = await successRate(house.database);
        printTable(
          ['hour', 'total', 'completed', 'invalid'],
          hours.map((row) => [row.hour, row.total, row.completed, row.invalid_count]),
          'Cleaning, by hour (specification §9, first query)',
        );
        const rates = await mentionRate(house.database, '2026-01-01');
        printTable(
          ['brand', 'valid answers', 'mentioned', 'rate %'],
          rates.map((row) => [row.brand_name, row.total_tasks, row.mentioned_tasks, row.mention_rate]),
          'Mentions, by brand (specification §9, second query)',
        );
        process.exitCode = failed ? 1 : 0;
        if (options.once) return;
        const server = await listen(house, options.port, '127.0.0.1', localKey);
        complain(
          `\nSignalbox listens on ${server.address}  (API: ${server.address}/api/v1/docs). Stop it with Ctrl-C.`,
        );
        complain(`Ask it: bin/signalbox trace ex-001 --data ${folder}`);
        await untilSignal();
        await server.close();
      } finally {
        await house.stop();
        rmSync(folder, { recursive: true, force: true });
      }
    });
}
