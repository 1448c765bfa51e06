import type { Span } from '../text/spans.ts';
import type { CueHit } from './scan.ts';

/** A kept explicit mention with its place in the text. */
export interface Mention extends Span {
  readonly brand: number;
  /** Running number of the clause and of the sentence; contrast words (但, but) begin a clause of their own. */
  readonly clause: number;
  readonly sentence: number;
  /** Index of the block, -1 outside of all. */
  readonly block: number;
}

/** A cue word outside masks with its place. */
export interface PlacedCue extends CueHit {
  readonly clause: number;
  readonly sentence: number;
}
