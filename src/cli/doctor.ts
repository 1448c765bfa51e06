import { Command } from 'commander';
import type { Health } from '../jobs/watchdog.ts';
import type { SnakeNames } from '../server/snake-names.ts';
import { readHolder } from '../storage/folder-lock.ts';
import { EXIT } from './exit-status.ts';
import { printLine, printTable, wantsJson } from './output.ts';
import { DEFAULT_FOLDER } from './start.ts';
import { openStation } from './station.ts';

interface Finding {
  readonly what: string;
  readonly ok: boolean;
  readonly found: string;
  readonly do?: string;
}

export function doctorCommand(): Command {
  return new Command('doctor')
    .description('looks for what is wrong and says what to do')
    .option('--data <dir>', 'data folder', DEFAULT_FOLDER)
    .option('--server <url>', 'ask a running server')
    .option('--json', 'JSON Lines also on a terminal')
    .action(async (options: { data: string; server?: string; json?: boolean }) => {
      const findings = await examine(options);
      if (wantsJson(options)) for (const finding of findings) printLine(finding);
      else
        printTable(
          ['', 'what', 'found', 'do'],
          findings.map((one) => [one.ok ? 'ok' : 'BAD', one.what, one.found, one.do ?? '']),
        );
      process.exitCode = findings.every((one) => one.ok) ? EXIT.done : EXIT.someFailed;
    });
}

const OLD_TRANSACTION_SECONDS = 600;
const OLD_JOB_SECONDS = 900;

async function examine(options: { data: string; server?: string }): Promise<Finding[]> {
  const major = Number(process.versions.node.split('.')[0]);
  const findings: Finding[] = [
    {
      what: 'Node.js',
      ok: major >= 24,
      found: process.version,
      ...(major >= 24 ? {} : { do: 'run npm ci again, or set SIGNALBOX_NODE' }),
    },
  ];
  const holder = options.server ? null : readHolder(options.data);
  findings.push({
    what: 'data folder',
    ok: true,
    found: holder ? `held by process ${holder.pid}${holder.address ? ` at ${holder.address}` : ''}` : 'free',
  });
  const station = await openStation({ server: options.server, folder: options.data, workers: false });
  try {
    const health = await station.api<SnakeNames<Health>>('GET', '/queues');
    findings.push({ what: 'database', ok: true, found: 'answers' });
    if (station.house) {
      const drift = await station.house.queue.boss.detectSchemaDrift();
      findings.push({
        what: "the queue's tables",
        ok: drift.ok,
        found: !drift.ok ? 'changed by somebody' : 'as they should be',
        ...(!drift.ok ? { do: 'see docs/operations.md, "The queue\'s tables drifted"' } : {}),
      });
    }
    findings.push(...ofHealth(health));
  } finally {
    await station.close();
  }
  return findings;
}

function ofHealth(health: SnakeNames<Health>): Finding[] {
  const silent = health.queues.filter((queue) => queue.silent > 0);
  const old = health.queues.filter((queue) => queue.oldest_seconds > OLD_JOB_SECONDS);
  const { stuck, dead_letters: letters, oldest_transaction_seconds: oldest } = health;
  const finding = (what: string, ok: boolean, found: string, todo: string): Finding => ({
    what,
    ok,
    found,
    ...(ok ? {} : { do: todo }),
  });
  return [
    finding(
      'claims',
      !silent.length,
      silent.length ? silent.map((queue) => `${queue.name}: ${queue.silent} silent`).join(', ') : 'all alive',
      'a worker died: its claims come back within a minute while any worker runs',
    ),
    finding(
      'queues',
      !old.length,
      old.length
        ? old.map((queue) => `${queue.name}: ${Math.round(queue.oldest_seconds)} s old`).join(', ')
        : 'nothing waits long',
      'start more workers, or see what they wait for: signalbox queues',
    ),
    finding(
      'stuck items',
      !stuck.length,
      stuck.length ? `${stuck.length}, first ${stuck[0]?.item}` : 'none',
      'signalbox trace ID',
    ),
    finding('dead letters', !letters, String(letters), 'signalbox dead-letters list'),
    finding(
      'open transactions',
      oldest < OLD_TRANSACTION_SECONDS,
      `oldest ${Math.round(oldest)} s`,
      'end the session that holds it: it slows every claim',
    ),
  ];
}
