import { type Clauses, clauseAt, sentenceAt, splitClauses } from '../text/clauses.ts';
import { lastStartAt, type Span, spanAt } from '../text/spans.ts';
import type { Origin } from './brands.ts';
import type { CompiledBrands } from './compile-brands.ts';
import { findCoreferences } from './coreference.ts';
import { glossedBy } from './gloss.ts';
import type { Mention, PlacedCue } from './mention.ts';
import type { Doc } from './read-markdown.ts';
import { type AliasHit, type CueHit, type PhraseHit, scan } from './scan.ts';

/** One hit, kept or dropped; offsets are UTF-16 and `text.slice(match_position, match_end) === surface`. */
export interface Match {
  readonly standard_name: string;
  readonly matched_alias: string;
  readonly origin: Origin;
  readonly surface: string;
  readonly match_position: number;
  readonly match_end: number;
  readonly kind: 'explicit' | 'coreference';
  /** Only valid explicit matches count as mentions. */
  readonly is_valid_match: boolean;
  /**
   * Kept: `alias`, `nearest_brand` (coreference). Dropped: `boundary`, `case`, `overlap`, `in_url`, `in_citation`,
   * `in_reasoning`, `in_code`, `exclude:<phrase>`, `require`, `absence`, `gloss`.
   */
  readonly rule: string;
}

export interface Recognition {
  /** In order of position. */
  readonly matches: Match[];
  readonly mentions: Mention[];
  readonly cues: PlacedCue[];
}

/** How far an exclude phrase that does not contain the alias reaches within its sentence, in UTF-16 units. */
const EXCLUDE_REACH = 30;

/** Finds the configured brands in an answer and says for every hit why it was kept or dropped. */
export function recognise(doc: Doc, compiled: CompiledBrands): Recognition {
  const found = scan(doc.text, compiled);
  if (found.aliases.length === 0) return { matches: [], mentions: [], cues: [] };
  const clauses = splitClauses(doc.text);
  const cues = placeCues(doc, found.cues, clauses);
  const contrasts = cues.filter((cue) => cue.cue.kind === 'contrast');
  const requires = sentencesOf(found.requires, clauses);
  const matches: Match[] = [];
  const mentions: Mention[] = [];
  const glosses = glossedBy(doc.text);

  for (const hit of found.aliases) {
    const clause = clauseAt(clauses, hit.start);
    const sentence = clauses.sentences[clause]!;
    const rule =
      hit.rejected ??
      maskAt(doc, hit) ??
      excludedBy(hit, found.excludes, clauses, compiled) ??
      (isWithoutRequired(hit, sentence, compiled, requires) ? 'require' : null) ??
      (glosses(hit) ? 'gloss' : null);
    const block = lastStartAt(doc.blocks, hit.start);
    const mention = {
      ...span(hit),
      brand: hit.brand,
      clause: clause + countUpTo(contrasts, hit.start),
      sentence,
      block,
    };
    const isAbsent = rule === null && isReportedAbsent(doc.text, mention, cues, clauses);
    matches.push(
      toMatch(doc.text, hit, compiled, rule ?? (isAbsent ? 'absence' : 'alias'), rule === null && !isAbsent),
    );
    if (rule === null && !isAbsent) mentions.push(mention);
  }
  for (const reference of findCoreferences(doc, mentions, cues)) {
    const { cue, brand } = reference;
    const alias = compiled.brands[brand]!.aliases[0]!;
    matches.push({
      standard_name: compiled.brands[brand]!.name,
      matched_alias: cue.cue.text,
      origin: alias.origin,
      surface: doc.text.slice(cue.start, cue.end),
      match_position: cue.start,
      match_end: cue.end,
      kind: 'coreference',
      is_valid_match: true,
      rule: 'nearest_brand',
    });
  }
  matches.sort((a, b) => a.match_position - b.match_position);
  return { matches, mentions, cues };
}

const span = (s: Span): Span => ({ start: s.start, end: s.end });

function toMatch(text: string, hit: AliasHit, compiled: CompiledBrands, rule: string, valid: boolean): Match {
  return {
    standard_name: compiled.brands[hit.brand]!.name,
    matched_alias: hit.alias.text,
    origin: hit.alias.origin,
    surface: text.slice(hit.start, hit.end),
    match_position: hit.start,
    match_end: hit.end,
    kind: 'explicit',
    is_valid_match: valid,
    rule,
  };
}

