import type { ChildProcess } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { openStation, type Station } from '../src/cli/station.ts';
import { enqueue } from '../src/jobs/enqueue.ts';
import { type House, openHouse } from '../src/server/house.ts';
import { readHolder } from '../src/storage/folder-lock.ts';
import { checkInvariants, type Tally, tally } from './answers/accounts-of-samples.ts';
import { sampleTask } from './answers/sample-tasks.ts';
import { kill, type Proof, type ProofStage, terminate, until } from './proof.ts';

const KILLS = 10;
const WORKERS = 3;
const quiet = () => {};

export const proof: Proof = {
  claim:
    'each task posted twice and redelivered once by force, a worker killed with kill -9 every second: every task is completed once, with one result, its journal a path of the machine, its runs without a gap',
  run: async (stage) => {
    const total = stage.quick ? 500 : 5_000;
    const postgres = await onPostgres(stage, total);
    const embedded = await onEmbedded(stage, total);
    stage.table(
      'What came of it',
      [
        'database',
        'tasks',
        'kills',
        'completed',
        'results',
        'accepted runs',
        'skipped',
        'superseded',
        'lost claims',
        'dead letters',
        'breaches',
      ],
      [
        ['PostgreSQL', total, postgres.kills, ...columns(postgres.tally), postgres.breaches],
        ['PGlite', total, embedded.kills, ...columns(embedded.tally), embedded.breaches],
      ],
    );
  },
};

interface Outcome {
  readonly kills: number;
  readonly tally: Tally;
  readonly breaches: number;
}

const columns = (t: Tally) => [t.completed, t.results, t.accepted, t.skipped, t.superseded, t.lost, t.deadLetters];

function checkTally(stage: ProofStage, total: number, { kills, tally: t }: Outcome, where: string): void {
  stage.equal(t.samples, total, `${where}: samples`);
  stage.equal(t.completed, total, `${where}: completed`);
  stage.equal(t.results, total, `${where}: results`);
  stage.equal(t.accepted, total, `${where}: accepted runs`);
  stage.equal(t.deadLetters, 0, `${where}: dead letters`);
  stage.check(kills >= KILLS, `${where}: only ${kills} kills`);
  stage.check(t.lost > 0, `${where}: no kill met a worker with a claim`);
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => sampleTask(from + n));

async function onPostgres(stage: ProofStage, total: number): Promise<Outcome> {
  const { url } = await stage.postgres();
  const house = await openHouse({
    folder: null,
    databaseUrl: url,
    workers: false,
    anyFile: false,
    env: {},
    localKey: 'x'.repeat(32),
    onError: quiet,
  });
  const station = { house, api: stationOf(house) };
  const start = () => stage.start('src/main.ts', ['worker'], { DATABASE_URL: url });
  const workers = Array.from({ length: WORKERS }, start);
  let kills = 0;
  try {
    await post(station.api, range(0, 1));
    await until('the first worker to come up', 60, async () => (await tally(house.database)).completed === 1);
    for (let n = 0; n < KILLS; n += 1) {
      // Posted right before the kill, so that it meets workers in the middle of their batches.
      const [from, to] = [Math.round((total * n) / KILLS), Math.round((total * (n + 1)) / KILLS)];
      const tasks = range(from, to);
      await post(station.api, tasks);
      await post(station.api, tasks);
      await redeliver(house, from, to);
      await wait(20 + stage.random() * 120);
      const victim = Math.floor(stage.random() * WORKERS);
      await kill(workers[victim] as ChildProcess);
      kills += 1;
      workers[victim] = start();
      await wait(1000);
    }
    await until('all samples to be completed and all jobs to be done', 240, () => isDone(house, total));
    const outcome = {
      kills,
      tally: await tally(house.database),
      breaches: await checkInvariants(stage, house.database),
    };
    checkTally(stage, total, outcome, 'PostgreSQL');
    for (const worker of workers)
      stage.equal(await terminate(worker), 0, 'a worker that is told to stop ends with status');
    return outcome;
  } finally {
    await house.stop();
  }
}

