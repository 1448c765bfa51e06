import { readHistory, stateHistory } from '../core/journal.ts';
import type { Queryable } from '../storage/database.ts';
import { DECIDED_SQL } from './findings.ts';

export interface ResultFilter {
  readonly clean_task_id?: string | undefined;
  readonly clean_task_ids?: readonly string[] | undefined;
  readonly batch_id?: string | undefined;
  readonly brand_name?: string | undefined;
  readonly platform?: string | undefined;
  readonly scene_type?: string | undefined;
  readonly query_text?: string | undefined;
  readonly is_valid?: boolean | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Whether it was made by an older version of the brands than `version`. Failed ones were made by none. */
  readonly stale?: boolean | undefined;
  readonly version?: number | undefined;
}

/** One line of the result list: a clean_result with what belongs to it. */
export interface ResultLine {
  readonly id: number;
  readonly clean_task_id: string;
  readonly brand_name: string | null;
  readonly clean_state: string;
  readonly [column: string]: unknown;
}

/**
 * Results in the order in which they were written, after an id. Every column of the specification's `clean_result`,
 * and rank, citations, others as the contracts name them. Failed samples have a line, too, with their error. Where a
 * person said something, their value stands in its column, `by` is `human`, the machine's values stand in `machine`, and
 * `decided` tells who said what and when.
 */
export async function listResults(
  on: Queryable,
  filter: ResultFilter,
  limit: number,
  after = 0,
): Promise<ResultLine[]> {
  const { rows } = await on.query<ResultLine>(
    `select r.id, r.clean_task_id, r.source_task_id, r.batch_id, nullif(r.brand_name, '') as brand_name, r.platform,
            r.scene_type, r.is_valid, r.invalid_reason, r.flags, r.is_mentioned, r.mention_count, r.is_recommended,
            r.recommendation_rank, r.rank_source, r.rank_band, r.has_citation, r.citations, r.others, r.clean_state,
            r.raw_data_url, r.rulebook_version, r.decided_by as by, r.cleaned_at, r.re_cleaned_at, r.machine,
            s.revision, coalesce(d.decided, '[]') as decided, e.error
       from clean_result r
       cross join lateral (select t.revision, t.query_text from answers_sample t where t.id = r.sample offset 0) s
       left join lateral (${DECIDED_SQL('r.sample')}) d on s.revision > 1
       left join lateral (
         select jsonb_build_object('code', d.error_code, 'message', d.error_message, 'attempts', d.attempts) as error
           from dead_letter d where d.item = r.sample and r.clean_state = 'failed' order by d.id desc limit 1) e on true
      where r.id > $1
        and ($2::text is null or r.clean_task_id = $2) and ($3::text is null or r.batch_id = $3)
        and ($4::text is null or r.brand_name = $4) and ($5::text is null or r.platform = $5)
        and ($6::text is null or r.scene_type = $6) and ($7::bool is null or r.is_valid = $7)
        and ($8::timestamptz is null or r.cleaned_at >= $8) and ($9::timestamptz is null or r.cleaned_at < $9)
        and ($10::bool is null or coalesce(r.rulebook_version < $11::int, false) = $10)
        and ($12::text[] is null or r.clean_task_id = any($12))
        and ($13::text is null or s.query_text = $13)
      order by r.id limit $14`,
    [
      after,
      filter.clean_task_id ?? null,
      filter.batch_id ?? null,
      filter.brand_name ?? null,
      filter.platform ?? null,
      filter.scene_type ?? null,
      filter.is_valid ?? null,
      filter.from ?? null,
      filter.to ?? null,
      filter.stale ?? null,
      filter.version ?? null,
      filter.clean_task_ids ?? null,
      filter.query_text ?? null,
      limit,
    ],
  );
  return rows;
}

export interface MatchLine {
  readonly standard_name: string;
  readonly matched_alias: string;
  readonly origin: string;
  readonly surface: string;
  readonly match_position: number;
  readonly match_end: number;
  readonly kind: string;
  readonly is_valid_match: boolean;
  readonly rule: string;
  /** What the machine said, of a hit that a person kept or dropped; others have none. */
  readonly machine?: { readonly is_valid_match: boolean; readonly rule: string };
}

/** Results with every hit and the history: what the command line prints and the page of one sample shows. */
export async function resultDetails(
  on: Queryable,
  lines: readonly ResultLine[],
): Promise<(ResultLine & { matches: MatchLine[]; state_history: { from: string; to: string; at: string }[] })[]> {
  const tasks = [...new Set(lines.map((line) => line.clean_task_id))];
  const { rows: matches } = await on.query<MatchLine & { clean_task_id: string; machine: MatchLine['machine'] | null }>(
    `select clean_task_id, standard_name, matched_alias, origin, surface, match_position, match_end, kind, is_valid_match, rule,
            machine
       from entity_match_detail where clean_task_id = any($1::text[]) order by clean_task_id, match_position, id`,
    [tasks],
  );
  const { rows: samples } = await on.query<{ id: string; clean_task_id: string }>(
    `select id, clean_task_id from answers_sample where clean_task_id = any($1::text[])`,
    [tasks],
  );
  const histories = await readHistory(
    on,
    samples.map(({ id }) => id),
  );
  const historyOf = new Map(
    samples.map(({ id, clean_task_id }) => [clean_task_id, stateHistory(histories.get(id) ?? [])]),
  );
  const matchesOf = Map.groupBy(matches, (match) => match.clean_task_id);
  return lines.map((line) => ({
    ...line,
    matches: (matchesOf.get(line.clean_task_id) ?? []).map(({ clean_task_id: _task, machine, ...match }) =>
      machine === null ? match : { ...match, machine },
    ),
    state_history: historyOf.get(line.clean_task_id) ?? [],
  }));
}
