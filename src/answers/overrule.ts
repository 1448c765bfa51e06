import type { BrandResult, CleanedAnswer, OtherBrand } from './clean-answer.ts';
import type { Finding } from './finding.ts';
import type { Match } from './recognise.ts';

type Measured = Pick<CleanedAnswer, 'results' | 'citations' | 'matches'>;

/** What the machine found in an answer; as stored, so that reasons and flags of older versions are plain text. */
export interface MachineResult extends Measured {
  readonly validity: {
    readonly valid: boolean;
    readonly reason: string | null;
    readonly flags: readonly string[];
  };
  /** The measures of an answer that the machine calls invalid, for when a person says that it is valid. */
  readonly ifValid?: Measured | undefined;
}

type BrandColumns = Omit<BrandResult, 'brand_name' | 'others' | 'rank_source'> & {
  readonly rank_source: string | null;
};

/** The machine's columns of a result beside those that a person's word changed or confirmed. */
export type BrandBeside = BrandColumns & { readonly is_valid: boolean; readonly invalid_reason: string | null };
type OtherValues = Omit<OtherBrand, 'brand_name'>;

export interface ShownOther extends OtherBrand {
  readonly machine?: OtherValues;
}

export interface ShownResult extends BrandColumns {
  readonly brand_name: string;
  readonly others: ShownOther[];
  readonly machine: BrandBeside | null;
}

export interface ShownMatch extends Match {
  readonly machine: Pick<Match, 'is_valid_match' | 'rule'> | null;
}

/** What is shown and counted: the machine's findings with what people said over them. */
export interface ShownAnswer {
  readonly validity: MachineResult['validity'];
  readonly results: readonly ShownResult[];
  readonly citations: CleanedAnswer['citations'];
  readonly matches: readonly ShownMatch[];
  /** The findings that took effect. One about a brand or hit that is not there (any more) takes none. */
  readonly applied: ReadonlySet<Finding>;
}

const UNMEASURED = {
  is_mentioned: false,
  mention_count: 0,
  is_recommended: null,
  recommendation_rank: null,
  rank_source: null,
  rank_band: null,
} as const;
const UNMENTIONED = { ...UNMEASURED, is_recommended: false } as const;

/**
 * Lays what people said over what the machine found. What depends on it follows: mentions are the kept explicit hits, a
 * brand without any is neither recommended nor ranked, an invalid answer has no measures at all.
 * Without findings it is what the machine found; leaving a finding out again undoes it.
 */
export function overrule(machine: MachineResult, findings: readonly Finding[]): ShownAnswer {
  const applied = new Set<Finding>();
  const verdict = findings.find((finding) => finding.field === 'validity');
  if (verdict) applied.add(verdict);
  const valid = verdict ? verdict.value.is_valid : machine.validity.valid;
  const validity = {
    valid,
    reason: verdict ? verdict.value.invalid_reason : machine.validity.reason,
    // A refusal in part is a property of valid answers.
    flags: machine.validity.flags.filter((flag) => valid || !machine.validity.valid || flag !== 'partial_refusal'),
  };
  if (!valid) {
    const results = machine.results.map((own): ShownResult => {
      const nothing = { ...own, ...UNMEASURED, has_citation: null, others: [] };
      return { ...nothing, machine: verdict ? besideOf(machine, own) : null };
    });
    return { validity, results, citations: [], matches: [], applied };
  }
  const measured = machine.validity.valid ? machine : machine.ifValid;
  if (!measured) throw new Error('an answer that a person calls valid was not measured');
  const matches = overruleHits(measured.matches, findings, applied);
  const brands = new Map<string, BrandMeasure>();
  for (const name of new Set(findings.map((finding) => finding.brandName))) {
    if (name === '') continue;
    const changed = overruleBrand(name, measured, matches, findings, applied);
    if (changed) brands.set(name, changed);
  }
  const results = measured.results.map((own): ShownResult => {
    const changed = brands.get(own.brand_name);
    const { brand_name: _name, ...columns } = changed ?? own;
    const recorded = machine.results.find((one) => one.brand_name === own.brand_name) ?? own;
    return {
      ...own,
      ...columns,
      others: overruleOthers(own, brands),
      machine: verdict || changed ? besideOf(machine, recorded) : null,
    };
  });
  return { validity, results, citations: measured.citations, matches, applied };
}

/** Keeping names the longest hit of its brand at a position, dropping all of them. */
function overruleHits(matches: readonly Match[], findings: readonly Finding[], applied: Set<Finding>): ShownMatch[] {
  const shown = matches.map((match): ShownMatch => ({ ...match, machine: null }));
  for (const finding of findings) {
    if (finding.field !== 'hit') continue;
    const here = shown.flatMap((match, at) =>
      match.standard_name === finding.brandName && match.match_position === finding.matchPosition ? [at] : [],
    );
    if (!here.length) continue;
    applied.add(finding);
    const keptAlready = here.find((at) => shown[at]!.is_valid_match);
    for (const at of finding.value ? [keptAlready ?? here[0]!] : here) {
      const { is_valid_match, rule } = shown[at]!;
      const machine = { is_valid_match, rule };
      shown[at] = { ...shown[at]!, is_valid_match: finding.value, rule: 'human', machine };
    }
  }
  return shown;
}

