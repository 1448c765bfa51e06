import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printTable } from '../src/cli/output.ts';
import { type PostgresServer, startPostgres } from '../test/harness/postgres-server.ts';

/** One claim that README or docs make, shown. */
export interface Proof {
  readonly claim: string;
  run(stage: ProofStage): Promise<void>;
}

/** What a proof works with: chance from a printed seed, tables, checks, processes that end with it. */
export interface ProofStage {
  readonly seed: number;
  readonly quick: boolean;
  readonly random: () => number;
  readonly failures: string[];
  /** Notes what is not so; the proof goes on, so that its tables are printed. */
  check(so: boolean, what: string): void;
  equal(found: unknown, expected: unknown, what: string): void;
  table(title: string, head: readonly string[], rows: readonly (readonly unknown[])[]): void;
  say(line: string): void;
  folder(): string;
  postgres(): Promise<PostgresServer>;
  /** Starts a program of the repository on this Node; its standard error is shown when it ends by itself badly. */
  start(script: string, args: readonly string[], env?: Record<string, string>): ChildProcess;
  close(): Promise<void>;
}

export function openStage(seed: number, args: readonly string[]): ProofStage {
  const failures: string[] = [];
  const folders: string[] = [];
  const servers: PostgresServer[] = [];
  const children = new Set<ChildProcess>();
  return {
    seed,
    quick: args.includes('--quick'),
    random: mulberry32(seed),
    failures,
    check: (so, what) => {
      if (!so) failures.push(what);
    },
    equal: (found, expected, what) => {
      if (JSON.stringify(found) !== JSON.stringify(expected)) {
        failures.push(`${what}: expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`);
      }
    },
    table: (title, head, rows) => printTable(head, rows, title),
    say: (line) => process.stdout.write(`${line}\n`),
    folder: () => {
      const folder = mkdtempSync(join(tmpdir(), 'signalbox-proof-'));
      folders.push(folder);
      return folder;
    },
    postgres: async () => {
      const server = await startPostgres();
      servers.push(server);
      return server;
    },
    start: (script, more, env = {}) => {
      const child = spawn(process.execPath, [join(import.meta.dirname, '..', script), ...more], {
        env: { ...process.env, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let tail = '';
      child.stderr?.on('data', (chunk: Buffer) => {
        tail = (tail + chunk.toString()).slice(-2000);
      });
      child.stdout?.resume();
      children.add(child);
      child.once('exit', (code) => {
        children.delete(child);
        if (code) process.stdout.write(`  ${script} ended with status ${code}: ${tail}\n`);
      });
      return child;
    },
    close: async () => {
      await Promise.all([...children].map(kill));
      for (const server of servers) await server.stop();
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Ends a process at once, as kill -9 does, and waits until it is gone. */
export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

export async function terminate(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const [code] = (await gone) as [number | null];
  return code;
}

/** Waits for a condition; throws after the limit, naming what it waited for. */
export async function until(
  what: string,
  limitSeconds: number,
  holds: () => Promise<boolean>,
  everyMs = 200,
): Promise<void> {
  const end = performance.now() + limitSeconds * 1000;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`waited ${limitSeconds} s for: ${what}`);
    await sleep(everyMs);
  }
}

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A small generator with a printed seed (mulberry32, T. Ettinger, public domain). */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
