import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decide } from '../../src/core/decide.ts';
import type { Machine } from '../../src/core/machine.ts';
import { CodedError } from '../../src/errors/coded-error.ts';
import type { ClaimedJob } from '../../src/jobs/claim.ts';
import { enqueue } from '../../src/jobs/enqueue.ts';
import { redrive } from '../../src/jobs/redrive.ts';
import { claimed, createQueues, workOn } from '../../src/jobs/worker.ts';
import { openGround } from '../harness/databases.ts';
import { findBreaches } from '../harness/invariants.ts';
import { PARCEL_TABLES, parcelMachine, parcelStage, postParcels } from '../harness/parcel.ts';
import { workerDeps } from '../harness/worker.ts';

const machine = parcelMachine as unknown as Machine;
const QUEUES = ['test.check', 'test.check.retry'] as const;

/** What happens to the work on a claim, chosen by the run. */
type Fate = 'passes' | 'transient' | 'permanent' | 'postponed';

/**
 * Random commands on a real database; the invariants of the core are checked after each. The model is small: how
 * many items were posted, which were decided by a human and how. Everything else must follow from the invariants.
 */
class World {
  readonly posted: string[] = [];
  readonly decisions = new Map<string, string>();
  /** Claims that workers hold, each with the queue it came from; a lost one may still be settled, late. */
  readonly held: { job: ClaimedJob; queue: (typeof QUEUES)[number] }[] = [];
  fates: Fate[] = [];
  readonly ground: Awaited<ReturnType<typeof openGround>>;
  readonly stage = parcelStage(
    (_item, { walk }) => {
      if (walk.state === 'new') walk.take({ from: 'new', to: 'checking' });
      const fate = this.fates.shift() ?? 'passes';
      if (fate === 'transient') throw new CodedError('test.blip', 'transient', 'may pass');
      if (fate === 'permanent') throw new CodedError('test.broken', 'permanent', 'will not pass');
      if (fate === 'postponed') throw new CodedError('test.later', 'postponed', 'later', { retryAfterSeconds: 1 });
      walk.take({ from: 'checking', to: 'passed' });
      return 'passed';
    },
    { batch: 10 },
  );

  constructor(ground: Awaited<ReturnType<typeof openGround>>) {
    this.ground = ground;
  }

  get jobs(): string {
    return `"${this.ground.database.schema}_jobs".job`;
  }

  async check(): Promise<void> {
    const { database } = this.ground;
    expect(await findBreaches(database, machine, ['test.check'])).toEqual([]);
    const { rows } = await database.query<{
      id: string;
      state: string;
      results: number;
      accepted: number;
      letters: number;
    }>(
      `select p.id, p.state, (select count(*)::int from parcel_result r where r.item = p.id) as results,
              (select count(*)::int from run u where u.item = p.id and u.outcome = 'accepted') as accepted,
              (select count(*)::int from dead_letter d where d.item = p.id and d.redriven_at is null) as letters
         from parcel p`,
    );
    expect(rows).toHaveLength(this.posted.length);
    for (const { id, state, results, accepted, letters } of rows) {
      expect(results, `results of ${id}`).toBe(accepted);
      const decided = this.decisions.get(id);
      if (decided !== undefined) expect(state, `what a human decided about ${id}`).toBe(decided);
      if (state === 'failed') expect(letters, `dead letters of ${id}`).toBe(1);
    }
  }
}

interface Command {
  run(world: World): Promise<void>;
  toString(): string;
}

const post = (n: number): Command => ({
  toString: () => `post(${n})`,
  run: async (world) => {
    const { database, queue } = world.ground;
    world.posted.push(
      ...(await postParcels(
        database,
        queue.boss,
        Array.from({ length: n }, (_, k) => `p${k}`),
      )),
    );
  },
});

const deliverAgain = (pick: number): Command => ({
  toString: () => `deliverAgain(${pick})`,
  run: async (world) => {
    const item = world.posted[pick % Math.max(1, world.posted.length)];
    if (!item) return;
    const { database, queue } = world.ground;
    await database.transaction((tx) =>
      enqueue(tx, queue.boss, [{ queue: 'test.check', data: { item, cv: 1, cause: 'live' } }]),
    );
  },
});

const claim = (n: number, later: boolean): Command => ({
  toString: () => `claim(${n}, ${later ? 'retry' : 'first'})`,
  run: async (world) => {
    const queue = QUEUES[later ? 1 : 0];
    const jobs = await world.ground.queue.boss.fetch(queue, {
      includeMetadata: true,
      batchSize: n,
      ignoreStartAfter: true,
    });
    for (const job of jobs)
      world.held.push({ queue, job: claimed({ ...job, signal: new AbortController().signal } as never) });
  },
});

