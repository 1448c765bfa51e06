import type { Queryable } from '../storage/database.ts';
import type { DecidedView } from './findings.ts';

/** A person's word about a finding, as a label to measure rules by. */
export interface Label extends Omit<DecidedView, 'by' | 'at'> {
  readonly clean_task_id: string;
  /** What the machine's value was made by: run and version of the brands. */
  readonly run: string;
  readonly rulebook_version: number | null;
  /** A label whose value a re-cleaning was allowed to set aside is a label still. */
  readonly set_aside: boolean;
  readonly decided_by: string;
  readonly decided_at: string;
}

const PAGE = 1000;

/**
 * Every label, page by page: the newest word on each place that was not withdrawn. In the order of samples and their
 * revisions, so that decisions made while it is read neither repeat nor hide a line.
 */
export async function* readLabels(on: Queryable): AsyncGenerator<Label[]> {
  let after: { sample: string; revision: number } = { sample: '00000000-0000-0000-0000-000000000000', revision: 0 };
  for (;;) {
    const { rows } = await on.query<Label & { sample: string; revision: number; holds: boolean }>(
      `select p.sample, p.revision, s.clean_task_id, p.field, nullif(p.brand_name, '') as brand_name,
              nullif(p.match_position, -1) as match_position, p.value, p.machine_value, p.run, p.rulebook_version,
              p.set_aside_by is not null as set_aside, p.decided_by, p.decided_at,
              not p.withdrawn and not exists (
                select from answers_finding l
                 where l.sample = p.sample and l.revision > p.revision and l.field = p.field
                   and l.brand_name = p.brand_name and l.match_position = p.match_position) as holds
         from (select * from answers_finding where (sample, revision) > ($1::uuid, $2::int)
                order by sample, revision limit ${PAGE}) p
        cross join lateral (select clean_task_id from answers_sample t where t.id = p.sample offset 0) s
        order by p.sample, p.revision`,
      [after.sample, after.revision],
    );
    const last = rows.at(-1);
    if (!last) return;
    after = last;
    yield rows.flatMap(({ sample: _sample, revision: _revision, holds, ...label }) => (holds ? [label] : []));
    if (rows.length < PAGE) return;
  }
}
