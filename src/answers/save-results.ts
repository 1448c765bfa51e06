import { CodedError } from '../errors/coded-error.ts';
import type { Done, GivenUp } from '../jobs/stage.ts';
import type { Tx } from '../storage/database.ts';
import { storable } from '../text/storable.ts';
import type { CleanedAnswer } from './clean-answer.ts';
import type { Sample } from './sample.ts';

/** Writes the results and the hits of cleaned samples: one row a brand, one row a hit. */
export async function saveResults(tx: Tx, done: readonly Done<Sample, CleanedAnswer>[]): Promise<void> {
  // Only a sample that was given up once can have a line to replace.
  const before = done.filter(({ item }) => item.reached !== null).map(({ item }) => item.id);
  if (before.length) {
    await tx.query(`delete from clean_result where sample = any($1::uuid[]) and clean_state = 'failed'`, [before]);
  }
  await insertResults(tx, done);
  await insertMatches(tx, done);
}

async function insertResults(tx: Tx, done: readonly Done<Sample, CleanedAnswer>[]): Promise<void> {
  const rows = done.flatMap(({ item, result, run, rulebookVersion }) =>
    result.results.map((brand) => ({ item, run, rulebookVersion, cleaned: result, brand })),
  );
  if (!rows.length) return;
  await tx.query(
    `insert into clean_result (sample, clean_task_id, source_task_id, batch_id, brand_name, platform, scene_type,
            is_valid, invalid_reason, flags, is_mentioned, mention_count, is_recommended, recommendation_rank, rank_source,
            rank_band, has_citation, citations, others, raw_data_url, rulebook_version, run, cleaned_at)
     select r.sample, r.task, r.source, r.batch, r.brand, r.platform, r.scene, r.valid, r.reason,
            string_to_array(r.flags, ','), r.mentioned, r.count, r.recommended, r.rank, r.rank_source, r.band, r.cited,
            r.citations::jsonb, r.others::jsonb, r.url, r.rulebook, r.run, now_here()
       from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bool[],
                   $9::text[], $10::text[], $11::bool[], $12::int[], $13::bool[], $14::int[], $15::text[], $16::text[],
                   $17::bool[], $18::text[], $19::text[], $20::text[], $21::int[], $22::uuid[])
         as r(sample, task, source, batch, brand, platform, scene, valid, reason, flags, mentioned, count, recommended,
              rank, rank_source, band, cited, citations, others, url, rulebook, run)`,
    [
      rows.map(({ item }) => item.id),
      rows.map(({ item }) => item.cleanTaskId),
      rows.map(({ item }) => item.sourceTaskId),
      rows.map(({ item }) => item.batchId),
      rows.map(({ brand }) => brand.brand_name),
      rows.map(({ item }) => item.platform),
      rows.map(({ item }) => item.sceneType),
      rows.map(({ cleaned }) => cleaned.validity.valid),
      rows.map(({ cleaned }) => cleaned.validity.reason),
      rows.map(({ cleaned }) => cleaned.validity.flags.join(',')),
      rows.map(({ brand }) => brand.is_mentioned),
      rows.map(({ brand }) => brand.mention_count),
      rows.map(({ brand }) => brand.is_recommended),
      rows.map(({ brand }) => brand.recommendation_rank),
      rows.map(({ brand }) => brand.rank_source),
      rows.map(({ brand }) => brand.rank_band),
      rows.map(({ brand }) => brand.has_citation),
      rows.map(({ cleaned }) => storableJson(cleaned.citations)),
      rows.map(({ brand }) => storableJson(brand.others)),
      rows.map(({ item }) => item.rawDataUrl),
      rows.map(({ rulebookVersion }) => rulebookVersion),
      rows.map(({ run }) => run),
    ],
  );
}

async function insertMatches(tx: Tx, done: readonly Done<Sample, CleanedAnswer>[]): Promise<void> {
  const rows = done.flatMap(({ item, result }) => result.matches.map((match) => ({ item, match })));
  if (!rows.length) return;
  await tx.query(
    `insert into entity_match_detail (sample, clean_task_id, standard_name, matched_alias, origin, surface, match_position,
            match_end, kind, is_valid_match, rule, created_at)
     select *, now_here() from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int[],
                                      $8::int[], $9::text[], $10::bool[], $11::text[])`,
    [
      rows.map(({ item }) => item.id),
      rows.map(({ item }) => item.cleanTaskId),
      rows.map(({ match }) => match.standard_name),
      rows.map(({ match }) => match.matched_alias),
      rows.map(({ match }) => match.origin),
      rows.map(({ match }) => storable(match.surface)),
      rows.map(({ match }) => match.match_position),
      rows.map(({ match }) => match.match_end),
      rows.map(({ match }) => match.kind),
      rows.map(({ match }) => match.is_valid_match),
      rows.map(({ match }) => storable(match.rule)),
    ],
  );
}

/** A sample that was given up has a line too: nothing is known of it but the error, which stands in its run. */
export async function saveFailures(tx: Tx, items: readonly GivenUp<Sample>[]): Promise<void> {
  const { rowCount } = await tx.query(
    `insert into clean_result (sample, clean_task_id, source_task_id, batch_id, brand_name, platform, scene_type,
            is_valid, clean_state, raw_data_url, run, cleaned_at)
     select s.id, s.clean_task_id, s.source_task_id, s.batch_id, coalesce(s.brand_name, ''), s.platform, s.scene_type,
            null, 'failed', s.raw_data_url, g.run, now_here()
       from unnest($1::uuid[], $2::uuid[]) as g(sample, run) join answers_sample s on s.id = g.sample
         on conflict (clean_task_id, brand_name) do update
            set run = excluded.run, cleaned_at = excluded.cleaned_at where clean_result.clean_state = 'failed'`,
    [items.map(({ item }) => item.id), items.map(({ run }) => run)],
  );
  if (rowCount !== items.length) {
    throw new CodedError('answers.result_exists', 'permanent', 'a sample that has a result cannot be given up');
  }
}

const storableJson = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'string' ? storable(inner) : inner));
