import type { Queryable } from '../../storage/database.ts';
import { wilsonInterval } from '../../text/wilson.ts';

/** The specification's second monitoring query (§9): in how many valid answers each brand is mentioned. */
export const MENTION_RATE_SQL = `
select brand_name,
       count(distinct clean_task_id)::int as total_tasks,
       (count(*) filter (where is_mentioned))::int as mentioned_tasks,
       round(count(*) filter (where is_mentioned) * 100.0 / count(*), 1)::float8 as mention_rate
  from clean_result
 where is_valid
   and cleaned_at >= $1::timestamptz
 group by brand_name
 order by mention_rate desc, brand_name`;

export interface MentionRow {
  readonly brand_name: string;
  readonly total_tasks: number;
  readonly mentioned_tasks: number;
  /** Percent, one decimal, as the specification prints it. */
  readonly mention_rate: number;
}

export async function mentionRate(on: Queryable, since: string): Promise<MentionRow[]> {
  return (await on.query<MentionRow>(MENTION_RATE_SQL, [since])).rows;
}

/** A rate one can defend: invalid answers are not in the denominator, and the interval says how sure it is. */
export function withInterval(row: MentionRow) {
  const { mentioned_tasks: numerator, total_tasks: denominator } = row;
  return {
    brand_name: row.brand_name,
    numerator,
    denominator,
    rate: denominator === 0 ? null : numerator / denominator,
    interval: wilsonInterval(numerator, denominator),
  };
}
