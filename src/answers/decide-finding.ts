import { isDeepStrictEqual } from 'node:util';
import { decide, REVISION_STALE } from '../core/decide.ts';
import type { Machine } from '../core/machine.ts';
import { recordEvents } from '../core/outbox.ts';
import { readRulebook } from '../core/rulebook.ts';
import { CodedError } from '../errors/coded-error.ts';
import type { Database, Queryable, Tx } from '../storage/database.ts';
import { parseBrands } from './brands.ts';
import { brandsAgain, brandsAtFirst, measureAsValid } from './clean-again.ts';
import { decidedEvent } from './events.ts';
import { type Finding, type FindingDecision, isSamePlace } from './finding.ts';
import { currentFindings, decidedView, findingAt, insertFinding } from './findings.ts';
import { sampleMachine } from './machine.ts';
import { knowsBrand, type MachineResult, machineValue, overrule, type ShownAnswer } from './overrule.ts';
import { BRANDS_SECTION, type CleanDeps } from './pipeline.ts';
import { currentVersion, keepVersions, writeVersions } from './result-versions.ts';
import { loadSamples, type Sample } from './sample.ts';
import { replaceResults } from './save-results.ts';

export interface DecideDeps extends Pick<CleanDeps, 'readRaw'> {
  readonly database: Database;
}

const refusal = (code: string, message: string) => new CodedError(`answers.${code}`, 'permanent', message);

/** How often a decision that needs the raw answer begins anew because a re-cleaning was faster. */
const TRIES = 5;

/**
 * Takes a person's decision about one finding of a sample: the finding, what depends on it, the journal's note, the new
 * revision and the event are one transaction. The same request again, its answer having been lost, changes nothing.
 * @returns the sample's revision since
 * @throws CodedError `answers.sample_unknown`, `answers.not_completed`, `core.revision_stale` (journalled; detail:
 * revision, decided), `answers.brand_missing`, `answers.finding_unknown` (nothing to withdraw), `answers.sample_invalid` (an invalid answer has
 * no hits and measures), `answers.hit_unknown`, `answers.brand_unknown`, `answers.brand_unmentioned`,
 * `answers.result_unknown` (no brand was measured), and those of reading the raw answer of one that is to be valid
 */
export async function decideFinding(
  deps: DecideDeps,
  cleanTaskId: string,
  decision: FindingDecision,
  actorId: string,
): Promise<{ readonly revision: number }> {
  for (let attempt = 1; ; attempt += 1) {
    const sample = await findSample(deps.database, cleanTaskId);
    const measured = wantsMeasures(decision) ? await measureInvalid(deps, sample) : null;
    try {
      // A refused decision is journalled, so it is not thrown before its transaction has committed.
      const outcome = await deps.database.transaction((tx) => take(tx, sample, decision, actorId, measured));
      if (outcome instanceof CodedError) throw outcome;
      return outcome;
    } catch (error) {
      if (!(error instanceof ResultReplaced) || attempt >= TRIES) throw error;
    }
  }
}

/** The result that was measured is no longer the one that is shown. */
class ResultReplaced extends CodedError {
  constructor() {
    super('answers.result_replaced', 'transient', 'the result was replaced while it was looked at');
  }
}

async function findSample(on: Queryable, cleanTaskId: string): Promise<Sample> {
  const { rows } = await on.query<{ id: string }>('select id from answers_sample where clean_task_id = $1', [
    cleanTaskId,
  ]);
  const [sample] = rows[0] ? await loadSamples(on, [rows[0].id]) : [];
  if (!sample) throw refusal('sample_unknown', `there is no clean_task_id '${cleanTaskId}'`);
  if (sample.state !== 'completed') throw notCompleted(sample.state);
  return sample;
}

const notCompleted = (state: string) =>
  new CodedError('answers.not_completed', 'permanent', 'only a completed sample has findings', { detail: { state } });

const wantsMeasures = ({ field, value, withdraw }: FindingDecision): boolean =>
  field === 'validity' && !withdraw && value?.is_valid === true;

interface Measured {
  /** The run whose result was looked at. */
  readonly run: string;
  readonly ifValid: MachineResult['ifValid'];
}

/** Measures an answer that the machine called invalid, by the brands that its result was made with. No transaction. */
async function measureInvalid({ database, readRaw }: DecideDeps, sample: Sample): Promise<Measured | null> {
  const { rows } = await database.query<{ run: string; version: number; again: boolean; valid: boolean }>(
    `select run, rulebook_version as version, re_cleaned_at is not null as again,
            coalesce((machine ->> 'is_valid')::boolean, is_valid) as valid
       from clean_result where clean_task_id = $1 limit 1`,
    [sample.cleanTaskId],
  );
  const result = rows[0];
  if (!result || result.valid) return null;
  const answer = (await readRaw([sample])).get(sample.id);
  if (answer === undefined) throw refusal('raw_missing', 'the task has neither answer nor raw object');
  if (answer instanceof Error) throw answer;
  const { content } = await readRulebook(database, BRANDS_SECTION, { brands: [] }, result.version);
  const table = (result.again ? brandsAgain : brandsAtFirst)(sample, parseBrands(content));
  return { run: result.run, ifValid: measureAsValid(sample, answer, table) };
}

