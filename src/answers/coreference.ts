import { lastStartAt } from '../text/spans.ts';
import type { Mention, PlacedCue } from './mention.ts';
import { speaksOfNobody } from './pronoun-sense.ts';
import type { Doc } from './read-markdown.ts';

export interface Reference {
  readonly cue: PlacedCue;
  readonly brand: number;
}

/** How many mentions back a plural pronoun looks. */
const MAX_PLURAL = 50;
/** Behind these verbs the object is what the text goes on about: 腾讯推出元宝，它…. */
const introduces = /推出|发布|上线|旗下|收购|launch|releas|introduc|unveil|\bowns?\b|acquir|'s\s/i;

/**
 * Gives each pronoun a brand named before it in the same paragraph, list item or row: the subject of the nearest clause
 * that names any, in the pronoun's own clause the nearest brand; a plural one all brands of the nearest sentence. A new
 * brand or paragraph ends the reach of the old one. References are kept apart from mentions: they never make a brand
 * mentioned.
 */
export function findCoreferences(doc: Doc, mentions: readonly Mention[], cues: readonly PlacedCue[]): Reference[] {
  const references: Reference[] = [];
  if (mentions.length === 0) return references;
  for (const cue of cues) {
    const { kind } = cue.cue;
    if (kind !== 'pronoun' && kind !== 'pronouns' && kind !== 'company') continue;
    const nearest = lastStartAt(mentions, cue.start - 1);
    if (nearest === -1) continue;
    const block = lastStartAt(doc.blocks, cue.start);
    const mention = mentions[nearest]!;
    if (mention.block !== block || mention.end > cue.start || speaksOfNobody(doc, cue, mention, block)) continue;
    if (kind === 'pronoun') {
      references.push({ cue, brand: subjectOf(doc.text, mentions, nearest, cue).brand });
      continue;
    }
    const brands = new Set<number>();
    for (let i = nearest; i >= Math.max(0, nearest - MAX_PLURAL); i--) {
      const earlier = mentions[i]!;
      if (earlier.block !== block || earlier.sentence !== mention.sentence) break;
      brands.add(earlier.brand);
    }
    for (const brand of [...brands].reverse()) references.push({ cue, brand });
  }
  return references;
}

/** The first brand of the clause of `nearest`; `nearest` itself in the pronoun's own clause or where a verb introduces it. */
function subjectOf(text: string, mentions: readonly Mention[], nearest: number, cue: PlacedCue): Mention {
  const last = mentions[nearest]!;
  if (last.clause === cue.clause) return last;
  let first = last;
  for (let i = nearest - 1; i >= 0 && mentions[i]!.clause === last.clause && mentions[i]!.block === last.block; i--)
    first = mentions[i]!;
  return first === last || introduces.test(text.slice(first.end, last.start + 1)) ? last : first;
}
