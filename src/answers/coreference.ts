import { lastStartAt } from '../text/spans.ts';
import type { Doc } from './read-markdown.ts';
import type { Mention, PlacedCue } from './recognise.ts';

export interface Reference {
  readonly cue: PlacedCue;
  readonly brand: number;
}

/** How many mentions back a plural pronoun looks. */
const MAX_PLURAL = 50;

/**
 * Gives each pronoun the nearest brand before it in the same paragraph, list item or row; a plural one all brands of the
 * nearest sentence before it that names any. A new brand or paragraph ends the reach of the old one. References are
 * kept apart from mentions: they never make a brand mentioned.
 */
export function findCoreferences(doc: Doc, mentions: readonly Mention[], cues: readonly PlacedCue[]): Reference[] {
  const references: Reference[] = [];
  if (mentions.length === 0) return references;
  for (const cue of cues) {
    const { kind } = cue.cue;
    if (kind !== 'pronoun' && kind !== 'pronouns' && kind !== 'company') continue;
    if (cue.cue.text === 'it' && doc.text.slice(cue.start, cue.end) === 'IT') continue; // IT部门
    const nearest = lastStartAt(mentions, cue.start - 1);
    if (nearest === -1) continue;
    const block = lastStartAt(doc.blocks, cue.start);
    const mention = mentions[nearest]!;
    if (mention.block !== block || mention.end > cue.start) continue;
    if (kind === 'pronoun') {
      references.push({ cue, brand: mention.brand });
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