type BrandMeasure = Omit<BrandColumns, 'has_citation'> & { readonly brand_name: string };

/** @returns null where no finding about the brand takes effect */
function overruleBrand(
  name: string,
  measured: Measured,
  matches: readonly ShownMatch[],
  findings: readonly Finding[],
  applied: Set<Finding>,
): BrandMeasure | null {
  const own = matches.filter((match) => match.standard_name === name);
  const count = own.filter((match) => match.kind === 'explicit' && match.is_valid_match).length;
  const isTouched = own.some((match) => match.machine !== null);
  if (!count) return isTouched ? { brand_name: name, ...UNMENTIONED } : null;
  const about = <F extends 'recommended' | 'rank'>(field: F) =>
    findings.find(
      (finding): finding is Extract<Finding, { field: F }> => finding.field === field && finding.brandName === name,
    );
  const [recommended, rank] = [about('recommended'), about('rank')];
  for (const finding of [recommended, rank]) if (finding) applied.add(finding);
  if (!isTouched && !recommended && !rank) return null;
  const found = foundBy(measured, name);
  const measure = { ...found, brand_name: name, is_mentioned: true, mention_count: count };
  if (rank) {
    measure.recommendation_rank = rank.value;
    measure.rank_source = rank.value === null ? null : 'human';
    // A place in a ranking recommends, as it does for the machine.
    if (rank.value !== null) measure.is_recommended = true;
  }
  if (recommended) {
    measure.is_recommended = recommended.value;
    if (recommended.value === false && !rank) Object.assign(measure, { recommendation_rank: null, rank_source: null });
  }
  return measure;
}

type MutableMeasure = { -readonly [K in keyof Omit<BrandMeasure, 'brand_name'>]: BrandMeasure[K] };

/** The machine's measures of a brand; of one that it did not find, nothing is known. */
function foundBy({ results }: Measured, name: string): MutableMeasure {
  const own = results.find((one) => one.brand_name === name);
  if (own) {
    const { brand_name: _name, others: _others, has_citation: _cited, ...columns } = own;
    return own.is_mentioned ? columns : { ...UNMEASURED };
  }
  const other = results.flatMap(({ others }) => others).find((one) => one.brand_name === name);
  if (!other) return { ...UNMEASURED };
  const { is_recommended, recommendation_rank } = other;
  return { ...UNMEASURED, is_recommended, recommendation_rank };
}

function overruleOthers(own: BrandResult, brands: ReadonlyMap<string, BrandMeasure>): ShownOther[] {
  const others = own.others.flatMap((other): ShownOther[] => {
    const changed = brands.get(other.brand_name);
    if (!changed) return [other];
    const { brand_name: _name, ...machine } = other;
    return changed.is_mentioned ? [{ ...otherOf(changed), machine }] : [];
  });
  for (const changed of brands.values()) {
    const isNew = changed.is_mentioned && !own.others.some((other) => other.brand_name === changed.brand_name);
    if (!isNew || changed.brand_name === own.brand_name) continue;
    const machine = { mention_count: 0, is_recommended: false, recommendation_rank: null };
    others.push({ ...otherOf(changed), machine });
  }
  return others;
}

function otherOf({ brand_name, mention_count, is_recommended, recommendation_rank }: BrandMeasure): OtherBrand {
  return { brand_name, mention_count, is_recommended, recommendation_rank };
}

function besideOf({ validity }: MachineResult, own: BrandResult): BrandBeside {
  const { brand_name: _name, others: _others, ...columns } = own;
  return { is_valid: validity.valid, invalid_reason: validity.reason, ...columns };
}

/** Whether a brand is known in an answer: measured, found beside, or hit, kept or dropped. */
export function knowsBrand(answer: ShownAnswer, name: string): boolean {
  return (
    answer.results.some((own) => own.brand_name === name || own.others.some((other) => other.brand_name === name)) ||
    answer.matches.some((match) => match.standard_name === name)
  );
}

/** What the machine itself says at the place of a finding, as a value of that finding. */
export function machineValue(machine: MachineResult, { field, brandName, matchPosition }: Finding): Finding['value'] {
  const { valid, reason } = machine.validity;
  if (field === 'validity') return { is_valid: valid, invalid_reason: reason };
  const measured = valid ? machine : (machine.ifValid ?? machine);
  if (field === 'hit') {
    const here = (match: Match) => match.standard_name === brandName && match.match_position === matchPosition;
    return measured.matches.some((match) => here(match) && match.is_valid_match);
  }
  const own = measured.results.find((one) => one.brand_name === brandName);
  const other = measured.results.flatMap(({ others }) => others).find((one) => one.brand_name === brandName);
  const found = own ?? other ?? UNMENTIONED;
  return field === 'rank' ? found.recommendation_rank : found.is_recommended;
}
