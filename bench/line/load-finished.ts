import { migrate } from '../../src/storage/migrate.ts';
import { openPostgres } from '../../src/storage/postgres.ts';
import { LINE, LINE_TABLE, lineMachine } from './machine.ts';
import { walkingStage } from './stages.ts';

const CHUNK = 50_000;

/**
 * Fills a schema with items that are through: each with the six journal rows and the run that a walk leaves behind.
 * Nothing is analysed, and autovacuum is kept off these tables, so that it neither helps nor disturbs half-way.
 */
export async function loadFinished(url: string, schema: string, rows: number): Promise<void> {
  const database = openPostgres({ url, schema, poolSize: 1 });
  try {
    await migrate(database);
    await database.script(LINE_TABLE);
    await database.script('set synchronous_commit to off');
    const { rows: tables } = await database.query<{ name: string }>(
      `select c.relname as name from pg_class c where c.relnamespace = $1::regnamespace and c.relkind = 'r'
          and (c.relname in ('line_item', 'run') or c.relname like 'journal_%')`,
      [schema],
    );
    for (const { name } of tables) await database.script(`alter table ${name} set (autovacuum_enabled = off)`);
    const { rows: clock } = await database.query<{ ms: number }>(
      `select (extract(epoch from now_here()) * 1000)::bigint as ms`,
    );
    // The ids of the first items are the oldest, a millisecond apart.
    const oldest = clock[0]!.ms - rows;
    const states = [LINE[0].from, ...LINE.map(({ to }) => to)];
    for (let from = 0; from < rows; from += CHUNK) {
      await database.query(ITEMS, [from, Math.min(rows, from + CHUNK) - 1, oldest, states.at(-1), states.length]);
      await database.query(JOURNAL, [from, Math.min(rows, from + CHUNK) - 1, oldest, lineMachine.name, states]);
      await database.query(RUNS, [from, Math.min(rows, from + CHUNK) - 1, oldest, lineMachine.name, walkingStage.name]);
    }
    // Reading the rows once leaves nothing to be marked as committed for the first who comes.
    await database.query('select count(*) from line_item');
    await database.query('select count(*) from journal');
    await database.query('select count(*) from run');
  } finally {
    await database.close();
  }
}

/** The ids: UUIDs of version 7 of some minutes ago, so that they lie in their index as real ones do. */
const IDS = `
select n, (lpad(to_hex($3::bigint + n), 12, '0') || '7' || substr(h, 1, 3) || '8' || substr(h, 4, 15))::uuid as id
  from (select n, md5(n::text) as h from generate_series($1::int, $2::int) as n) as numbered`;

const ITEMS = `
insert into line_item (id, state, version, state_since)
select id, $4, $5, now_here() from (${IDS}) as i order by n`;

const JOURNAL = `
insert into journal (at, machine, item, kind, version, from_state, to_state, actor)
select now_here(), $4, id, 'move', version, ($5::text[])[version - 1], ($5::text[])[version], 'system'
  from (${IDS}) as i cross join generate_series(1, cardinality($5::text[])) as version order by n, version`;

const RUNS = `
insert into run (id, machine, item, stage, content_version, rulebook_version, cause, attempt, worker, started_at,
                 ended_at, outcome)
select gen_random_uuid(), $4, id, $5, 1, 1, 'live', 1, 'bench', now_here(), now_here(), 'accepted'
  from (${IDS}) as i order by n`;
