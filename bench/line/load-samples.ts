import type { PostgresDatabase } from '../../src/storage/postgres.ts';

const CHUNK = 50_000;

/** Completed samples as cleaning leaves them, with ids that lie in their index as real ones do; nothing is analysed. */
export async function loadSamples(database: PostgresDatabase, rows: number): Promise<void> {
  await database.script('alter table answers_sample set (autovacuum_enabled = off)');
  for (let from = 0; from < rows; from += CHUNK) {
    await database.query(
      `insert into answers_sample (id, state, version, state_since, clean_task_id, source_task_id, batch_id, brand_name,
              brand_aliases, platform, scene_type, query_text, round, max_clean_retries, created_at, accepted_at, fingerprint)
       select (lpad(to_hex(1700000000000 + n), 12, '0') || '7' || substr(h, 1, 3) || '8' || substr(h, 4, 15))::uuid,
              'completed', 6, now_here(), 'bench-' || n, '', 'B' || n / 1000, 'A', '[]', 'bench', 'RECOMMEND', 'q', 1, 2,
              now_here(), now_here(), ''
         from (select n, md5(n::text) as h from generate_series($1::int, $2::int) as n) as numbered order by n`,
      [from, Math.min(rows, from + CHUNK) - 1],
    );
  }
  await database.query('select count(*) from answers_sample');
}
