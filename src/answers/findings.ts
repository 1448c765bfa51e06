import type { Queryable, Tx } from '../storage/database.ts';
import type { Finding } from './finding.ts';

/** One decision about a finding, as it is written. */
export interface NewFinding {
  readonly sample: string;
  readonly revision: number;
  readonly finding: Finding;
  readonly withdrawn: boolean;
  readonly machineValue: unknown;
  readonly rulebookVersion: number | null;
  readonly run: string;
  readonly decidedBy: string;
}

export async function insertFinding(tx: Tx, written: NewFinding): Promise<void> {
  const { finding } = written;
  await tx.query(
    `insert into answers_finding (sample, revision, field, brand_name, match_position, withdrawn, value, machine_value,
            rulebook_version, run, decided_by, decided_at)
     values ($1, $2, $3, $4, $5, $6, $7::jsonb, $8::jsonb, $9, $10, $11, now_here())`,
    [
      written.sample,
      written.revision,
      finding.field,
      finding.brandName,
      finding.matchPosition,
      written.withdrawn,
      JSON.stringify(finding.value),
      JSON.stringify(written.machineValue),
      written.rulebookVersion,
      written.run,
      written.decidedBy,
    ],
  );
}

/** A decision of a given revision, to know a request again whose answer was lost. */
export async function findingAt(
  on: Queryable,
  sample: string,
  revision: number,
): Promise<(Finding & { readonly withdrawn: boolean; readonly decidedBy: string }) | undefined> {
  const { rows } = await on.query<Finding & { withdrawn: boolean; decidedBy: string }>(
    `select field, brand_name as "brandName", match_position as "matchPosition", value, withdrawn, decided_by as "decidedBy"
       from answers_finding where sample = $1 and revision = $2`,
    [sample, revision],
  );
  return rows[0];
}

/** What people say now about samples, in the order in which they said it. */
export async function currentFindings(on: Queryable, samples: readonly string[]): Promise<Map<string, Finding[]>> {
  const { rows } = await on.query<Finding & { sample: string }>(
    `select f.sample, f.field, f.brand_name as "brandName", f.match_position as "matchPosition", f.value
       from unnest($1::uuid[]) as i(id) cross join lateral (
         select distinct on (t.field, t.brand_name, t.match_position) t.* from answers_finding t where t.sample = i.id
          order by t.field, t.brand_name, t.match_position, t.revision desc) f
      where not f.withdrawn and f.set_aside_by is null order by f.sample, f.revision`,
    [samples],
  );
  const findings = new Map<string, Finding[]>();
  for (const { sample, ...finding } of rows) {
    const known = findings.get(sample);
    if (known) known.push(finding as Finding);
    else findings.set(sample, [finding as Finding]);
  }
  return findings;
}

/** What people say now about one sample, as programs are told. `brand_name` and `match_position` are null where it is about none. */
export const DECIDED_SQL = (sample: string) => `
  select coalesce(jsonb_agg(jsonb_build_object(
           'field', f.field, 'brand_name', nullif(f.brand_name, ''), 'match_position', nullif(f.match_position, -1),
           'value', f.value, 'machine_value', f.machine_value, 'by', f.decided_by,
           'at', to_char(f.decided_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by f.revision),
           '[]') as decided
    from (select distinct on (t.field, t.brand_name, t.match_position) t.* from answers_finding t where t.sample = ${sample}
           order by t.field, t.brand_name, t.match_position, t.revision desc) f
   where not f.withdrawn and f.set_aside_by is null`;

/** One decision as a program sees it. */
export interface DecidedView {
  readonly field: Finding['field'];
  readonly brand_name: string | null;
  readonly match_position: number | null;
  readonly value: Finding['value'];
  readonly machine_value: Finding['value'];
  readonly by: string;
  readonly at: string;
}

export async function decidedView(on: Queryable, sample: string): Promise<DecidedView[]> {
  return (await on.query<{ decided: DecidedView[] }>(DECIDED_SQL('$1::uuid'), [sample])).rows[0]!.decided;
}

/**
 * Lets a batch of re-cleaning set aside what was decided about samples up to now: decisions that follow stand. Holds the
 * samples' rows, as everything does that writes their findings.
 */
export async function yieldFindings(tx: Tx, samples: readonly string[], batch: string): Promise<void> {
  await tx.query(
    `with input as materialized (select id from unnest($1::uuid[]) as i(id) order by id)
     select s.id from input i cross join lateral (
       select t.id from answers_sample t where t.id = i.id for no key update) s`,
    [samples],
  );
  await tx.query(
    `update answers_finding set yields_to = $2
      where (sample, revision) in (
        select f.sample, f.revision from unnest($1::uuid[]) as i(id) cross join lateral (
          select t.sample, t.revision from answers_finding t
           where t.sample = i.id and t.set_aside_by is null offset 0) f)`,
    [samples, batch],
  );
}

/** Sets aside the decisions that yield to the batch whose run about the sample was accepted. */
export async function setFindingsAside(
  tx: Tx,
  accepted: readonly { readonly sample: string; readonly batch: string }[],
): Promise<void> {
  await tx.query(
    `update answers_finding set set_aside_by = yields_to
      where (sample, revision) in (
        select f.sample, f.revision from unnest($1::uuid[], $2::uuid[]) as i(id, batch) cross join lateral (
          select t.sample, t.revision from answers_finding t
           where t.sample = i.id and t.yields_to = i.batch and t.set_aside_by is null offset 0) f)`,
    [accepted.map(({ sample }) => sample), accepted.map(({ batch }) => batch)],
  );
}
