import { randomUUID } from 'node:crypto';
import { uuid7 } from '../../src/core/ids.ts';
import { openQueue } from '../../src/jobs/queue.ts';
import type { AnyStage } from '../../src/jobs/stage.ts';
import { startStageWorker, type WorkerDeps } from '../../src/jobs/worker.ts';
import type { Ground } from './databases.ts';

/** What a claim and a settlement need, with real time and chance unless the test says otherwise. */
export function workerDeps(ground: Ground, changes: Partial<WorkerDeps> = {}): WorkerDeps {
  return {
    database: ground.database,
    queue: ground.queue,
    worker: `test-${randomUUID().slice(0, 8)}`,
    clockMs: () => performance.now(),
    nowMs: () => Date.now(),
    random: Math.random,
    newId: () => uuid7(),
    ...changes,
  };
}

/** Runs workers on the stages until nothing is left to do now, then stops them. */
export async function drain(
  ground: Ground,
  stages: readonly AnyStage[],
  until: () => Promise<boolean>,
  changes: Partial<WorkerDeps> = {},
): Promise<void> {
  const queue = await openQueue(ground.database, { workers: true, superviseSeconds: 1 });
  try {
    let settled = Promise.withResolvers<void>();
    const deps = workerDeps(ground, {
      ...changes,
      queue,
      pollSeconds: 0.5,
      onSettled: () => {
        settled.resolve();
        settled = Promise.withResolvers<void>();
      },
    });
    for (const stage of stages) await startStageWorker(stage, deps);
    while (!(await until())) await settled.promise;
  } finally {
    await queue.stop();
  }
}