async function onEmbedded(stage: ProofStage, total: number): Promise<Outcome> {
  const folder = stage.folder();
  const start = () => stage.start('src/main.ts', ['start', '--port', '0', '--data', folder]);
  let server = start();
  let kills = 0;
  for (let n = 0; n < KILLS; n += 1) {
    const [from, to] = [Math.round((total * n) / KILLS), Math.round((total * (n + 1)) / KILLS)];
    const station = await reach(folder);
    await post(station.api, range(from, to));
    // The second post is cut off by the kill more often than not; it is sent again to the next process.
    const again = post(station.api, range(from, to)).catch(quiet);
    await wait(20 + stage.random() * 200);
    await kill(server);
    await again;
    kills += 1;
    const house = await openHouse({
      folder,
      workers: false,
      anyFile: false,
      env: {},
      localKey: 'x'.repeat(32),
      onError: quiet,
    });
    await post(stationOf(house), range(from, to));
    await redeliver(house, from, to);
    await house.stop();
    server = start();
  }
  const station = await reach(folder);
  const queues = async () =>
    (
      await station.api<{ queues: { name: string; waiting: number; delayed: number; active: number }[] }>(
        'GET',
        '/queues',
      )
    ).queues;
  await until(
    'all jobs to be done',
    240,
    async () =>
      (await queues())
        .filter((q) => q.name.startsWith('answers.'))
        .every((q) => q.waiting + q.delayed + q.active === 0),
    1000,
  );
  stage.equal(await terminate(server), 0, 'the server that is told to stop ends with status');
  const house = await openHouse({ folder, workers: false, anyFile: false, env: {}, onError: quiet });
  try {
    const outcome = {
      kills,
      tally: await tally(house.database),
      breaches: await checkInvariants(stage, house.database),
    };
    checkTally(stage, total, outcome, 'PGlite');
    return outcome;
  } finally {
    await house.stop();
  }
}

type Api = Station['api'];

function stationOf(house: House): Api {
  return async (method, path, body) => {
    const response = await house.app.app.request(`/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${'x'.repeat(32)}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json() as never;
  };
}

async function post(api: Api, tasks: readonly unknown[]): Promise<void> {
  const answer = await api<{ accepted: number; duplicates: number; rejected: unknown[] }>(
    'POST',
    '/answers/clean-tasks',
    tasks,
  );
  if (answer.rejected.length || answer.accepted + answer.duplicates !== tasks.length) {
    throw new Error(`posting ${tasks.length} tasks: ${JSON.stringify(answer).slice(0, 300)}`);
  }
}

/** A second job for the same work, as a queue that delivers at least once makes it. */
async function redeliver(house: House, from: number, to: number): Promise<void> {
  const ids = Array.from({ length: to - from }, (_, n) => `task-${from + n}`);
  await house.database.transaction(async (tx) => {
    const { rows } = await tx.query<{ id: string }>(
      'select id from answers_sample where clean_task_id = any($1::text[])',
      [ids],
    );
    await enqueue(
      tx,
      house.queue.boss,
      rows.map(({ id }) => ({ queue: 'answers.clean', data: { item: id, cv: 1, cause: 'live' } })),
    );
  });
}

async function isDone(house: House, total: number): Promise<boolean> {
  const { rows } = await house.database.query<{ done: number; open: number }>(
    `select (select count(*) from answers_sample where state = 'completed') as done,
            (select count(*) from signalbox_jobs.job where name like 'answers.%' and state < 'completed') as open`,
  );
  return rows[0]!.done === total && rows[0]!.open === 0;
}

/** The running server, through what it wrote beside the lock of its folder. */
async function reach(folder: string): Promise<Station> {
  await until('the server to come up', 60, async () => Boolean(readHolder(folder)?.address), 50);
  return openStation({ folder, workers: false });
}
