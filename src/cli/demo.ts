import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Command } from 'commander';
import { parse } from 'yaml';
import { cleanTasks } from './clean.ts';
import { add, type DocumentLine, RESTING, showList } from './documents.ts';
import { complain, printTable } from './output.ts';
import { readTypesFile } from './read-types-file.ts';
import { reportError } from './report-error.ts';
import { listen, portOption } from './start.ts';
import { overHouse, type Station } from './station.ts';
import { untilSignal } from './until-signal.ts';

const examples = join(import.meta.dirname, '../../examples');

/** A paper of each kind; all of them would take a minute for the scans alone. */
const DOCUMENTS = /^d(?:0[1-9]|1\d)\./;
const POLL_MS = 200;

/** Takes documents in, waits until each rests, and shows them; tells how many failed. */
async function readDocuments(station: Station): Promise<number> {
  const folder = join(examples, 'documents');
  const { items } = await readTypesFile(join(folder, 'types.yaml'));
  await station.api('PUT', '/documents/types', { items, note: 'the examples' });
  const files = readdirSync(folder).filter((name) => DOCUMENTS.test(name));
  await add(
    station,
    files.map((name) => join(folder, name)),
  );
  for (;;) {
    const { items: lines } = await station.api<{ items: DocumentLine[] }>('GET', '/documents?limit=500');
    if (lines.every(({ state }) => RESTING.has(state))) {
      process.stdout.write('Documents, by rules alone\n');
      showList(lines);
      return lines.filter(({ state }) => state === 'failed').length;
    }
    await wait(POLL_MS);
  }
}

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
        const unread = await readDocuments(station);
        process.exitCode = failed || unread ? 1 : 0;
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
