import type { PgBoss } from 'pg-boss';
import type { NewId } from '../core/ids.ts';
import { recordBirths } from '../core/journal.ts';
import { CodedError } from '../errors/coded-error.ts';
import { enqueue } from '../jobs/enqueue.ts';
import type { Database, Tx } from '../storage/database.ts';
import { storable } from '../text/storable.ts';
import { type BrandTable, withTaskAliases } from './brands.ts';
import { sampleMachine } from './machine.ts';
import { CLEAN_STAGE } from './pipeline.ts';
import { type CleanTask, parseTask, TASK_CONFLICT, TASK_INVALID, taskFingerprint } from './task.ts';

export interface Accepted {
  /** The clean_task_ids that are new. */
  readonly accepted: readonly string[];
  /** Those that were there already with the same content: a success that changes nothing. */
  readonly duplicates: readonly string[];
  readonly rejected: readonly { readonly index: number; readonly error: CodedError }[];
}

export interface AcceptDeps {
  readonly database: Database;
  readonly boss: PgBoss;
  readonly newId: NewId;
  /** The brands as configured now: a task whose aliases collide with them is rejected here, not when it is cleaned. */
  readonly brands: BrandTable;
}

/**
 * Takes in cleaning tasks: sample, raw answer, first line of the journal and job are one transaction. A task that is
 * not right is rejected alone (`task.invalid`, `task.conflict`, `answers.alias_empty`, `answers.alias_collision`).
 */
export async function acceptTasks(inputs: readonly unknown[], deps: AcceptDeps): Promise<Accepted> {
  const rejected: { index: number; error: CodedError }[] = [];
  const duplicates: string[] = [];
  const wanted = new Map<string, Wanted>();
  for (const [index, input] of inputs.entries()) {
    try {
      const task = parseTask(input);
      if (task.brand_name) withTaskAliases(deps.brands, task.brand_name, task.brand_aliases);
      const fingerprint = taskFingerprint(task);
      const twin = wanted.get(task.clean_task_id);
      if (!twin) wanted.set(task.clean_task_id, { index, task, fingerprint, id: deps.newId() });
      else if (twin.fingerprint === fingerprint) duplicates.push(task.clean_task_id);
      else throw conflict(task.clean_task_id);
    } catch (error) {
      const coded = error instanceof CodedError ? error : new CodedError(TASK_INVALID, 'permanent', String(error));
      rejected.push({ index, error: coded });
    }
  }
  if (!wanted.size) return { accepted: [], duplicates, rejected };
  return deps.database.transaction(async (tx) => {
    const inserted = await insertSamples(tx, [...wanted.values()]);
    const accepted = [...wanted.values()].filter(({ id }) => inserted.has(id));
    const met = [...wanted.values()].filter(({ id }) => !inserted.has(id));
    const stored = await storedFingerprints(
      tx,
      met.map(({ task }) => task.clean_task_id),
    );
    for (const { index, task, fingerprint } of met) {
      if (stored.get(task.clean_task_id) === fingerprint) duplicates.push(task.clean_task_id);
      else rejected.push({ index, error: conflict(task.clean_task_id) });
    }
    const births = accepted.map(({ id }) => ({ item: id, state: 'pending', actor: 'system' as const }));
    await recordBirths(tx, sampleMachine, births);
    const jobs = accepted.map(({ id }) => ({ queue: CLEAN_STAGE, data: { item: id, cv: 1, cause: 'live' } }));
    await enqueue(tx, deps.boss, jobs);
    return {
      accepted: accepted.map(({ task }) => task.clean_task_id),
      duplicates,
      rejected: rejected.sort((a, b) => a.index - b.index),
    };
  });
}

interface Wanted {
  readonly index: number;
  readonly task: CleanTask;
  readonly fingerprint: string;
  readonly id: string;
}

function conflict(id: string): CodedError {
  return new CodedError(TASK_CONFLICT, 'permanent', `clean_task_id '${id}' is known with other content`, {
    detail: { field: 'clean_task_id' },
  });
}

async function storedFingerprints(tx: Tx, ids: readonly string[]): Promise<Map<string, string>> {
  if (!ids.length) return new Map();
  const { rows } = await tx.query<{ id: string; fingerprint: string }>(
    `select clean_task_id as id, fingerprint from answers_sample where clean_task_id = any($1::text[])`,
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row.fingerprint]));
}

/** In the order of the ids that must be unique, so that two batches with the same tasks cannot wait for each other. */
async function insertSamples(tx: Tx, wanted: readonly Wanted[]): Promise<Set<string>> {
  const tasks = wanted.map(({ task }) => task);
  const { rows } = await tx.query<{ id: string }>(
    `with input as (
       select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
                            $9::text[], $10::int[], $11::text[], $12::int[], $13::timestamptz[], $14::text[], $15::text[])
         as t(id, clean_task_id, source_task_id, batch_id, brand_name, brand_aliases, platform, scene_type, query_text,
              round, raw_data_url, max_clean_retries, created_at, fingerprint, body)
     ), inserted as (
       insert into answers_sample (id, state, version, state_since, accepted_at, clean_task_id, source_task_id, batch_id,
              brand_name, brand_aliases, platform, scene_type, query_text, round, raw_data_url, max_clean_retries,
              created_at, fingerprint)
       select id, 'pending', 1, now_here(), now_here(), clean_task_id, source_task_id, batch_id, brand_name,
              brand_aliases::jsonb, platform, scene_type, query_text, round, raw_data_url, max_clean_retries,
              coalesce(created_at, now_here()), fingerprint
         from input order by clean_task_id
       on conflict (clean_task_id) do nothing returning id
     ), kept as (
       insert into answers_raw (sample, content_version, body)
       select i.id, 1, i.body from input i join inserted using (id) where i.body is not null
     )
     select id from inserted`,
    [
      wanted.map(({ id }) => id),
      tasks.map((task) => task.clean_task_id),
      tasks.map((task) => task.source_task_id ?? task.clean_task_id),
      tasks.map((task) => task.batch_id),
      tasks.map((task) => task.brand_name ?? null),
      tasks.map((task) => JSON.stringify(task.brand_aliases)),
      tasks.map((task) => task.platform),
      tasks.map((task) => task.scene_type),
      tasks.map((task) => storable(task.query_text)),
      tasks.map((task) => task.round),
      tasks.map((task) => task.raw_data_url ?? null),
      tasks.map((task) => task.max_clean_retries),
      tasks.map((task) => task.created_at ?? null),
      wanted.map(({ fingerprint }) => fingerprint),
      tasks.map((task) => (task.answer == null ? null : JSON.stringify(task.answer))),
    ],
  );
  return new Set(rows.map((row) => row.id));
}
