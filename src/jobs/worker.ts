import { setImmediate as breathe } from 'node:timers/promises';
import type { JobResult, JobWithMetadata } from 'pg-boss';
import { CodedError } from '../errors/coded-error.ts';
import type { Database } from '../storage/database.ts';
import { type ClaimedJob, type WorkedClaim, workOnClaims } from './claim.ts';
import { isDatabaseBlip, sqlState } from './classify.ts';
import { retryQueue } from './disposition.ts';
import type { JobData } from './enqueue.ts';
import { type Queue, RETENTION_SECONDS } from './queue.ts';
import { type SettleDeps, settle } from './settle.ts';
import type { AnyStage } from './stage.ts';

export interface WorkerDeps extends Omit<SettleDeps, 'boss'> {
  readonly database: Database;
  readonly queue: Queue;
  /** Seconds after which a claim without a sign of life is lost; the library's minimum is 10. */
  readonly heartbeatSeconds?: number;
  /** Seconds between polls; NOTIFY only makes it faster. */
  readonly pollSeconds?: number;
  readonly onSettled?: (stage: string, outcomes: Readonly<Record<string, number>>, stale: number) => void;
  readonly onError?: (error: unknown, where: string) => void;
  /** Waits before a settlement is tried again; injected, so that tests do not wait. */
  readonly wait?: (ms: number) => Promise<void>;
}

const SETTLE_TRIES = 60;
const SETTLE_WAIT_MS = 500;

/**
 * Creates the two queues of a stage: first attempts (no retries: a lost claim falls into the other by the
 * library's dead-letter link, so that an item which kills its worker is alone the second time), and later tries,
 * one job a claim. The second queue's own limit is out of reach: how often a claim may be lost is counted and
 * ended by our claims, with a dead letter of ours (see docs/adr/0002).
 */
export async function createQueues(queue: Queue, stage: AnyStage, heartbeatSeconds = 15): Promise<void> {
  const shared = {
    retentionSeconds: RETENTION_SECONDS,
    // Finished jobs leave the hot table soon; the journal and the runs tell what happened.
    deleteAfterSeconds: 3600,
    expireInSeconds: stage.expireSeconds,
    heartbeatSeconds,
    notify: true,
  };
  // Two items that were lost with one worker come back at different times, so that the one which killed it does not
  // take the other along again.
  const later = { ...shared, retryLimit: 10_000, retryDelay: 1, retryBackoff: true, retryDelayMax: 60 };
  const first = { ...shared, retryLimit: 0, deadLetter: retryQueue(stage.name) };
  const known = new Set((await queue.boss.getQueues([stage.name, retryQueue(stage.name)])).map(({ name }) => name));
  for (const [name, options] of [
    [retryQueue(stage.name), later],
    [stage.name, first],
  ] as const) {
    if (known.has(name)) await queue.boss.updateQueue(name, options);
    else await queue.boss.createQueue(name, options);
  }
}

/**
 * Works on a stage's two queues until the queue is stopped. The queues exist already. Second tries are one at a time in
 * each process: a storm of failures never starves first attempts, and an item that kills its worker is alone with it.
 * (With two at a time the same neighbour was twice beside it, by chance, and was given up as well.)
 */
export async function startStageWorker(stage: AnyStage, deps: WorkerDeps): Promise<void> {
  await claimFrom(stage, stage.name, stage.batch, stage.concurrency, deps);
  await claimFrom(stage, retryQueue(stage.name), 1, 1, deps);
}

/**
 * Each claimer polls by itself. One that got a full batch asks again at once: the library does that for batches of
 * two and more only, and one that sleeps between single jobs drains a backlog at two jobs a second.
 */
async function claimFrom(
  stage: AnyStage,
  queueName: string,
  batchSize: number,
  claimers: number,
  deps: WorkerDeps,
): Promise<void> {
  const { boss } = deps.queue;
  const poll = deps.pollSeconds ?? 2;
  const options = {
    batchSize,
    pollingIntervalSeconds: poll,
    notifyPollingIntervalSeconds: poll,
    // Where a job fell out of is told with its metadata only; nothing falls into the first queue.
    includeMetadata: queueName !== stage.name,
    perJobResults: true,
  };
  for (let n = 0; n < claimers; n += 1) {
    let self: string | undefined;
    const handler = async (jobs: JobWithMetadata<JobData>[]): Promise<JobResult[]> => {
      const results = await workOn(stage, queueName, jobs.map(claimed), deps);
      if (self !== undefined && jobs.length === batchSize) boss.notifyWorker(self);
      leaveToTheLibrary(jobs, results);
      return results;
    };
    self = await boss.work<JobData, unknown>(queueName, options, handler as never);
  }
}