function placeCues(doc: Doc, cues: readonly CueHit[], clauses: Clauses): PlacedCue[] {
  const placed: PlacedCue[] = [];
  let contrasts = 0;
  for (const hit of cues) {
    if (hit.cue.kind === 'none' || maskAt(doc, hit) !== null) continue;
    if (hit.cue.kind === 'contrast') contrasts++;
    const clause = clauseAt(clauses, hit.start);
    placed.push({ ...span(hit), cue: hit.cue, clause: clause + contrasts, sentence: clauses.sentences[clause]! });
  }
  return placed;
}

function maskAt(doc: Doc, hit: Span): string | null {
  if (doc.masks.length === 0) return null;
  const mask = spanAt(doc.masks, hit.start);
  return mask === -1 ? null : doc.masks[mask]!.why;
}

function countUpTo(cues: readonly Span[], at: number): number {
  return lastStartAt(cues, at) + 1;
}

/** A phrase that contains the alias drops what it covers; any other drops what is near it in the same sentence. */
function excludedBy(
  hit: AliasHit,
  excludes: readonly PhraseHit[],
  clauses: Clauses,
  compiled: CompiledBrands,
): string | null {
  if (excludes.length === 0) return null;
  const reach = EXCLUDE_REACH + compiled.longestExclude * 2;
  for (let i = lastStartAt(excludes, hit.start - reach) + 1; i < excludes.length; i++) {
    const phrase = excludes[i]!;
    if (phrase.start > hit.end + EXCLUDE_REACH) break;
    if (phrase.brand !== hit.brand) continue;
    if (phrase.containsAlias) {
      if (phrase.start <= hit.start && hit.end <= phrase.end) return `exclude:${phrase.text}`;
    } else {
      const distance = Math.max(phrase.start - hit.end, hit.start - phrase.end);
      const isSameSentence = sentenceAt(clauses, phrase.start) === sentenceAt(clauses, hit.start);
      if (distance <= EXCLUDE_REACH && isSameSentence) return `exclude:${phrase.text}`;
    }
  }
  return null;
}

function sentencesOf(phrases: readonly PhraseHit[], clauses: Clauses): Set<string> {
  return new Set(phrases.map((phrase) => `${phrase.brand}:${sentenceAt(clauses, phrase.start)}`));
}

function isWithoutRequired(hit: AliasHit, sentence: number, compiled: CompiledBrands, requires: Set<string>): boolean {
  return compiled.brands[hit.brand]!.require.length > 0 && !requires.has(`${hit.brand}:${sentence}`);
}

/** How far "no information about" reaches, in UTF-16 units. */
const ABSENCE_REACH = 40;

/**
 * "未找到关于灵犀的信息" and "关于灵犀，没有找到相关资料" name a brand to say that it is not there. "没有找到比豆包更好的"
 * says something else.
 */
function isReportedAbsent(text: string, mention: Mention, cues: readonly PlacedCue[], clauses: Clauses): boolean {
  for (let i = lastStartAt(cues, mention.start); i >= 0; i--) {
    const cue = cues[i]!;
    if (cue.clause !== mention.clause || mention.start - cue.end > ABSENCE_REACH) break;
    if (cue.cue.kind === 'than' && cue.end === mention.start) return false;
    if (cue.cue.kind === 'absence') return true;
    if (cue.cue.kind === 'unrelated') return /^[^，。,.]{0,8}[相有]关/.test(text.slice(mention.end, mention.end + 12));
  }
  for (let i = lastStartAt(cues, mention.start) + 1; i < cues.length; i++) {
    const cue = cues[i]!;
    if (cue.sentence !== mention.sentence || cue.start - mention.end > ABSENCE_REACH) break;
    if (cue.cue.kind !== 'absence') continue;
    const opening = text.slice(clauses.starts[clauseAt(clauses, mention.start)], mention.start);
    const behind = text.slice(cue.end, cue.end + 24);
    const isTopic = /^\s*(?:关于|至于|针对|as for|regarding|about|concerning)/i.test(opening);
    return isTopic && cue.clause <= mention.clause + 1 && !/^[^，。,.]{0,6}(?:比|than)/.test(behind);
  }
  return false;
}
