import type { Queryable } from '../../storage/database.ts';

/** The specification's first monitoring query (§9): how cleaning went, hour by hour, newest first. */
export interface SuccessRow {
  readonly hour: string;
  readonly total: number;
  readonly completed: number;
  readonly invalid_count: number;
}

/** In PostgreSQL's words; the time zone is UTC. */
export const SUCCESS_RATE_SQL = `
select to_char(date_trunc('hour', cleaned_at at time zone 'UTC'), 'YYYY-MM-DD HH24:00') as hour,
       count(*)::int as total,
       (count(*) filter (where clean_state = 'completed'))::int as completed,
       (count(*) filter (where is_valid = false))::int as invalid_count
  from clean_result
 where cleaned_at >= now_here() - interval '24 hours'
 group by 1
 order by 1 desc`;

export async function successRate(on: Queryable): Promise<SuccessRow[]> {
  return (await on.query<SuccessRow>(SUCCESS_RATE_SQL)).rows;
}