const settleSome = (pick: number, n: number, fates: Fate[]): Command => ({
  toString: () => `settle(${pick}, ${n}, ${fates.join('/')})`,
  run: async (world) => {
    const queue = world.held[pick % Math.max(1, world.held.length)]?.queue;
    if (!queue) return;
    const batch = world.held.filter((one) => one.queue === queue).slice(0, n);
    world.fates = [...fates];
    const results = await workOn(
      world.stage,
      queue,
      batch.map(({ job }) => job),
      workerDeps(world.ground, { wait: async () => {} }),
    );
    // What could not be settled is handed back as failed: the library then moves the job to the other queue.
    expect(results.filter(({ status }) => status !== 'completed')).toEqual([]);
    for (const one of batch) world.held.splice(world.held.indexOf(one), 1);
  },
});

/** The worker of a claim is taken for dead: the job goes on its way, the claim stays in the dead one's hands. */
const loseClaims = (share: number): Command => ({
  toString: () => `lose(${share})`,
  run: async (world) => {
    const lost = world.held.filter((_, n) => n % share === 0);
    for (const { job, queue } of lost)
      await world.ground.queue.boss.fail(queue, [{ id: job.id, retryCount: job.retryCount } as never], { lost: true });
  },
});

/** The worker is gone for good: nobody will settle the claim. */
const forgetClaims = (share: number): Command => ({
  toString: () => `forget(${share})`,
  run: async (world) => {
    const gone = world.held.filter((_, n) => n % share === 0);
    for (const { job, queue } of gone)
      await world.ground.queue.boss.fail(queue, [{ id: job.id, retryCount: job.retryCount } as never], { lost: true });
    for (const one of gone) world.held.splice(world.held.indexOf(one), 1);
  },
});

const humanDecides = (pick: number, to: 'passed' | 'rejected', fresh: boolean): Command => ({
  toString: () => `human(${pick}, ${to}${fresh ? '' : ', stale'})`,
  run: async (world) => {
    const item = world.posted[pick % Math.max(1, world.posted.length)];
    if (!item) return;
    const { database } = world.ground;
    const { rows } = await database.query<{ revision: number }>('select revision from parcel where id = $1', [item]);
    const expectedRevision = rows[0]!.revision - (fresh ? 0 : 1);
    const decision = { item, expectedRevision, to, actor: 'human' as const, actorId: 'h', reason: 'test' };
    const done = await database.transaction((tx) => decide(tx, machine, decision));
    if (!(done instanceof Error)) {
      expect(fresh).toBe(true);
      world.decisions.set(item, to);
    }
  },
});

const redriveAll: Command = {
  toString: () => 'redrive',
  run: async (world) => {
    const { database, queue } = world.ground;
    await redrive(database, queue.boss, [world.stage], {}, 'operator');
  },
};

const fate = fc.constantFrom<Fate>('passes', 'passes', 'transient', 'permanent', 'postponed');
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 4 }).map(post) },
  { weight: 2, arbitrary: fc.nat(20).map(deliverAgain) },
  { weight: 5, arbitrary: fc.tuple(fc.integer({ min: 1, max: 6 }), fc.boolean()).map(([n, later]) => claim(n, later)) },
  {
    weight: 5,
    arbitrary: fc
      .tuple(fc.nat(20), fc.integer({ min: 1, max: 6 }), fc.array(fate, { maxLength: 6 }))
      .map(([p, n, f]) => settleSome(p, n, f)),
  },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 3 }).map(loseClaims) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 3 }).map(forgetClaims) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.nat(20), fc.constantFrom('passed' as const, 'rejected' as const), fc.boolean())
      .map(([p, to, fresh]) => humanDecides(p, to, fresh)),
  },
  { weight: 1, arbitrary: fc.constant(redriveAll) },
);

describe.each(['pglite', 'postgres'] as const)('random commands on %s', (kind) => {
  let ground: Awaited<ReturnType<typeof openGround>>;
  beforeAll(async () => {
    ground = await openGround(kind);
    await ground.database.script(PARCEL_TABLES);
    await createQueues(
      ground.queue,
      parcelStage(() => ''),
    );
  });
  afterAll(() => ground.close());

  const numRuns = Number(process.env.SIGNALBOX_MODEL_RUNS ?? 25);
  const seed = Number(process.env.SIGNALBOX_SEED ?? Date.now() % 2 ** 31);
  test(`keep the invariants after each (${numRuns} runs, seed ${seed})`, {
    timeout: 30_000 + numRuns * 3_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 30 }), async (commands) => {
        const world = new World(ground);
        await ground.database.script(
          `truncate parcel, parcel_result, journal, run, dead_letter, outbox; delete from ${world.jobs}`,
        );
        for (const one of commands) {
          await one.run(world);
          await world.check();
        }
      }),
      { numRuns, seed },
    );
  });
});
