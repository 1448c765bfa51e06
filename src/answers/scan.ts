import { findAll } from '../text/automaton.ts';
import { closesAt, opensAt } from '../text/boundary.ts';
import { type Folded, Folder, GAP } from '../text/fold.ts';
import { selectLeftmostLongest } from '../text/leftmost-longest.ts';
import { looksLikeHost } from '../text/registrable-domain.ts';
import type { Span } from '../text/spans.ts';
import type { Alias } from './brands.ts';
import { BREAK, type CompiledBrands, type Entry, withoutJoiners } from './compile-brands.ts';
import type { CueWord } from './lexicon.ts';

/** An alias in the text, before its sense is looked at. */
export interface AliasHit extends Span {
  readonly brand: number;
  readonly alias: Alias;
  /** Why it cannot be a name: its surroundings, its case, a host name around it, another brand's name over it. */
  rejected: 'boundary' | 'case' | 'in_url' | 'overlap' | null;
}

export interface CueHit extends Span {
  readonly cue: CueWord;
}

export interface PhraseHit extends Span {
  readonly brand: number;
  readonly text: string;
  /** For exclude phrases: whether the phrase contains an alias of its brand. */
  readonly containsAlias: boolean;
}

/** What the one pass of the automaton found, each list ascending by start. */
export interface Scan {
  readonly aliases: readonly AliasHit[];
  readonly cues: readonly CueHit[];
  readonly excludes: readonly PhraseHit[];
  readonly requires: readonly PhraseHit[];
}

const folder = new Folder();

/** Searches a text for everything that is compiled; overlaps among names and among cues are settled. */
export function scan(text: string, compiled: CompiledBrands): Scan {
  const folded = folder.fold(text);
  const found = findAll(compiled.automaton, folded.codes, folded.length);
  const names: AliasHit[] = [];
  const rejected: AliasHit[] = [];
  const cues: CueHit[] = [];
  const excludes: PhraseHit[] = [];
  const requires: PhraseHit[] = [];

  for (let i = 0; i < found.length; i += 2) {
    const pattern = found[i]!;
    const to = found[i + 1]!;
    const length = compiled.lengths[pattern]!;
    const from = to - length;
    const span = { start: folded.startOf(from), end: folded.endOf(to - 1) };
    for (const entry of compiled.entries[pattern]!) {
      if (!gapsFit(folded, from, length, entry.breaks)) continue;
      const versionSuffix = entry.kind === 'alias' && entry.alias.allowVersionSuffix;
      const isWhole = opensAt(folded, from) && closesAt(folded, to, length, versionSuffix);
      if (entry.kind === 'alias') {
        const hit: AliasHit = {
          ...span,
          brand: entry.brand,
          alias: entry.alias,
          rejected: judge(text, span, entry, isWhole),
        };
        (hit.rejected === null ? names : rejected).push(hit);
      } else if (isWhole) {
        if (entry.kind === 'cue') cues.push({ ...span, cue: entry.cue });
        else if (entry.kind === 'exclude')
          excludes.push({ ...span, brand: entry.brand, text: entry.text, containsAlias: entry.containsAlias });
        else requires.push({ ...span, brand: entry.brand, text: entry.text, containsAlias: false });
      }
    }
  }
  return {
    aliases: settle(names, rejected),
    cues: selectLeftmostLongest(cues).kept,
    excludes: excludes.sort((a, b) => a.start - b.start),
    requires,
  };
}

function gapsFit(folded: Folded, from: number, length: number, breaks: Uint8Array): boolean {
  for (let k = 1; k < length; k++) {
    const gap = folded.gapBefore(from + k);
    const allowed = breaks[k];
    if (gap === GAP.none) {
      if (allowed === BREAK.required) return false;
    } else if (gap === GAP.hard || allowed === BREAK.closed) {
      return false;
    } else if (allowed === BREAK.capital && gap === GAP.space) {
      if (!/\p{Lu}/u.test(folded.text[folded.startOf(from + k)]!)) return false;
    }
  }
  return true;
}

function judge(text: string, span: Span, entry: Entry & { kind: 'alias' }, isWhole: boolean): AliasHit['rejected'] {
  if (!isWhole) return 'boundary';
  if (entry.exactKey !== null && withoutJoiners(text.slice(span.start, span.end)) !== entry.exactKey) return 'case';
  return isPartOfHost(text, span) ? 'in_url' : null;
}

const isHostSign = (c: number): boolean =>
  (c >= 0x30 && c <= 0x39) ||
  (c >= 0x41 && c <= 0x5a) ||
  (c >= 0x61 && c <= 0x7a) ||
  (c >= 0x2d && c <= 0x2f) ||
  c === 0x40 ||
  c === 0x5f;
const MAX_HOST = 100;

/** Whether the name is a piece of a bare host, path or e-mail address (kimi in kimi.example.cn); You.com as a whole is not. */
function isPartOfHost(text: string, span: Span): boolean {
  const before = text.charCodeAt(span.start - 1);
  const touchesBefore = before === 0x2e || before === 0x2f || before === 0x40 || before === 0x2d;
  const after = text.charCodeAt(span.end);
  const touchesAfter =
    (after === 0x2e || after === 0x2f || after === 0x2d || after === 0x40) && isHostSign(text.charCodeAt(span.end + 1));
  if (!touchesBefore && !touchesAfter) return false;
  let start = span.start;
  while (span.start - start < MAX_HOST && isHostSign(text.charCodeAt(start - 1))) start--;
  let end = span.end;
  while (end - span.end < MAX_HOST && isHostSign(text.charCodeAt(end))) end++;
  while (end > span.end && /[.\-/]/.test(text[end - 1]!)) end--;
  if (start === span.start && end === span.end) return false;
  return text
    .slice(start, end)
    .split('@')
    .some((part) => looksLikeHost(part) && part.length > span.end - span.start);
}

/** Leftmost-longest among the names; of the others those stay as witnesses that no name of their own brand covers. */
function settle(names: AliasHit[], rejected: AliasHit[]): AliasHit[] {
  const { kept, covered } = selectLeftmostLongest(names);
  if (covered.length === 0 && rejected.length === 0) return kept;
  const out = [...kept];
  for (const { span, by } of covered) if (span.brand !== by.brand) out.push({ ...span, rejected: 'overlap' });
  let next = 0;
  let last: AliasHit | undefined;
  rejected.sort((a, b) => a.start - b.start || b.end - a.end);
  for (const hit of rejected) {
    while (next < kept.length && kept[next]!.end <= hit.start) next++;
    const name = kept[next];
    const isCovered = name !== undefined && name.start < hit.end && name.brand === hit.brand;
    const isTwice = last !== undefined && last.start === hit.start && last.brand === hit.brand;
    if (!isCovered && !isTwice) out.push(hit);
    last = hit;
  }
  return out.sort((a, b) => a.start - b.start || b.end - a.end);
}
