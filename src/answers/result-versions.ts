import type { Queryable, Tx } from '../storage/database.ts';
import { storableJson } from '../text/storable.ts';
import type { MachineResult } from './overrule.ts';

/** A sample by the name that its results carry. */
export interface SampleName {
  readonly id: string;
  readonly cleanTaskId: string;
}

/**
 * Keeps what the machine found in these samples as a version, before the tables that show it are written over. Where
 * the current run has a version, the tables may hold a person's word already and are not looked at.
 */
export async function keepVersions(tx: Tx, samples: readonly SampleName[]): Promise<void> {
  await tx.query(
    `insert into answers_result_version (sample, run, rulebook_version, cleaned_at, result)
     select i.id, one.run, one.rulebook_version, coalesce(one.re_cleaned_at, one.cleaned_at),
            jsonb_build_object(
              'validity', jsonb_build_object('valid', one.is_valid, 'reason', one.invalid_reason, 'flags', to_jsonb(one.flags)),
              'citations', one.citations, 'results', brands.results, 'matches', hits.matches)
       from unnest($1::uuid[], $2::text[]) as i(id, task)
       cross join lateral (
         select * from clean_result t where t.clean_task_id = i.task and t.clean_state = 'completed' limit 1) one
       cross join lateral (
         select jsonb_agg(jsonb_build_object(
                  'brand_name', t.brand_name, 'is_mentioned', t.is_mentioned, 'mention_count', t.mention_count,
                  'is_recommended', t.is_recommended, 'recommendation_rank', t.recommendation_rank,
                  'rank_source', t.rank_source, 'rank_band', t.rank_band, 'has_citation', t.has_citation,
                  'others', t.others) order by t.id) as results
           from clean_result t where t.clean_task_id = i.task) brands
       cross join lateral (
         select coalesce(jsonb_agg(jsonb_build_object(
                  'standard_name', t.standard_name, 'matched_alias', t.matched_alias, 'origin', t.origin,
                  'surface', t.surface, 'match_position', t.match_position, 'match_end', t.match_end, 'kind', t.kind,
                  'is_valid_match', t.is_valid_match, 'rule', t.rule) order by t.match_position, t.id), '[]') as matches
           from entity_match_detail t where t.clean_task_id = i.task) hits
      order by i.id
     on conflict do nothing`,
    [samples.map(({ id }) => id), samples.map(({ cleanTaskId }) => cleanTaskId)],
  );
}

export interface ResultVersion {
  readonly run: string;
  readonly rulebookVersion: number | null;
  readonly result: MachineResult;
}

/** The version of the run whose result is shown; undefined where no brand was measured, so that none is. */
export async function currentVersion(
  on: Queryable,
  { id, cleanTaskId }: SampleName,
): Promise<ResultVersion | undefined> {
  const { rows } = await on.query<ResultVersion>(
    `select v.run, v.rulebook_version as "rulebookVersion", v.result from answers_result_version v
      where v.sample = $1 and v.run = (select run from clean_result where clean_task_id = $2 limit 1)`,
    [id, cleanTaskId],
  );
  return rows[0];
}

export async function writeVersions(
  tx: Tx,
  versions: readonly (ResultVersion & { readonly sample: string })[],
): Promise<void> {
  if (!versions.length) return;
  await tx.query(
    `insert into answers_result_version (sample, run, rulebook_version, cleaned_at, result)
     select v.sample, v.run, v.rulebook_version, now_here(), v.result::jsonb
       from unnest($1::uuid[], $2::uuid[], $3::int[], $4::text[]) as v(sample, run, rulebook_version, result)
     on conflict (sample, run) do update set result = excluded.result`,
    [
      versions.map(({ sample }) => sample),
      versions.map(({ run }) => run),
      versions.map(({ rulebookVersion }) => rulebookVersion),
      versions.map(({ result }) => storableJson(result)),
    ],
  );
}

/** Every version of a sample's result that was kept, oldest first, as the machine made it. */
export async function listVersions(on: Queryable, sample: string) {
  const { rows } = await on.query<{
    readonly run: string;
    readonly rulebook_version: number | null;
    readonly cleaned_at: Date;
    readonly result: MachineResult;
  }>(
    `select run, rulebook_version, cleaned_at, result from answers_result_version where sample = $1 order by cleaned_at, run`,
    [sample],
  );
  return rows;
}
