import type { Queryable, Tx } from '../storage/database.ts';

export interface NewDeadLetter {
  readonly id: string;
  readonly machine: string;
  readonly item: string;
  readonly stage: string;
  readonly reached: string;
  readonly contentVersion: number;
  readonly cause: string;
  readonly inputRef: string | null;
  readonly code: string;
  readonly errorClass: string;
  readonly message: string;
}

/**
 * Writes dead letters with the error of every attempt, in the transaction whose move gives the items up. Their
 * runs are written before, so the letter holds the last attempt too. An item that a person put back to work past its
 * letter, and that was given up again, has one open letter: the new one.
 */
export async function recordDeadLetters(tx: Tx, letters: readonly NewDeadLetter[]): Promise<void> {
  if (!letters.length) return;
  await tx.query(
    `insert into dead_letter (id, machine, item, stage, reached, content_version, cause, input_ref, error_code,
                              error_class, error_message, attempts, created_at)
     select d.id, d.machine, d.item, d.stage, d.reached, d.cv, d.cause, d.input_ref, d.code, d.class, d.message,
            coalesce((select jsonb_agg(jsonb_build_object(
                        'attempt', r.attempt, 'started_at', r.started_at, 'ended_at', r.ended_at, 'outcome', r.outcome,
                        'code', r.error_code, 'class', r.error_class, 'message', r.error_message) order by r.attempt)
                        from run r
                       where r.item = d.item and r.stage = d.stage and r.content_version = d.cv and r.cause = d.cause), '[]'),
            now_here()
       from unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::text[], $6::int[], $7::text[], $8::text[],
                   $9::text[], $10::text[], $11::text[])
         as d(id, machine, item, stage, reached, cv, cause, input_ref, code, class, message)
         on conflict (item) where redriven_at is null do update
            set id = excluded.id, stage = excluded.stage, reached = excluded.reached, cause = excluded.cause,
                content_version = excluded.content_version, input_ref = excluded.input_ref,
                error_code = excluded.error_code, error_class = excluded.error_class,
                error_message = excluded.error_message, attempts = excluded.attempts, created_at = excluded.created_at`,
    [
      letters.map((letter) => letter.id),
      letters.map((letter) => letter.machine),
      letters.map((letter) => letter.item),
      letters.map((letter) => letter.stage),
      letters.map((letter) => letter.reached),
      letters.map((letter) => letter.contentVersion),
      letters.map((letter) => letter.cause),
      letters.map((letter) => letter.inputRef),
      letters.map((letter) => letter.code),
      letters.map((letter) => letter.errorClass),
      letters.map((letter) => letter.message.slice(0, 500)),
    ],
  );
}

/** Marks the open letters of items as gone back to work, in the transaction that puts them there. */
export async function closeDeadLetters(tx: Tx, items: readonly string[], actorId: string): Promise<void> {
  if (!items.length) return;
  await tx.query(
    `update dead_letter set redriven_at = now_here(), redriven_by = $2
      where item = any($1::uuid[]) and redriven_at is null`,
    [items, actorId],
  );
}

/** The newest letter of each item is open again: what followed from closing it was taken back before it began. */
export async function reopenDeadLetters(tx: Tx, items: readonly string[]): Promise<void> {
  if (!items.length) return;
  await tx.query(
    `update dead_letter set redriven_at = null, redriven_by = null
      where id in (select distinct on (item) id from dead_letter where item = any($1::uuid[]) order by item, id desc)`,
    [items],
  );
}

export interface DeadLetterFilter {
  readonly ids?: readonly string[];
  readonly stage?: string;
  readonly code?: string;
}

export interface DeadLetter {
  readonly id: string;
  readonly machine: string;
  readonly item: string;
  readonly stage: string;
  readonly reached: string;
  readonly contentVersion: number;
  readonly cause: string;
  readonly inputRef: string | null;
  readonly code: string;
  readonly errorClass: string;
  readonly message: string;
  readonly attempts: readonly {
    attempt: number;
    started_at: string;
    ended_at: string;
    outcome: string;
    code: string | null;
    class: string | null;
    message: string | null;
  }[];
  readonly createdAt: Date;
}

/**
 * Open dead letters (not redriven), oldest first (their ids begin with the time), after the last one seen and up to
 * one that ends the list.
 */
export async function listDeadLetters(
  on: Queryable,
  filter: DeadLetterFilter,
  limit: number,
  after?: string,
  upTo?: string,
): Promise<DeadLetter[]> {
  const { rows } = await on.query<DeadLetter>(
    `select id, machine, item, stage, reached, content_version as "contentVersion", cause, input_ref as "inputRef",
            error_code as code, error_class as "errorClass", error_message as message, attempts, created_at as "createdAt"
       from dead_letter
      where redriven_at is null
        and ($1::uuid[] is null or id = any($1)) and ($2::text is null or stage = $2) and ($3::text is null or error_code = $3)
        and ($4::uuid is null or id > $4) and ($5::uuid is null or id <= $5)
      order by id limit $6`,
    [filter.ids ?? null, filter.stage ?? null, filter.code ?? null, after ?? null, upTo ?? null, limit],
  );
  return rows;
}

/** The newest open letter: where a pass over those of now ends, whatever is written meanwhile. */
export async function newestDeadLetter(on: Queryable): Promise<string | undefined> {
  const { rows } = await on.query<{ id: string }>(
    'select id from dead_letter where redriven_at is null order by id desc limit 1',
  );
  return rows[0]?.id;
}

/** What a redrive of this filter would touch, by stage and error. */
export async function previewRedrive(
  on: Queryable,
  filter: DeadLetterFilter,
): Promise<{ stage: string; code: string; reached: string; count: number }[]> {
  const { rows } = await on.query<{ stage: string; code: string; reached: string; count: number }>(
    `select stage, error_code as code, reached, count(*)::int as count from dead_letter
      where redriven_at is null
        and ($1::uuid[] is null or id = any($1)) and ($2::text is null or stage = $2) and ($3::text is null or error_code = $3)
      group by stage, error_code, reached order by count desc, stage, code`,
    [filter.ids ?? null, filter.stage ?? null, filter.code ?? null],
  );
  return rows;
}
