import type { Queryable } from '../storage/database.ts';
import { wilsonInterval } from '../text/wilson.ts';

/** How often people said the same as a machine about the same content. */
export interface Agreement {
  /** The rule that decided, or `model`. */
  readonly rule: string;
  readonly model: string | null;
  /** Verdicts that a person decided about later. */
  readonly decided: number;
  readonly agreed: number;
  /** People approved what it rejected. */
  readonly wrongly_rejected: number;
  /** People rejected what it approved. */
  readonly wrongly_approved: number;
  /** What it left to people: they approved so many, and rejected so many. */
  readonly unsure_approved: number;
  readonly unsure_rejected: number;
  readonly numerator: number;
  readonly denominator: number;
  /** agreed / (agreed + wrongly_rejected + wrongly_approved); null without any. */
  readonly rate: number | null;
  readonly interval: { readonly low: number; readonly high: number } | null;
}

type Row = Omit<Agreement, 'numerator' | 'denominator' | 'rate' | 'interval'>;

/**
 * By rule and model: the newest decision of a person about a content version (if it was not undone) against what the machine
 * had said of it before. A verdict with several reasons counts for each rule among them. A restored comment is an approved one.
 */
export async function agreement(
  on: Queryable,
  filter: { readonly site?: string | undefined; readonly from?: string | undefined; readonly to?: string | undefined },
): Promise<Agreement[]> {
  const { rows } = await on.query<Row>(
    `with label as (
       select distinct on (x.comment, x.content_version) x.comment, x.content_version, x.decided_at,
              case when x.decision = 'reject' then 'reject' else 'approve' end as said
         from comments_decision x join comments_comment c on c.id = x.comment
        where x.undone_at is null and x.decision <> 'reaudit' and ($1::text is null or c.site = $1)
          and ($2::timestamptz is null or x.decided_at >= $2) and ($3::timestamptz is null or x.decided_at < $3)
        order by x.comment, x.content_version, x.revision desc
     ), held as (
       select l.said, v.decision, v.model, v.made_by, v.reasons
         from label l cross join lateral (
           select * from comments_verdict v
            where v.comment = l.comment and v.content_version = l.content_version and v.at <= l.decided_at
            order by v.at desc, v.run desc limit 1) v
     ), by_rule as (
       select h.said, h.decision, h.model, r.rule from held h cross join lateral (
         select distinct coalesce(reason ->> 'rule', h.made_by) as rule from jsonb_array_elements(
           case when jsonb_array_length(h.reasons) = 0 then '[{}]'::jsonb else h.reasons end) reason) r
     )
     select rule, model, count(*)::int as decided, (count(*) filter (where decision = said))::int as agreed,
            (count(*) filter (where decision = 'reject' and said = 'approve'))::int as wrongly_rejected,
            (count(*) filter (where decision = 'approve' and said = 'reject'))::int as wrongly_approved,
            (count(*) filter (where decision = 'unsure' and said = 'approve'))::int as unsure_approved,
            (count(*) filter (where decision = 'unsure' and said = 'reject'))::int as unsure_rejected
       from by_rule group by rule, model order by decided desc, rule, model`,
    [filter.site ?? null, filter.from ?? null, filter.to ?? null],
  );
  return rows.map((row) => {
    const denominator = row.agreed + row.wrongly_rejected + row.wrongly_approved;
    return {
      ...row,
      numerator: row.agreed,
      denominator,
      rate: denominator === 0 ? null : row.agreed / denominator,
      interval: wilsonInterval(row.agreed, denominator),
    };
  });
}
