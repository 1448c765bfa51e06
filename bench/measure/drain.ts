import { uuid7 } from '../../src/core/ids.ts';
import { openQueue } from '../../src/jobs/queue.ts';
import type { AnyStage } from '../../src/jobs/stage.ts';
import { startStageWorker } from '../../src/jobs/worker.ts';
import type { PostgresDatabase } from '../../src/storage/postgres.ts';

/** Workers that are ready and do nothing until told to: opening them is not part of what is measured. */
export interface Drain {
  /** Starts the stages' workers and resolves when `count` items have passed the last stage. */
  run(count: number): Promise<void>;
  stop(): Promise<void>;
}

/** The product's own workers, set as in production. Any outcome but an accepted one ends the measurement. */
export async function openDrain(database: PostgresDatabase, stages: readonly AnyStage[]): Promise<Drain> {
  const queue = await openQueue(database, { workers: true, onError: (error) => fail(error) });
  const last = stages.at(-1)!.name;
  const { promise: failed, reject: fail } = Promise.withResolvers<never>();
  failed.catch(() => {});
  return {
    run: async (count) => {
      const { promise: done, resolve } = Promise.withResolvers<void>();
      let left = count;
      for (const stage of stages) {
        await startStageWorker(stage, {
          database,
          queue,
          worker: 'bench',
          clockMs: () => performance.now(),
          nowMs: Date.now,
          random: Math.random,
          newId: () => uuid7(),
          onSettled: (name, outcomes, stale) => {
            const { accepted = 0, ...others } = outcomes;
            if (stale || Object.keys(others).length) {
              fail(new Error(`${name}: ${JSON.stringify(outcomes)}, ${stale} stale`));
            }
            if (name === last) left -= accepted;
            if (left <= 0) resolve();
          },
          onError: (error) => fail(error),
        });
      }
      await Promise.race([done, failed]);
    },
    stop: () => queue.stop(),
  };
}
