import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, vi } from 'vitest';

export const ROOT = join(import.meta.dirname, '../..');
export const BIN = join(ROOT, 'bin/signalbox');

export interface Ended {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  /** What comes on standard input; without it there is none. */
  readonly input?: string | Buffer;
  readonly cwd?: string;
  /** Beside a path and a home; the surroundings of whoever runs the tests do not reach the command. */
  readonly env?: NodeJS.ProcessEnv;
  readonly command?: string;
}

/** A command that runs. */
export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Waits for text on standard output or error; rejects when the command ends without it. */
  says(text: RegExp): Promise<RegExpExecArray>;
  /** Sends a signal and waits for the end. */
  stop(signal: NodeJS.Signals): Promise<Ended>;
}

/** Compiled once for all the processes of all runs: starting one takes a third less. */
const NODE_COMPILE_CACHE = join(ROOT, 'node_modules/.cache/signalbox-tests');

// Processes start slowly where others are busy; what hangs is told of all the same.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

const children = new Set<ChildProcess>();
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

/** Starts `bin/signalbox` as a process of its own. */
export function start(args: readonly string[], options: CliOptions = {}): Running {
  const child = spawn(options.command ?? BIN, args, {
    cwd: options.cwd ?? ROOT,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      SIGNALBOX_NODE: process.execPath,
      NODE_COMPILE_CACHE,
      ...options.env,
    },
    stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  children.add(child);
  let [stdout, stderr] = ['', ''];
  const listeners = new Set<() => void>();
  const heard = () => {
    for (const listener of listeners) listener();
  };
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    heard();
  });
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    heard();
  });
  // A command that refuses its arguments does not read its input.
  child.stdin?.on('error', () => {}).end(options.input);
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status, signal) => {
      children.delete(child);
      resolve({ status, signal, stdout, stderr });
    });
  });
  return {
    child,
    ended,
    says: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = text.exec(stdout) ?? text.exec(stderr);
          if (!found) return;
          listeners.delete(look);
          resolve(found);
        };
        listeners.add(look);
        look();
        void ended.then(({ status }) => reject(new Error(`ended with ${status} before it said ${text}: ${stderr}`)));
      }),
    stop: (signal) => {
      child.kill(signal);
      return ended;
    },
  };
}

/** Runs `bin/signalbox` to its end. */
export const run = (args: readonly string[], options?: CliOptions): Promise<Ended> => start(args, options).ended;

/** Starts a server on a data folder and waits until it listens. */
export async function serve(folder: string, env?: NodeJS.ProcessEnv): Promise<Running & { readonly address: string }> {
  const running = start(['start', '--port', '0', '--data', folder], env === undefined ? {} : { env });
  const [, address] = await running.says(/listens on (http:\S+)/);
  return { ...running, address: address! };
}

/** The JSON Lines that a command printed. */
// biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a line by expecting it
export function linesOf<Line = any>({ stdout }: Ended): Line[] {
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
}
