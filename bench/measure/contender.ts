import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { Timing } from './runs.ts';
import { serverCpuMs } from './server-cpu.ts';

const folder = join(import.meta.dirname, '../contenders');

/**
 * Runs one contender in a process of its own, so that neither side's heap, compiler or timers stand in the other's
 * way, and gives back what it measured.
 */
export function runContender<Result>(file: string, settings: unknown): Promise<Result> {
  return new Promise((resolve, reject) => {
    const child = fork(join(folder, file), {
      // DBOS sends statements in a way that the driver warns of at each start.
      execArgv: [...process.execArgv, '--no-deprecation'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    let result: { readonly value: Result } | undefined;
    child.on('message', (message) => {
      result = message as { value: Result };
    });
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      if (result && code === 0) resolve(result.value);
      else reject(new Error(`${file} ended with ${signal ?? code}${result ? '' : ' and measured nothing'}`));
    });
    child.send(settings as object);
  });
}

/** The other side of it: waits for the settings, measures, answers, ends. */
export function contend<Settings, Result>(measure: (settings: Settings) => Promise<Result>): void {
  process.once('message', (settings) => {
    measure(settings as Settings).then(
      (value) => process.send?.({ value }, () => process.exit(0)),
      (error) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
}

/** Wall and processor time of a piece of work. */
export async function timed(postmaster: number | null, work: () => Promise<unknown>): Promise<Timing> {
  const server = serverCpuMs(postmaster);
  const used = process.cpuUsage();
  const began = performance.now();
  await work();
  const ms = performance.now() - began;
  const { user, system } = process.cpuUsage(used);
  return { ms, cpuMs: (user + system) / 1000, serverCpuMs: serverCpuMs(postmaster) - server };
}

export function addTimes(one: Timing, other: Timing): Timing {
  return {
    ms: one.ms + other.ms,
    cpuMs: one.cpuMs + other.cpuMs,
    serverCpuMs: one.serverCpuMs + other.serverCpuMs,
  };
}