async function take(
  tx: Tx,
  seen: Sample,
  decision: FindingDecision,
  actorId: string,
  measured: Measured | null,
): Promise<{ readonly revision: number } | CodedError> {
  const { rows } = await tx.query<{ revision: number; state: string }>(
    'select revision, state from answers_sample where id = $1 for no key update',
    [seen.id],
  );
  const { revision, state } = rows[0]!;
  if (state !== 'completed') throw notCompleted(state);
  const finding = findingOf(decision, seen.brandName);
  if (
    revision === decision.expected_revision + 1 &&
    (await isRepeat(tx, seen.id, revision, decision, finding, actorId))
  ) {
    return { revision };
  }
  const decided = await decide(tx, sampleMachine as unknown as Machine, {
    item: seen.id,
    expectedRevision: decision.expected_revision,
    to: null,
    actor: 'human',
    actorId,
    reason: `${decision.field}.${decision.withdraw ? 'withdrawn' : 'decided'}`,
    remark: decision.reason ?? null,
  });
  if (decided instanceof CodedError) return withOtherWord(tx, decided, seen.id);

  await keepVersions(tx, [seen]);
  const current = await currentVersion(tx, seen);
  if (!current) throw refusal('result_unknown', 'no brand was measured, so nothing was found');
  const machine = withMeasures(current.result, current.run, measured);
  if (wantsMeasures(decision) && !machine.validity.valid && !machine.ifValid) throw new ResultReplaced();
  if (machine !== current.result) await writeVersions(tx, [{ ...current, sample: seen.id, result: machine }]);

  const before = (await currentFindings(tx, [seen.id])).get(seen.id) ?? [];
  const others = before.filter((one) => !isSamePlace(one, finding));
  if (decision.withdraw && others.length === before.length) {
    throw refusal('finding_unknown', 'nobody decided about this, so there is nothing to withdraw');
  }
  const answer = overrule(machine, decision.withdraw ? others : [...others, finding]);
  if (!decision.withdraw && !answer.applied.has(finding)) throw withoutEffect(answer, finding);
  const { run, rulebookVersion } = current;
  await insertFinding(tx, {
    sample: seen.id,
    revision: decided.revision,
    finding,
    withdrawn: decision.withdraw === true,
    machineValue: machineValue(machine, finding),
    rulebookVersion,
    run,
    decidedBy: actorId,
  });
  await replaceResults(tx, [{ item: seen, answer, run, rulebookVersion }]);
  await recordEvents(tx, [decidedEvent(seen, answer, decision, finding.brandName, decided.revision)]);
  return { revision: decided.revision };
}

function findingOf(decision: FindingDecision, ownBrand: string | null): Finding {
  const { field } = decision;
  // Of a finding that is withdrawn only the place counts.
  if (field === 'validity') {
    const { is_valid, invalid_reason } = decision.value ?? { is_valid: true };
    return { field, brandName: '', matchPosition: -1, value: { is_valid, invalid_reason: invalid_reason ?? null } };
  }
  const brandName = decision.brand_name ?? ownBrand;
  if (brandName === null) throw refusal('brand_missing', 'the task names no brand: brand_name must say which is meant');
  if (field === 'hit') {
    return { field, brandName, matchPosition: decision.match_position, value: decision.value ?? false };
  }
  if (field === 'recommended') return { field, brandName, matchPosition: -1, value: decision.value ?? null };
  return { field, brandName, matchPosition: -1, value: decision.value ?? null };
}

/** Whether the decision that made this revision is the same one by the same person. */
async function isRepeat(
  tx: Tx,
  sample: string,
  revision: number,
  decision: FindingDecision,
  finding: Finding,
  actorId: string,
): Promise<boolean> {
  const made = await findingAt(tx, sample, revision);
  return (
    made !== undefined &&
    isSamePlace(made, finding) &&
    made.decidedBy === actorId &&
    made.withdrawn === (decision.withdraw === true) &&
    isDeepStrictEqual(made.value, finding.value)
  );
}

/** Who comes too late is told what somebody else said meanwhile. */
async function withOtherWord(tx: Tx, stale: CodedError, sample: string): Promise<CodedError> {
  if (stale.code !== REVISION_STALE) return stale;
  const decided = await decidedView(tx, sample);
  return new CodedError(stale.code, stale.errorClass, stale.message, { detail: { ...stale.detail, decided } });
}

/** Measures that were made outside of the transaction count for the run that they were made for. */
function withMeasures(machine: MachineResult, run: string, measured: Measured | null): MachineResult {
  if (!measured || measured.run !== run || machine.validity.valid || machine.ifValid) return machine;
  return { ...machine, ifValid: measured.ifValid };
}

function withoutEffect(answer: ShownAnswer, { field, brandName, matchPosition }: Finding): CodedError {
  if (!answer.validity.valid) return refusal('sample_invalid', 'an invalid answer has neither hits nor measures');
  if (!knowsBrand(answer, brandName))
    return refusal('brand_unknown', `'${brandName}' was not looked for in this answer`);
  if (field === 'hit') return refusal('hit_unknown', `there is no hit of '${brandName}' at ${matchPosition}`);
  return refusal('brand_unmentioned', `'${brandName}' is not mentioned: nothing recommends or ranks it`);
}
