import type { ErrorClass } from '../errors/coded-error.ts';
import type { Queryable, Tx } from '../storage/database.ts';

export type RunOutcome = 'accepted' | 'failed' | 'postponed' | 'superseded' | 'skipped' | 'lost';

/** What a run spent on models. */
export interface ModelUse {
  readonly calls: number;
  readonly cachedCalls: number;
  readonly tokensIn: number;
  readonly tokensOut: number;
  /** Millionths of the currency that the registry's prices are in. */
  readonly costMicros: number;
}

export const NO_MODEL_USE: ModelUse = { calls: 0, cachedCalls: 0, tokensIn: 0, tokensOut: 0, costMicros: 0 };

export interface RunError {
  readonly code: string;
  readonly errorClass: ErrorClass;
  readonly message: string;
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** One attempt at one stage of one content version of an item. The attempt's number is given when it is written. */
export interface NewRun {
  readonly id: string;
  readonly machine: string;
  readonly item: string;
  readonly stage: string;
  readonly contentVersion: number;
  readonly rulebookVersion: number | null;
  /** `live`, `edit`, or the id of a batch. */
  readonly cause: string;
  readonly worker: string;
  readonly job: string | null;
  /** How long ago it began and ended, in milliseconds as the worker measured them; the database has the time. */
  readonly beganAgoMs: number;
  readonly endedAgoMs: number;
  readonly outcome: RunOutcome;
  readonly error?: RunError | null;
  readonly use?: ModelUse;
}

/**
 * Appends runs, numbering the attempts of each (item, stage, content version, cause) without a gap. Two at once
 * for the same one collide on the primary key: the later transaction fails (23505) and tries again.
 * A second accepted run fails on `run_one_accepted`.
 */
export async function recordRuns(tx: Tx, runs: readonly NewRun[]): Promise<void> {
  if (!runs.length) return;
  await tx.query(
    `insert into run (id, machine, item, stage, content_version, rulebook_version, cause, attempt, worker, job,
                      started_at, ended_at, outcome, error_code, error_class, error_message, error_detail,
                      calls, cached_calls, tokens_in, tokens_out, cost_micros)
     select r.id, r.machine, r.item, r.stage, r.cv, r.rv, r.cause,
            coalesce((select max(p.attempt) from run p
                       where p.item = r.item and p.stage = r.stage and p.content_version = r.cv and p.cause = r.cause), 0)
              + row_number() over (partition by r.item, r.stage, r.cv, r.cause order by r.place),
            r.worker, r.job, now_here() - r.began * interval '1 millisecond', now_here() - r.ended * interval '1 millisecond',
            r.outcome, r.code, r.class, r.message, r.detail::jsonb, r.calls, r.cached, r.tin, r.tout, r.cost
       from unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::int[], $6::int[], $7::text[], $8::text[],
                   $9::uuid[], $10::float8[], $11::float8[], $12::text[], $13::text[], $14::text[], $15::text[],
                   $16::text[], $17::int[], $18::int[], $19::bigint[], $20::bigint[], $21::bigint[]) with ordinality
         as r(id, machine, item, stage, cv, rv, cause, worker, job, began, ended, outcome, code, class, message,
              detail, calls, cached, tin, tout, cost, place)`,
    [
      runs.map((run) => run.id),
      runs.map((run) => run.machine),
      runs.map((run) => run.item),
      runs.map((run) => run.stage),
      runs.map((run) => run.contentVersion),
      runs.map((run) => run.rulebookVersion),
      runs.map((run) => run.cause),
      runs.map((run) => run.worker),
      runs.map((run) => run.job),
      runs.map((run) => run.beganAgoMs),
      runs.map((run) => run.endedAgoMs),
      runs.map((run) => run.outcome),
      runs.map((run) => run.error?.code ?? null),
      runs.map((run) => run.error?.errorClass ?? null),
      runs.map((run) => run.error?.message.slice(0, 500) ?? null),
      runs.map((run) => (run.error?.detail ? JSON.stringify(run.error.detail) : null)),
      runs.map((run) => run.use?.calls ?? 0),
      runs.map((run) => run.use?.cachedCalls ?? 0),
      runs.map((run) => run.use?.tokensIn ?? 0),
      runs.map((run) => run.use?.tokensOut ?? 0),
      runs.map((run) => run.use?.costMicros ?? 0),
    ],
  );
}

export interface Run extends ModelUse {
  readonly id: string;
  readonly item: string;
  readonly stage: string;
  readonly contentVersion: number;
  readonly rulebookVersion: number | null;
  readonly cause: string;
  readonly attempt: number;
  readonly worker: string;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly outcome: RunOutcome;
  readonly errorCode: string | null;
  readonly errorClass: ErrorClass | null;
  readonly errorMessage: string | null;
}

/** The runs of items, in the order in which they began. */
export async function readRuns(on: Queryable, items: readonly string[]): Promise<Map<string, Run[]>> {
  const { rows } = await on.query<Run>(
    `select id, item, stage, content_version as "contentVersion", rulebook_version as "rulebookVersion", cause, attempt,
            worker, started_at as "startedAt", ended_at as "endedAt", outcome, error_code as "errorCode",
            error_class as "errorClass", error_message as "errorMessage", calls, cached_calls as "cachedCalls",
            tokens_in as "tokensIn", tokens_out as "tokensOut", cost_micros as "costMicros"
       from run where item = any($1::uuid[]) order by item, started_at, attempt`,
    [items],
  );
  return Map.groupBy(rows, (row) => row.item);
}
