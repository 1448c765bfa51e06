import type { PgBoss } from 'pg-boss';
import { expect } from 'vitest';
import { acceptTasks } from '../../src/answers/accept.ts';
import { type BrandTable, parseBrands } from '../../src/answers/brands.ts';
import { decideFinding } from '../../src/answers/decide-finding.ts';
import type { FindingDecision } from '../../src/answers/finding.ts';
import { BRANDS_SECTION, type CleanDeps, cleanStage } from '../../src/answers/pipeline.ts';
import { rawReader } from '../../src/answers/read-raw.ts';
import { reCleanAction } from '../../src/answers/replay.ts';
import { listResults, resultDetails } from '../../src/answers/results.ts';
import { uuid7 } from '../../src/core/ids.ts';
import { publish } from '../../src/core/rulebook.ts';
import { readRuns } from '../../src/core/run.ts';
import type { AtPoint } from '../../src/jobs/points.ts';
import { claimed, createQueues, workOn } from '../../src/jobs/worker.ts';
import type { Ground } from './databases.ts';
import type { task } from './tasks.ts';
import { workerDeps } from './worker.ts';

/** Cleaning by hand: nothing is claimed before a test says so. */
export interface Cleaning {
  /** Publishes brands; what is claimed from now on is cleaned by them. */
  putBrands(brands: unknown): Promise<void>;
  /** Takes tasks in and cleans them once. */
  cleanFirst(...tasks: ReturnType<typeof task>[]): Promise<void>;
  /** Asks for a re-cleaning, without doing it; gives the batch. */
  ask(ids: readonly string[], options?: { includeDecided?: boolean; batch?: string }): Promise<string>;
  /** Claims what waits in the stage's queue (or its retries), works on it and settles. */
  work(at?: AtPoint, queue?: string): Promise<number>;
  decide(id: string, decision: FindingDecision, by?: string): Promise<{ readonly revision: number }>;
  lines(id: string): Promise<Awaited<ReturnType<typeof resultDetails>>>;
  item(id: string): Promise<string>;
  runs(id: string): Promise<{ cause: string; outcome: string; code: string | null }[]>;
  /** How raw answers are read; may be replaced by a test. */
  readRaw: CleanDeps['readRaw'];
}

export async function openCleaning(ground: () => Ground): Promise<Cleaning> {
  const { database, queue } = ground();
  const boss: PgBoss = queue.boss;
  let brands: { version: number; compiled: BrandTable } = { version: 0, compiled: parseBrands([]) };
  const readInline = rawReader({ stores: new Map(), allowFiles: false });
  const stage = cleanStage({ brands: async () => brands, readRaw: (samples) => cleaning.readRaw(samples) });
  const action = reCleanAction({ readRaw: (samples) => cleaning.readRaw(samples), stage });
  await createQueues(queue, stage);
  const item = async (id: string) =>
    (await database.query<{ id: string }>('select id from answers_sample where clean_task_id = $1', [id])).rows[0]!.id;
  const cleaning: Cleaning = {
    readRaw: readInline,
    putBrands: async (list) => {
      const edit = { section: BRANDS_SECTION, content: { brands: list }, author: 'test' };
      const version = await database.transaction((tx) => publish(tx, edit));
      brands = { version, compiled: parseBrands(list) };
    },
    cleanFirst: async (...tasks) => {
      const deps = { database, boss, newId: () => uuid7(), brands: brands.compiled };
      const { rejected } = await acceptTasks(tasks, deps);
      expect(rejected).toEqual([]);
      await cleaning.work();
    },
    ask: async (ids, { includeDecided = false, batch = uuid7() } = {}) => {
      const scope = { ids: [...ids] };
      const last = await action.lastId(database, scope);
      const page = last === null ? [] : await action.page(database, scope, null, last, ids.length);
      const order = { scope, mode: 'apply', includeHuman: includeDecided, confirmCascade: false };
      await database.transaction((tx) =>
        action.enqueue(tx, boss, page, {
          ...{ ...order, batch, startedBy: 'test', startedAt: new Date() },
          ...{ rulebookVersion: brands.version, cancelled: false },
        }),
      );
      return batch;
    },
    work: async (at, name = stage.name) => {
      const jobs = await boss.fetch(name, { includeMetadata: true, batchSize: 100 });
      const { signal } = new AbortController();
      const deps = workerDeps({ database, queue }, at ? { at } : {});
      await workOn(
        stage,
        name,
        jobs.map((job) => claimed({ ...job, signal } as never)),
        deps,
      );
      return jobs.length;
    },
    decide: (id, decision, by = 'key:moderator') =>
      decideFinding({ database, readRaw: (samples) => cleaning.readRaw(samples) }, id, decision, by),
    lines: async (id) => resultDetails(database, await listResults(database, { clean_task_id: id }, 500)),
    item,
    runs: async (id) => {
      const found = await item(id);
      const runs = (await readRuns(database, [found])).get(found) ?? [];
      return runs.map(({ cause, outcome, errorCode }) => ({ cause, outcome, code: errorCode }));
    },
  };
  return cleaning;
}
