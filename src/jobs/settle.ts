import type { PgBoss } from 'pg-boss';
import type { NewId } from '../core/ids.ts';
import { type Move, move } from '../core/move.ts';
import { type NewEvent, recordEvents } from '../core/outbox.ts';
import { type NewRun, recordRuns } from '../core/run.ts';
import type { Tx } from '../storage/database.ts';
import { CLAIM_LOST, type WorkedClaim } from './claim.ts';
import { type NewDeadLetter, recordDeadLetters } from './dead-letter.ts';
import { type Disposition, disposeOf } from './disposition.ts';
import { enqueue, type NewJob } from './enqueue.ts';
import type { AtPoint } from './points.ts';
import { inTransaction } from './queue.ts';
import type { AnyStage, Done, GivenUp, StageItem } from './stage.ts';

export interface SettleDeps {
  readonly boss: PgBoss;
  readonly worker: string;
  readonly clockMs: () => number;
  readonly nowMs: () => number;
  readonly random: () => number;
  readonly newId: NewId;
  readonly at?: AtPoint;
}

/** A claim with its decision and the ids of what will be written about it. */
interface Entry {
  readonly claim: WorkedClaim;
  readonly item: StageItem;
  readonly run: string;
  readonly disposition: Disposition;
}

export interface Settled {
  /** Jobs whose claim had passed to somebody else: nothing of theirs was written. */
  readonly stale: readonly string[];
  readonly outcomes: Readonly<Record<string, number>>;
}

/** How the library answers `complete` at run time; its declared type is empty. */
interface Completion {
  readonly affected: number;
  readonly settled?: readonly string[];
}

/**
 * Writes everything that follows from a batch of claims in the caller's transaction, in this order:
 * the jobs' completion (the fence: a claim that was lost completes no row, and nothing of it is written), the
 * moves, the results of items that were still as read, the runs, the dead letters, the next jobs, the events.
 * An item that somebody moved meanwhile is refused by the move: its run is recorded as superseded.
 * Each item may appear once in a batch.
 */
export async function settle(
  tx: Tx,
  stage: AnyStage,
  queue: string,
  claims: readonly WorkedClaim[],
  deps: SettleDeps,
): Promise<Settled> {
  const { boss, at } = deps;
  const ids = claims.map((claim) => claim.job.data.item);
  await at?.('settle.begun', ids);
  const jobs = claims.map(({ job }) => ({ id: job.id, retryCount: job.retryCount }));
  const completion = (await boss.complete(queue, jobs, undefined, { db: inTransaction(tx) })) as unknown as Completion;
  const held = new Set(completion.settled ?? []);
  await at?.('settle.fenced', ids);

  const nowMs = deps.nowMs();
  const entries: Entry[] = [];
  for (const claim of claims) {
    if (!held.has(claim.job.id) || !claim.item) continue;
    const disposition = disposeOf(stage, claim, deps.random(), nowMs);
    entries.push({ claim, item: claim.item, run: deps.newId(), disposition });
  }
  const clockMs = deps.clockMs();
  const acting = entries.filter(
    ({ disposition }) => disposition.outcome !== 'skipped' && disposition.outcome !== 'superseded',
  );
  const { moved } = await move(
    tx,
    stage.machine,
    acting.map((entry) => moveOf(stage, entry, clockMs)),
  );
  await at?.('settle.moved', ids);

  const stands = (entry: Entry) => moved.has(entry.item.id);
  const done = entries.filter((entry) => entry.disposition.outcome === 'accepted' && stands(entry));
  if (done.length) await stage.save(tx, done.map(doneOf));
  const late = entries.filter((entry) => entry.disposition.outcome === 'accepted' && !stands(entry));
  if (late.length) await stage.saveLate?.(tx, late.map(doneOf));
  await at?.('settle.saved', ids);
  await recordRuns(
    tx,
    entries.flatMap((entry) => runsOf(stage, entry, stands(entry), clockMs, deps)),
  );

  const next: NewJob[] = [];
  const events: NewEvent[] = [];
  for (const entry of done) {
    const after = stage.after?.(entry.item, (entry.claim.ended as { result: unknown }).result);
    for (const { stage: queueName, item, contentVersion, lane } of after?.next ?? []) {
      const data = { item, cv: contentVersion, cause: entry.claim.job.data.cause, ...(lane ? { lane } : {}) };
      next.push({ queue: queueName, data });
    }
    events.push(...(after?.events ?? []));
  }
  const givenUp = entries.filter((entry) => entry.disposition.giveUp && stands(entry));
  if (givenUp.length) {
    const letters = givenUp.map((entry) => letterOf(stage, entry, deps));
    await recordDeadLetters(tx, letters);
    await stage.saveGivenUp?.(tx, givenUp.map(givenUpOf));
    for (const { item, id, stage: name, code } of letters) {
      const data = { dead_letter: id, stage: name, code };
      events.push({ type: 'core.dead_letter.created', item, origin: 'live', data });
    }
  }
  for (const entry of entries) {
    if (entry.disposition.again && stands(entry)) next.push(entry.disposition.again);
  }
  await enqueue(tx, boss, next);
  await recordEvents(tx, events);
  await at?.('settle.enqueued', ids);
  return {
    stale: claims.filter((claim) => !held.has(claim.job.id)).map((claim) => claim.job.id),
    outcomes: countBy(entries, (entry) => outcomeOf(entry, stands(entry))),
  };
}

