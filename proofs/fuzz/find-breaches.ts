import type { BrandResult, CleanedAnswer } from '../../src/answers/clean-answer.ts';
import type { Match } from '../../src/answers/recognise.ts';
import { lastStartAt } from '../../src/text/spans.ts';

/**
 * What a cleaned answer must keep to whatever the text was.
 * @param names the aliases that were looked for
 * @returns what it breaks, each beginning with its kind and a colon; empty if nothing
 */
export function findBreaches(text: string, cleaned: CleanedAnswer, names: readonly string[]): string[] {
  const breaches = [...matchBreaches(text, cleaned.matches), ...validityBreaches(text, cleaned)];
  if (cleaned.validity.valid) breaches.push(...unseenNames(text, cleaned.matches, names));
  const counts = new Map<string, number>();
  for (const match of cleaned.matches) {
    if (match.kind === 'explicit' && match.is_valid_match)
      counts.set(match.standard_name, (counts.get(match.standard_name) ?? 0) + 1);
  }
  const mentioned = cleaned.results.filter((result) => result.is_mentioned).map((result) => result.brand_name);
  for (const result of cleaned.results) {
    const count = counts.get(result.brand_name) ?? 0;
    if (result.mention_count !== count) {
      breaches.push(
        `count: ${result.brand_name} counts ${result.mention_count}, its valid explicit matches are ${count}`,
      );
    }
    breaches.push(...resultBreaches(result, mentioned).map((breach) => `${breach} (${result.brand_name})`));
    const { has_citation } = result;
    if (cleaned.validity.valid && (has_citation === true) !== cleaned.citations.length > 0)
      breaches.push(`citation: has_citation is ${has_citation} with ${cleaned.citations.length} citations`);
  }
  return breaches;
}

const splitsPair = (text: string, at: number): boolean =>
  /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(Math.max(0, at - 1), at + 1));

const droppedBy =
  /^(?:boundary|case|overlap|in_url|in_citation|in_reasoning|in_code|require|absence|gloss|exclude:[\s\S]+)$/;

function matchBreaches(text: string, matches: readonly Match[]): string[] {
  const breaches: string[] = [];
  let before = 0;
  let validEnd = 0;
  let valid: Match | undefined;
  for (const match of matches) {
    const { match_position: start, match_end: end, surface, kind, rule, is_valid_match } = match;
    const say = (what: string): unknown =>
      breaches.push(`${what} (${match.standard_name}, ${kind}, ${start} to ${end})`);
    if (!(start >= 0 && start < end && end <= text.length)) say(`range: not inside the ${text.length} units`);
    if (text.slice(start, end) !== surface) say('surface: not the text at its place');
    if (start < before) say('order: begins before the match in front of it');
    if (splitsPair(text, start) || splitsPair(text, end)) say('pair: divides a surrogate pair');
    const isKept = kind === 'explicit' ? rule === 'alias' : rule === 'nearest_brand';
    if (is_valid_match !== isKept || !(isKept || droppedBy.test(rule)))
      say(`rule: ${rule} on a match that is ${is_valid_match ? 'kept' : 'dropped'}`);
    before = start;
    if (!is_valid_match) continue;
    // One plural pronoun refers to several brands.
    const isSamePronoun =
      kind === 'coreference' && valid?.kind === kind && valid.match_position === start && valid.match_end === end;
    if (start < validEnd && !isSamePronoun) say('overlap: two valid matches share text');
    validEnd = Math.max(validEnd, end);
    valid = match;
  }
  return breaches;
}

/** How many places of a name are looked up: long texts repeat themselves. */
const PLACES = 20;

/** A name that stands in the text as it is written in the table is a match, if only one with the rule that dropped it. */
function unseenNames(text: string, matches: readonly Match[], names: readonly string[]): string[] {
  const explicit = matches.filter((match) => match.kind === 'explicit');
  const spans = explicit.map((match) => ({ start: match.match_position, end: match.match_end }));
  const unseen: string[] = [];
  for (const name of names) {
    let at = text.indexOf(name);
    for (let n = 0; at !== -1 && n < PLACES; n++, at = text.indexOf(name, at + 1)) {
      const last = lastStartAt(spans, at + name.length - 1);
      if (last === -1 || spans[last]!.end <= at) unseen.push(`unseen: ${name} at ${at} is in no match`);
    }
  }
  return unseen;
}

function resultBreaches(result: BrandResult, mentioned: readonly string[]): string[] {
  const { is_mentioned, mention_count, is_recommended, recommendation_rank, rank_source, rank_band } = result;
  const breaches: string[] = [];
  if (is_mentioned !== mention_count > 0) breaches.push(`mentioned: ${is_mentioned} with a count of ${mention_count}`);
  if ((recommendation_rank === null) !== (rank_source === null))
    breaches.push(`rank: ${recommendation_rank} with the source ${rank_source}`);
  if (recommendation_rank !== null && !(Number.isSafeInteger(recommendation_rank) && recommendation_rank >= 1))
    breaches.push(`rank: ${recommendation_rank} is no place`);
  if (!is_mentioned && (is_recommended === true || recommendation_rank !== null || rank_band !== null))
    breaches.push('measures: of a brand that is not mentioned');
  const others = result.others.map((other) => other.brand_name).join();
  if (others !== mentioned.filter((name) => name !== result.brand_name).join())
    breaches.push('others: not the other mentioned brands');
  return breaches;
}

function validityBreaches(text: string, cleaned: CleanedAnswer): string[] {
  const { valid, reason, evidence } = cleaned.validity;
  const breaches: string[] = [];
  if (valid !== (reason === null)) breaches.push(`validity: ${valid ? 'valid' : 'invalid'} with the reason ${reason}`);
  if (evidence !== null && !(evidence.start >= 0 && evidence.start <= evidence.end && evidence.end <= text.length))
    breaches.push(`evidence: ${evidence.start} to ${evidence.end} of ${text.length}`);
  if (valid) return breaches;
  const isMeasured = cleaned.results.some(
    (result) =>
      result.is_mentioned ||
      result.is_recommended !== null ||
      result.recommendation_rank !== null ||
      result.rank_band !== null ||
      result.has_citation !== null,
  );
  if (isMeasured || cleaned.matches.length > 0 || cleaned.citations.length > 0)
    breaches.push('invalid: an invalid answer has measures');
  return breaches;
}
