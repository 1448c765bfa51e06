import { setImmediate as breathe } from 'node:timers/promises';
import type { Machine } from '../core/machine.ts';
import type { Step } from '../core/move.ts';
import { type ModelUse, NO_MODEL_USE, type RunError } from '../core/run.ts';
import { beginWalk } from '../core/walk.ts';
import type { Queryable } from '../storage/database.ts';
import { classifyError } from './classify.ts';
import { isBatch, type JobData } from './enqueue.ts';
import type { AtPoint } from './points.ts';
import type { AnyStage, StageItem } from './stage.ts';

/** A job as the queue handed it over. */
export interface ClaimedJob {
  readonly id: string;
  readonly data: JobData;
  readonly retryCount: number;
  /** Claims of this job, or of the one it fell out of, whose worker died. */
  readonly lostClaims: number;
  readonly signal: AbortSignal;
}

type Ended =
  | { readonly kind: 'accepted'; readonly result: unknown }
  | { readonly kind: 'failed'; readonly error: RunError & { readonly retryAfterSeconds?: number } }
  | { readonly kind: 'skipped' | 'superseded'; readonly reason: string }
  /** The item is gone: nothing to write about it. */
  | { readonly kind: 'gone' };

/** What came of one job, before anything was written. Times are on the worker's monotonic clock. */
export interface WorkedClaim {
  readonly job: ClaimedJob;
  readonly item: StageItem | null;
  readonly steps: (nowMs: number) => Step[];
  readonly state: string | null;
  readonly beganMs: number;
  readonly endedMs: number;
  readonly rulebookVersion: number | null;
  readonly use: ModelUse;
  readonly ended: Ended;
}

export interface ClaimDeps {
  readonly database: Queryable;
  readonly clockMs: () => number;
  readonly at?: AtPoint;
}

/** A batch of long answers computes for seconds: others get a turn of the event loop at least so often. */
const BREATHE_AFTER_MS = 20;

export const CLAIM_LOST = 'core.claim_lost';

/**
 * Works on a batch of jobs without a transaction: loads the items with one statement, does the stage's work on
 * each, and keeps what one item threw from the others. Jobs of items that are gone, already past this stage, or
 * at another content version end `gone`, `skipped`, `superseded`.
 */
export async function workOnClaims(
  stage: AnyStage,
  jobs: readonly ClaimedJob[],
  deps: ClaimDeps,
): Promise<WorkedClaim[]> {
  const { clockMs, at } = deps;
  const beganMs = clockMs();
  const items = new Map<string, StageItem>();
  for (const item of await stage.load(
    deps.database,
    jobs.map((job) => job.data.item),
  ))
    items.set(item.id, item);

  const worked: WorkedClaim[] = [];
  const ready: { job: ClaimedJob; item: StageItem }[] = [];
  for (const job of jobs) {
    const item = items.get(job.data.item);
    const ended = item ? endsBeforeWork(stage, job, item) : ({ kind: 'gone' } as const);
    if (ended) worked.push(notWorked(job, item ?? null, ended, beganMs, clockMs()));
    else ready.push({ job, item: item! });
  }
  await at?.(
    'loaded',
    ready.map(({ item }) => item.id),
  );
  if (!ready.length) return worked;

  let prepared: { context: unknown; rulebookVersion: number | null };
  try {
    prepared = await stage.prepare(
      deps.database,
      ready.map(({ item }) => item),
      ready.map(({ job }) => job.data.cause),
    );
  } catch (error) {
    const failed = { kind: 'failed', error: classifyError(error) } as const;
    for (const { job, item } of ready) worked.push(notWorked(job, item, failed, beganMs, clockMs()));
    return worked;
  }
  let breathedMs = clockMs();
  for (const { job, item } of ready) {
    worked.push(await workOnOne(stage, job, item, prepared, clockMs));
    if (clockMs() - breathedMs < BREATHE_AFTER_MS) continue;
    await breathe();
    breathedMs = clockMs();
  }
  await at?.(
    'worked',
    ready.map(({ item }) => item.id),
  );
  return worked;
}

function endsBeforeWork(stage: AnyStage, job: ClaimedJob, item: StageItem): Ended | null {
  if (item.contentVersion !== job.data.cv) return { kind: 'superseded', reason: 'core.content_changed' };
  const from = (isBatch(job.data.cause) && stage.replayFrom) || stage.from;
  if (!from.includes(item.state)) return { kind: 'skipped', reason: 'core.stage_passed' };
  const lost = (job.data.lost ?? 0) + job.lostClaims;
  if (lost < stage.retry.lost) return null;
  const message = `${lost} workers died with this item`;
  return { kind: 'failed', error: { code: CLAIM_LOST, errorClass: 'lost', message, detail: { lost } } };
}

async function workOnOne(
  stage: AnyStage,
  job: ClaimedJob,
  item: StageItem,
  { context, rulebookVersion }: { context: unknown; rulebookVersion: number | null },
  clockMs: () => number,
): Promise<WorkedClaim> {
  const beganMs = clockMs();
  const { cause } = job.data;
  const reason = stage.skip?.(item, { context, cause }) ?? null;
  if (reason !== null) return notWorked(job, item, { kind: 'skipped', reason }, beganMs, clockMs());
  const walk = beginWalk(stage.machine as Machine, item.state, stage.actor, clockMs);
  let use = NO_MODEL_USE;
  const spend = (more: ModelUse) => {
    use = {
      calls: use.calls + more.calls,
      cachedCalls: use.cachedCalls + more.cachedCalls,
      tokensIn: use.tokensIn + more.tokensIn,
      tokensOut: use.tokensOut + more.tokensOut,
      costMicros: use.costMicros + more.costMicros,
    };
  };
  const isReplay = stage.replayFrom !== undefined && isBatch(cause);
  let ended: Ended;
  try {
    const working = stage.work(item, { walk, context, cause, signal: job.signal, spend });
    ended = { kind: 'accepted', result: working instanceof Promise ? await working : working };
    if (isReplay) refuseOtherEdges(stage, walk.steps(clockMs()));
  } catch (error) {
    ended = { kind: 'failed', error: classifyError(error) };
  }
  // A replay that fails changes nothing, however far it came.
  const stays = isReplay && ended.kind !== 'accepted';
  const steps = stays ? () => [] : walk.steps;
  const state = stays ? item.state : walk.state;
  return { job, item, steps, state, beganMs, endedMs: clockMs(), rulebookVersion, use, ended };
}

/** A mistake of the programmer: a replay that would take an item through its working states shows them to everybody. */
function refuseOtherEdges({ machine, name }: AnyStage, steps: readonly Step[]): void {
  for (const { from, to } of steps) {
    if (!machine.replay?.some((edge: readonly [string, string]) => edge[0] === from && edge[1] === to)) {
      throw new Error(`${name}: '${from}' → '${to}' is no edge of a replay`);
    }
  }
}

function notWorked(
  job: ClaimedJob,
  item: StageItem | null,
  ended: Ended,
  beganMs: number,
  endedMs: number,
): WorkedClaim {
  const state = item?.state ?? null;
  return { job, item, steps: () => [], state, beganMs, endedMs, rulebookVersion: null, use: NO_MODEL_USE, ended };
}