function moveOf(stage: AnyStage, { claim, item, run, disposition }: Entry, clockMs: number): Move {
  const steps = claim.steps(clockMs);
  if (disposition.giveUp)
    steps.push({ from: claim.state ?? item.state, to: stage.givenUp, ageMs: Math.max(0, clockMs - claim.endedMs) });
  const reason = disposition.error?.code ?? null;
  return { item: item.id, version: item.version, steps, actor: stage.actor, reason, run };
}

/** Only what acts on the item can be superseded by whoever acted meanwhile. */
function outcomeOf({ disposition }: Entry, stands: boolean): NewRun['outcome'] {
  const { outcome } = disposition;
  return stands || outcome === 'skipped' ? outcome : 'superseded';
}

/** The run of this claim, after one for each claim that was lost before it. */
function runsOf(stage: AnyStage, entry: Entry, stands: boolean, clockMs: number, deps: SettleDeps): NewRun[] {
  const { claim, item, run, disposition } = entry;
  const { job } = claim;
  const base = {
    machine: stage.machine.name,
    item: item.id,
    stage: stage.name,
    contentVersion: job.data.cv,
    rulebookVersion: claim.rulebookVersion,
    cause: job.data.cause,
    worker: deps.worker,
    job: job.id,
    beganAgoMs: Math.max(0, clockMs - claim.beganMs),
    endedAgoMs: Math.max(0, clockMs - claim.endedMs),
  };
  const lost = Array.from({ length: job.lostClaims }, (): NewRun => {
    const error = { code: CLAIM_LOST, errorClass: 'lost', message: 'the worker died with the claim' } as const;
    return { ...base, id: deps.newId(), worker: 'unknown', endedAgoMs: base.beganAgoMs, outcome: 'lost', error };
  });
  const error = disposition.error ?? (stands ? null : SUPERSEDED);
  return [...lost, { ...base, id: run, outcome: outcomeOf(entry, stands), error, use: claim.use }];
}

const SUPERSEDED = {
  code: 'core.superseded',
  errorClass: 'permanent',
  message: 'somebody acted on the item while this run was at work',
} as const;

function doneOf({ claim, item, run }: Entry): Done<StageItem, unknown> {
  const { result } = claim.ended as { result: unknown };
  return { item, result, run, cause: claim.job.data.cause, rulebookVersion: claim.rulebookVersion };
}

function givenUpOf({ item, run, disposition }: Entry): GivenUp<StageItem> {
  return { item, run, code: disposition.error?.code ?? '', message: disposition.error?.message ?? '' };
}

function letterOf(stage: AnyStage, { claim, item, disposition }: Entry, deps: SettleDeps): NewDeadLetter {
  return {
    id: deps.newId(),
    machine: stage.machine.name,
    item: item.id,
    stage: stage.name,
    reached: claim.state ?? item.state,
    contentVersion: claim.job.data.cv,
    cause: claim.job.data.cause,
    inputRef: stage.inputRef(item),
    code: disposition.error?.code ?? '',
    errorClass: disposition.error?.errorClass ?? 'permanent',
    message: disposition.error?.message ?? '',
  };
}

function countBy<T>(list: readonly T[], key: (one: T) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const one of list) counts[key(one)] = (counts[key(one)] ?? 0) + 1;
  return counts;
}
