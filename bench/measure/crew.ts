import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { AskingNews } from './runs.ts';

/** Worker processes that tell of each claim and settlement. */
export interface Crew {
  /** From the first claim to the last settlement of so many items, and what the processes used meanwhile. */
  watch(items: number): Promise<{ ms: number; cpuMs: number }>;
  stop(): Promise<void>;
}

export async function startCrew(file: string, settings: object, size: number): Promise<Crew> {
  const listeners = new Set<(news: AskingNews) => void>();
  const used = new Map<ChildProcess, number>();
  const start = async () => {
    const worker = fork(join(import.meta.dirname, '../contenders', file), {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    worker.on('message', (message) => {
      const news = message as AskingNews;
      used.set(worker, news.cpuMs);
      for (const listen of listeners) listen(news);
    });
    worker.send(settings);
    await once(worker, 'message');
    return worker;
  };
  const workers = await Promise.all(Array.from({ length: size }, start));
  const usedByAll = () => [...used.values()].reduce((sum, ms) => sum + ms, 0);
  return {
    watch: (items) => {
      const { promise, resolve, reject } = Promise.withResolvers<{ ms: number; cpuMs: number }>();
      let left = items;
      let first = Number.POSITIVE_INFINITY;
      const before = usedByAll();
      const listen = ({ what, items: count, atMs }: AskingNews) => {
        if (what === 'claimed') first = Math.min(first, atMs);
        if (what === 'settled') left -= count;
        if (left <= 0) resolve({ ms: atMs - first, cpuMs: usedByAll() - before });
      };
      const gone = (code: number | null) => reject(new Error(`a worker ended with ${code}`));
      listeners.add(listen);
      for (const worker of workers) worker.once('exit', gone);
      return promise.finally(() => {
        listeners.delete(listen);
        for (const worker of workers) worker.off('exit', gone);
      });
    },
    stop: async () => {
      const living = workers.filter((worker) => worker.exitCode === null && worker.signalCode === null);
      const ended = living.map((worker) => once(worker, 'exit'));
      for (const worker of living) worker.send('stop');
      await Promise.all(ended);
    },
  };
}
