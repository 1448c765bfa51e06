import type { Change, Measurement, Trial } from '../replay/index.ts';
import type { Queryable } from '../storage/database.ts';
import type { BrandTable } from './brands.ts';
import { cleanAgain } from './clean-again.ts';
import { currentFindings } from './findings.ts';
import { type MachineResult, machineValue, overrule, type ShownResult } from './overrule.ts';
import type { CleanDeps } from './pipeline.ts';
import { loadSamples, type Sample } from './sample.ts';

/** The columns that a trial compares. */
const COLUMNS = [
  'is_valid',
  'invalid_reason',
  'is_mentioned',
  'mention_count',
  'is_recommended',
  'recommendation_rank',
  'has_citation',
] as const;

type Line = Readonly<Record<(typeof COLUMNS)[number], unknown>>;

/** Samples that are cleaned at once: their answers are in memory together. */
const AT_ONCE = 100;

/**
 * Cleans samples by other brands and says how their shown results would differ, what people decided standing as it would
 * after a re-cleaning. Writes nothing. A sample whose answer cannot be read is not tried.
 */
export async function tryBrands(
  on: Queryable,
  readRaw: CleanDeps['readRaw'],
  ids: readonly string[],
  brands: BrandTable,
): Promise<Trial> {
  const changes: Change[] = [];
  let tried = 0;
  for await (const [sample, result] of cleanedAgain(on, readRaw, ids, brands)) {
    tried += 1;
    const said = (await currentFindings(on, [sample.id])).get(sample.id) ?? [];
    const shown = overrule(result, said);
    const after = new Map(shown.results.map((line) => [line.brand_name, lineOf(shown.validity, line)]));
    const before = await currentLines(on, sample.cleanTaskId);
    changes.push(...differences(sample.cleanTaskId, before, after));
  }
  const byField: Record<string, number> = {};
  for (const { field } of changes) byField[field] = (byField[field] ?? 0) + 1;
  return { tried, moves: {}, changed_items: new Set(changes.map(({ id }) => id)).size, by_field: byField, changes };
}

/**
 * Holds brands against what people decided, finding by finding: `before` is what the machine had said when they decided,
 * `after` what these brands say of the same place.
 */
export async function measureBrands(
  on: Queryable,
  readRaw: CleanDeps['readRaw'],
  brands: BrandTable,
): Promise<Measurement> {
  const { rows } = await on.query<{ sample: string }>('select distinct sample from answers_finding order by sample');
  const fields: Record<string, { labels: number; before: number; after: number }> = {};
  const changes: (Change & { label: unknown })[] = [];
  const ids = rows.map(({ sample }) => sample);
  for await (const [sample, result] of cleanedAgain(on, readRaw, ids, brands)) {
    const { rows: labels } = await on.query<Label>(CURRENT_LABELS, [sample.id]);
    for (const { machine, ...label } of labels) {
      const now = machineValue(result, label as Parameters<typeof machineValue>[1]);
      fields[label.field] ??= { labels: 0, before: 0, after: 0 };
      const counts = fields[label.field]!;
      const [was, is] = [isSame(machine, label.value), isSame(now, label.value)];
      counts.labels += 1;
      counts.before += was ? 1 : 0;
      counts.after += is ? 1 : 0;
      if (was === is) continue;
      const { field, value } = label;
      const of = label.brandName || null;
      changes.push({ id: sample.cleanTaskId, of, field, before: machine, after: now, label: value });
    }
  }
  return { fields, changes };
}

interface Label {
  readonly field: string;
  readonly brandName: string;
  readonly matchPosition: number;
  readonly value: unknown;
  readonly machine: unknown;
}

const CURRENT_LABELS = `
select f.field, f.brand_name as "brandName", f.match_position as "matchPosition", f.value, f.machine_value as machine
  from (select distinct on (t.field, t.brand_name, t.match_position) t.* from answers_finding t where t.sample = $1
         order by t.field, t.brand_name, t.match_position, t.revision desc) f
 where not f.withdrawn order by f.revision`;

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

async function* cleanedAgain(
  on: Queryable,
  readRaw: CleanDeps['readRaw'],
  ids: readonly string[],
  brands: BrandTable,
): AsyncGenerator<[Sample, MachineResult]> {
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const samples = await loadSamples(on, ids.slice(at, at + AT_ONCE));
    const raw = await readRaw(samples);
    for (const sample of samples) {
      const answer = raw.get(sample.id);
      if (answer !== undefined && !(answer instanceof Error)) yield [sample, cleanAgain(sample, answer, brands)];
    }
  }
}

const lineOf = ({ valid, reason }: MachineResult['validity'], shown: ShownResult): Line => ({
  ...shown,
  is_valid: valid,
  invalid_reason: reason,
});

async function currentLines(on: Queryable, cleanTaskId: string): Promise<Map<string, Line>> {
  const { rows } = await on.query<Line & { brand_name: string }>(
    `select brand_name, ${COLUMNS.join(', ')} from clean_result where clean_task_id = $1 order by id`,
    [cleanTaskId],
  );
  return new Map(rows.map((row) => [row.brand_name, row]));
}

/** A brand that is measured anew, or no longer, is one change. */
function* differences(
  id: string,
  before: ReadonlyMap<string, Line>,
  after: ReadonlyMap<string, Line>,
): Generator<Change> {
  for (const of of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(of), after.get(of)];
    if (!was || !is) {
      yield { id, of, field: 'measured', before: was !== undefined, after: is !== undefined };
      continue;
    }
    for (const field of COLUMNS) {
      if (was[field] !== is[field]) yield { id, of, field, before: was[field], after: is[field] };
    }
  }
}