/**
 * Takes what our transaction has settled off the library's list: its own statement for a hundred settled jobs would
 * change nothing and was a tenth of the server's work on a batch (ADR 5). Those that could not be settled stay on it.
 */
function leaveToTheLibrary(jobs: JobWithMetadata<JobData>[], results: readonly JobResult[]): void {
  const failed = new Set(results.filter(({ status }) => status === 'failed').map(({ id }) => id));
  const left = jobs.filter(({ id }) => failed.has(id));
  jobs.splice(0, jobs.length, ...left);
}

export function claimed(job: JobWithMetadata<JobData>): ClaimedJob {
  // A copy that fell out of the first queue says where from; each restart of a job in place adds one.
  const lostClaims = job.retryCount + (job.sourceName ? 1 : 0);
  return { id: job.id, data: job.data, retryCount: job.retryCount, lostClaims, signal: job.signal };
}

/** Works on claimed jobs of one queue and settles them. */
export async function workOn(
  stage: AnyStage,
  queueName: string,
  jobs: readonly ClaimedJob[],
  deps: WorkerDeps,
): Promise<JobResult[]> {
  await deps.at?.(
    'claimed',
    jobs.map((job) => job.data.item),
  );
  const results: JobResult[] = [];
  for (const round of withoutRepeats(jobs)) {
    const worked = await workOnClaims(stage, round, deps);
    results.push(...(await settleOrSplit(stage, queueName, worked, deps)));
    // On the embedded database all of this is computing: without a turn of the event loop no request is answered and no
    // signal heard until the backlog is gone (17 s with 6,000 answers).
    await breathe();
  }
  await deps.at?.(
    'settled',
    jobs.map((job) => job.data.item),
  );
  return results;
}

/** Two jobs of one item in one claim are worked on one after the other. */
function withoutRepeats(jobs: readonly ClaimedJob[]): ClaimedJob[][] {
  const rounds: ClaimedJob[][] = [];
  const seen = new Map<string, number>();
  for (const job of jobs) {
    const round = seen.get(job.data.item) ?? 0;
    seen.set(job.data.item, round + 1);
    rounds[round] ??= [];
    rounds[round].push(job);
  }
  return rounds;
}

/**
 * Settles a batch in one transaction; when that fails for any reason but an unreachable database, each claim
 * alone, so that one broken result does not undo its neighbours. A claim that cannot be settled alone is handed
 * back to the queue as failed, which leads into the retry lane as a lost claim.
 */
async function settleOrSplit(
  stage: AnyStage,
  queueName: string,
  worked: readonly WorkedClaim[],
  deps: WorkerDeps,
): Promise<JobResult[]> {
  try {
    await settleInTransaction(stage, queueName, worked, deps);
    return worked.map(({ job }) => ({ id: job.id, status: 'completed' }));
  } catch (error) {
    if (worked.length === 1) {
      deps.onError?.(error, `settling ${stage.name}`);
      return [{ id: worked[0]!.job.id, status: 'failed', output: { message: String(error) } }];
    }
    // A collision of keys is what splitting is for; anything else is worth telling.
    if (!sqlState(error)?.startsWith('23')) deps.onError?.(error, `settling a batch of ${stage.name}`);
    const results: JobResult[] = [];
    for (const one of worked) results.push(...(await settleOrSplit(stage, queueName, [one], deps)));
    return results;
  }
}

/**
 * While the database cannot be reached the result is kept and settling is tried again: the fence makes a second
 * settlement of a committed one (its answer was lost with the connection) write nothing.
 */
async function settleInTransaction(
  stage: AnyStage,
  queueName: string,
  worked: readonly WorkedClaim[],
  deps: WorkerDeps,
): Promise<void> {
  const wait = deps.wait ?? ((ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)));
  for (let attempt = 1; ; attempt += 1) {
    try {
      const settled = await deps.database.transaction((tx) =>
        settle(tx, stage, queueName, worked, { ...deps, boss: deps.queue.boss }),
      );
      deps.onSettled?.(stage.name, settled.outcomes, settled.stale.length);
      return;
    } catch (error) {
      if (attempt >= SETTLE_TRIES || error instanceof CodedError || !isDatabaseBlip(error)) throw error;
      deps.onError?.(error, `settling ${stage.name}, try ${attempt}`);
      await wait(SETTLE_WAIT_MS);
    }
  }
}
