import type { Database } from '../../src/storage/database.ts';
import { quoteIdentifier } from '../../src/storage/quote.ts';

/** Moves the clock of all SQL, ours and the queue's, by so many seconds from the real time (0: back to it). */
export async function moveClock(database: Database, seconds: number): Promise<void> {
  const body = seconds === 0 ? 'pg_catalog.now()' : `pg_catalog.now() + interval '${Number(seconds)} seconds'`;
  await database.script(
    `create or replace function ${quoteIdentifier(database.schema)}.now_here() returns timestamptz language sql stable as $$ select ${body} $$;
     create or replace function ${quoteIdentifier(`${database.schema}_jobs`)}.job_now() returns timestamptz language sql stable as $$ select ${body} $$`,
  );
}
