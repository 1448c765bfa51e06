import { Command } from 'commander';
import { printLine, printTable, wantsJson } from './output.ts';
import { DEFAULT_FOLDER } from './start.ts';
import { openStation } from './station.ts';

interface TraceAnswer {
  readonly item: string;
  readonly machine: string;
  readonly state: string;
  readonly spent: { calls: number; tokens: number; cost_micros: number };
  readonly journal: {
    at: string;
    kind: string;
    from: string | null;
    to: string | null;
    actor: string;
    reason: string | null;
  }[];
  readonly runs: {
    stage: string;
    attempt: number;
    outcome: string;
    started_at: string;
    ended_at: string;
    worker: string;
    error_code: string | null;
    error_message: string | null;
  }[];
  readonly events: { at: string; type: string }[];
  readonly deliveries: { target: string; type: string; state: string; attempts: unknown[] }[];
}

export function traceCommand(): Command {
  return new Command('trace')
    .description("one item's whole story: where it is, how it got there")
    .argument('<id>', 'an item, or what you call it: a clean_task_id, …')
    .option('--data <dir>', 'data folder', DEFAULT_FOLDER)
    .option('--server <url>', 'ask a running server')
    .option('--json', 'JSON also on a terminal')
    .action(async (id: string, options: { data: string; server?: string; json?: boolean }) => {
      const station = await openStation({ server: options.server, folder: options.data, workers: false });
      try {
        const story = await station.api<TraceAnswer>('GET', `/trace/${encodeURIComponent(id)}`);
        if (wantsJson(options)) printLine(story);
        else show(story);
      } finally {
        await station.close();
      }
    });
}

function show(story: TraceAnswer): void {
  process.stdout.write(`${story.machine} ${story.item}: ${story.state}\n`);
  printTable(
    ['at', 'what', 'from', 'to', 'by', 'why'],
    story.journal.map((row) => [row.at, row.kind, row.from, row.to, row.actor, row.reason]),
    'Register',
  );
  printTable(
    ['stage', 'attempt', 'outcome', 'began', 'ended', 'worker', 'error'],
    story.runs.map((run) => [
      run.stage,
      run.attempt,
      run.outcome,
      run.started_at,
      run.ended_at,
      run.worker,
      run.error_code === null ? null : `${run.error_code}: ${run.error_message}`,
    ]),
    'Runs',
  );
  if (story.deliveries.length) {
    printTable(
      ['target', 'event', 'state', 'attempts'],
      story.deliveries.map((one) => [one.target, one.type, one.state, one.attempts.length]),
      'Deliveries',
    );
  }
}
