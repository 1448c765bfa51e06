import { CodedError } from '../errors/coded-error.ts';
import type { Done, GivenUp } from '../jobs/stage.ts';
import type { Tx } from '../storage/database.ts';
import { storable, storableJson } from '../text/storable.ts';
import type { BrandResult } from './clean-answer.ts';
import type { MachineResult, ShownAnswer, ShownMatch, ShownResult } from './overrule.ts';
import type { Match } from './recognise.ts';
import type { Sample } from './sample.ts';

/** What is written of one sample: the machine's findings, with what people said over them where somebody did. */
export interface WrittenAnswer {
  readonly item: Sample;
  readonly answer: MachineResult | ShownAnswer;
  readonly run: string;
  readonly rulebookVersion: number | null;
}

/** Writes the results and the hits of cleaned samples: one row a brand, one row a hit. */
export async function saveResults(tx: Tx, done: readonly Done<Sample, MachineResult>[]): Promise<void> {
  // Only a sample that was given up once can have a line to replace.
  const before = done.filter(({ item }) => item.reached !== null).map(({ item }) => item.id);
  if (before.length) {
    await tx.query(`delete from clean_result where sample = any($1::uuid[]) and clean_state = 'failed'`, [before]);
  }
  const written = done.map(({ result, ...one }) => ({ ...one, answer: result }));
  await insertResults(tx, written);
  await insertMatches(tx, written);
}

/** First results, which no other may meet: a message delivered twice cannot give two. */
const FIRST = '';
/** Over those that are there: each line keeps its place in lists and the time of its first cleaning. */
const OVER = `
         on conflict (clean_task_id, brand_name) do update
            set is_valid = excluded.is_valid, invalid_reason = excluded.invalid_reason, flags = excluded.flags,
                is_mentioned = excluded.is_mentioned, mention_count = excluded.mention_count,
                is_recommended = excluded.is_recommended, recommendation_rank = excluded.recommendation_rank,
                rank_source = excluded.rank_source, rank_band = excluded.rank_band, has_citation = excluded.has_citation,
                citations = excluded.citations, others = excluded.others, rulebook_version = excluded.rulebook_version,
                run = excluded.run, decided_by = excluded.decided_by, machine = excluded.machine,
                re_cleaned_at = case when clean_result.run <> excluded.run then now_here() else clean_result.re_cleaned_at end`;

/**
 * Writes results over those that are there, in a transaction that holds the samples' rows. Lines of brands that are no
 * longer measured go; lines of new brands take the time of the sample's first cleaning.
 */
export async function replaceResults(tx: Tx, written: readonly WrittenAnswer[]): Promise<void> {
  await insertResults(tx, written, OVER);
  const kept = written.flatMap(({ item, answer }) =>
    answer.results.map(({ brand_name }) => [item, brand_name] as const),
  );
  const tasks = written.map(({ item }) => item.cleanTaskId);
  await tx.query(
    `delete from clean_result where ctid = any (array(
       select t.ctid from unnest($1::text[]) as i(task)
        cross join lateral (select ctid, brand_name from clean_result c where c.clean_task_id = i.task offset 0) t
        where (i.task, t.brand_name) not in (select * from unnest($2::text[], $3::text[]))))`,
    [tasks, kept.map(([item]) => item.cleanTaskId), kept.map(([, brand]) => brand)],
  );
  await tx.query(
    `delete from entity_match_detail where ctid = any (array(
       select t.ctid from unnest($1::text[]) as i(task)
        cross join lateral (select ctid from entity_match_detail m where m.clean_task_id = i.task offset 0) t))`,
    [tasks],
  );
  await insertMatches(tx, written);
}

async function insertResults(tx: Tx, written: readonly WrittenAnswer[], conflict = FIRST): Promise<void> {
  const rows = written.flatMap(({ answer, ...one }) =>
    answer.results.map((brand: BrandResult | ShownResult) => ({
      ...one,
      cleaned: answer,
      brand,
      machine: ('machine' in brand && brand.machine) || null,
    })),
  );
  if (!rows.length) return;
  await tx.query(
    `insert into clean_result (sample, clean_task_id, source_task_id, batch_id, brand_name, platform, scene_type,
            is_valid, invalid_reason, flags, is_mentioned, mention_count, is_recommended, recommendation_rank, rank_source,
            rank_band, has_citation, citations, others, raw_data_url, rulebook_version, run, decided_by, machine,
            cleaned_at${conflict === OVER ? ', re_cleaned_at' : ''})
     select r.sample, r.task, r.source, r.batch, r.brand, r.platform, r.scene, r.valid, r.reason,
            string_to_array(r.flags, ','), r.mentioned, r.count, r.recommended, r.rank, r.rank_source, r.band, r.cited,
            r.citations::jsonb, r.others::jsonb, r.url, r.rulebook, r.run,
            case when r.machine is null then 'rules' else 'human' end, r.machine::jsonb,
            ${conflict === OVER ? 'coalesce((select min(c.cleaned_at) from clean_result c where c.clean_task_id = r.task), now_here()), ' : ''}now_here()
       from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bool[],
                   $9::text[], $10::text[], $11::bool[], $12::int[], $13::bool[], $14::int[], $15::text[], $16::text[],
                   $17::bool[], $18::text[], $19::text[], $20::text[], $21::int[], $22::uuid[], $23::text[])
         as r(sample, task, source, batch, brand, platform, scene, valid, reason, flags, mentioned, count, recommended,
              rank, rank_source, band, cited, citations, others, url, rulebook, run, machine)${conflict}`,
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
      rows.map(({ machine }) => (machine === null ? null : JSON.stringify(machine))),
    ],
  );
}

async function insertMatches(tx: Tx, written: readonly WrittenAnswer[]): Promise<void> {
  const rows = written.flatMap(({ item, answer }) =>
    answer.matches.map((match: Match | ShownMatch) => ({
      item,
      match,
      machine: ('machine' in match && match.machine) || null,
    })),
  );
  if (!rows.length) return;
  await tx.query(
    `insert into entity_match_detail (sample, clean_task_id, standard_name, matched_alias, origin, surface, match_position,
            match_end, kind, is_valid_match, rule, machine, created_at)
     select m.sample, m.task, m.name, m.alias, m.origin, m.surface, m.start, m.finish, m.kind, m.valid, m.rule,
            m.machine::jsonb, now_here()
       from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int[], $8::int[], $9::text[],
                   $10::bool[], $11::text[], $12::text[])
         as m(sample, task, name, alias, origin, surface, start, finish, kind, valid, rule, machine)`,
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
      rows.map(({ machine }) => (machine === null ? null : storableJson(machine))),
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
