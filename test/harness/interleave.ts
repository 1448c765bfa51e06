import { decide } from '../../src/core/decide.ts';
import type { Machine } from '../../src/core/machine.ts';
import type { ClaimedJob } from '../../src/jobs/claim.ts';
import { enqueue } from '../../src/jobs/enqueue.ts';
import type { AtPoint, Point } from '../../src/jobs/points.ts';
import type { Queue } from '../../src/jobs/queue.ts';
import { claimed, createQueues, workOn } from '../../src/jobs/worker.ts';
import { openPostgres, type PostgresDatabase } from '../../src/storage/postgres.ts';
import { findBreaches } from './invariants.ts';
import { parcelMachine, parcelStage, passParcel, postParcels } from './parcel.ts';
import { workerDeps } from './worker.ts';

/** The named points at which a worker stops in these orders, and at which a person stops. */
export const WORKER_POINTS = ['loaded', 'settle.begun', 'settle.moved', 'settled'] as const satisfies readonly Point[];
export const HUMAN_POINTS = ['deciding', 'decided'] as const;

/** Who takes the next step: two workers and one human. */
export type Order = readonly (0 | 1 | 2)[];

const STEPS = [WORKER_POINTS.length, WORKER_POINTS.length, HUMAN_POINTS.length] as const;

/** Every order in which the three can take their steps: 10! / (4! 4! 2!) = 3,150. */
export function allOrders(): Order[] {
  const orders: Order[] = [];
  const extend = (order: (0 | 1 | 2)[], left: readonly number[]) => {
    if (left.every((n) => n === 0)) orders.push([...order]);
    for (const who of [0, 1, 2] as const) {
      if (!left[who]) continue;
      extend(
        [...order, who],
        left.map((n, i) => (i === who ? n - 1 : n)),
      );
    }
  };
  extend([], STEPS);
  return orders;
}

/** How the second worker comes to work on the same item. */
export type Rivalry = 'second job' | 'lost claim';

export interface Scene {
  readonly database: PostgresDatabase;
  readonly queue: Queue;
  readonly actors: readonly PostgresDatabase[];
  close(): Promise<void>;
}

/** One connection for each actor, so that who waits for whom can be seen in the database. */
export async function openScene(url: string, schema: string, database: PostgresDatabase, queue: Queue): Promise<Scene> {
  await createQueues(queue, parcelStage(passParcel));
  const actors = [0, 1, 2].map(() => openPostgres({ url, schema, poolSize: 1 }));
  return {
    database,
    queue,
    actors,
    close: async () => {
      for (const actor of actors) await actor.close();
    },
  };
}

/** Lets an actor go on to its next point, and no further. */
class Gate {
  #reached = Promise.withResolvers<void>();
  #go = Promise.withResolvers<void>();
  done = false;

  /** Called by the actor at a point: says that it is there and waits to be let on. */
  async stop(): Promise<void> {
    this.#reached.resolve();
    await this.#go.promise;
  }

  finish(): void {
    this.done = true;
    this.#reached.resolve();
  }

  /** Lets the actor on; the promise is the next point it will reach (or its end). */
  step(): Promise<void> {
    const go = this.#go;
    this.#go = Promise.withResolvers<void>();
    this.#reached = Promise.withResolvers<void>();
    go.resolve();
    return this.#reached.promise;
  }
}

export interface Outcome {
  readonly state: string;
  readonly humanAccepted: boolean;
  readonly acceptedRuns: number;
  readonly results: number;
  readonly breaches: readonly string[];
}

/** Plays one order on a fresh item and tells how it ended. */
export async function play(scene: Scene, order: Order, rivalry: Rivalry): Promise<Outcome> {
  const { database, queue, actors } = scene;
  const stage = parcelStage(passParcel);
  const [item] = (await postParcels(database, queue.boss, ['contested'])) as [string];
  const jobs = await twoClaims(scene, item, rivalry);
  const gates = [new Gate(), new Gate(), new Gate()] as const;
  let humanAccepted = false;

  const worker = async (n: 0 | 1, job: ClaimedJob) => {
    const stops = new Set<Point>(WORKER_POINTS);
    const at: AtPoint = (point) => (stops.delete(point) ? gates[n].stop() : undefined);
    await workOn(stage, stage.name, [job], {
      ...workerDeps({ database: actors[n]!, queue }),
      at,
      wait: async () => {},
      // A collision of keys is one of the ends that are allowed here.
      onError: () => {},
    });
    gates[n].finish();
  };
  const human = async () => {
    await actors[2]!.transaction(async (tx) => {
      await gates[2].stop();
      const done = await decide(tx, parcelMachine as unknown as Machine, {
        item,
        expectedRevision: 1,
        to: 'rejected',
        actor: 'human',
        actorId: 'moderator',
        reason: 'test',
      });
      humanAccepted = !(done instanceof Error);
      await gates[2].stop();
    });
    gates[2].finish();
  };
  const playing = [worker(0, jobs[0]), worker(1, jobs[1]), human()];
  let failed: unknown;
  for (const one of playing)
    one.catch((error) => {
      failed ??= error;
    });
  const ended = Promise.all(playing);
  for (const who of order) await stepOrBlock(scene, gates[who]);
  // Those that waited for a lock went on when it was released: their last steps are still owed.
  while (gates.some((gate) => !gate.done) && failed === undefined) {
    for (const gate of gates) if (!gate.done) await stepOrBlock(scene, gate);
  }
  await ended;
  const { rows } = await database.query<{ state: string; runs: number; results: number }>(
    `select state, (select count(*) from run where item = p.id and outcome = 'accepted') as runs,
            (select count(*) from parcel_result where item = p.id) as results
       from parcel p where id = $1`,
    [item],
  );
  const breaches = await findBreaches(database, parcelMachine as unknown as Machine, [stage.name], [item]);
  const { state, runs, results } = rows[0]!;
  return { state, humanAccepted, acceptedRuns: runs, results, breaches };
}

/**
 * Either the actor reaches its next point, or it waits for a lock that another one holds: then the others go on.
 */
async function stepOrBlock(scene: Scene, gate: Gate): Promise<void> {
  if (gate.done) return;
  const reached = gate.step().then(() => true);
  for (;;) {
    const first = await Promise.race([reached, new Promise<false>((resolve) => setTimeout(resolve, 3, false))]);
    if (first || (await anyBlocked(scene))) return;
  }
}

async function anyBlocked({ database }: Scene): Promise<boolean> {
  const { rows } = await database.query<{ n: number }>(
    `select count(*) as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database() and application_name like 'signalbox%'`,
  );
  return rows[0]!.n > 0;
}

async function twoClaims(scene: Scene, item: string, rivalry: Rivalry): Promise<[ClaimedJob, ClaimedJob]> {
  const { boss } = scene.queue;
  const fetch = async () => {
    const jobs = await boss.fetch('test.check', { includeMetadata: true, batchSize: 1 });
    const job = jobs[0];
    if (!job) throw new Error('no job to claim');
    return claimed({ ...job, signal: new AbortController().signal } as never);
  };
  if (rivalry === 'second job') {
    await scene.database.transaction(async (tx) => {
      await enqueue(tx, boss, [{ queue: 'test.check', data: { item, cv: 1, cause: 'live' } }]);
    });
    return [await fetch(), await fetch()];
  }
  const first = await fetch();
  // What the supervisor does to a claim without a heartbeat, with the job staying in this queue.
  await scene.database.query(
    `update ${scene.database.schema}_jobs.job set state = 'retry', retry_limit = 10, start_after = now() where name = 'test.check' and id = $1`,
    [first.id],
  );
  return [first, await fetch()];
}
