import { unescaped } from './prompt.ts';

/** A text in which verbatim passages are looked for. */
export interface Source {
  readonly markdown: string;
  /**
   * Where a passage stands first, from an offset on, in UTF-16 units; null where it does not, or where it has no letter
   * or figure.
   */
  locate(passage: string, from?: number): Place | null;
}

export interface Place {
  readonly start: number;
  readonly end: number;
}

/** With marks of Markdown, spaces and signs without width: what a copy may lack or have more. */
const DROPPED = /[\s|*#_\\`>\p{Cf}]/u;
/** What NFKC looks at as a whole: jamo of a syllable, a sign with its marks. */
const UNITS = /[\u1100-\u11ff]+|.\p{M}*/gsu;
const PLAIN = /^[\x21-\x7e\u4e00-\u9fff]$/;

/**
 * Makes a text searchable: compared by NFKC and without spaces, so that line breaks, gaps between Han characters, cells
 * of tables and wide figures do not matter, while every letter and figure does.
 */
export function openSource(markdown: string): Source {
  const { text, offsets } = fold(markdown);
  return {
    markdown,
    locate: (passage, from = 0) => {
      const wanted = foldedPassage(passage);
      if (!/[\p{L}\p{N}]/u.test(wanted)) return null;
      const at = text.indexOf(wanted, firstFrom(offsets, from));
      if (at === -1) return null;
      const last = offsets[at + wanted.length - 1]!;
      return { start: offsets[at]!, end: last + unitAt(markdown, last).length };
    },
  };
}

/** Whether a passage stands in another one, as they are compared. */
export function holds(passage: string, part: string): boolean {
  const wanted = foldedPassage(part);
  return wanted !== '' && foldedPassage(passage).includes(wanted);
}

export const foldedPassage = (passage: string): string => fold(unescaped(passage)).text;

/** The first unit that comes from this offset or one behind it. */
function firstFrom(offsets: readonly number[], from: number): number {
  let [low, high] = [0, offsets.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (offsets[middle]! < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

function unitAt(text: string, at: number): string {
  const unit = new RegExp(UNITS, 'uys');
  unit.lastIndex = at;
  return unit.exec(text)![0];
}

/** The folded text; for each of its units, where in the original it comes from. */
function fold(original: string): { text: string; offsets: number[] } {
  const offsets: number[] = [];
  let text = '';
  for (const { 0: unit, index } of original.matchAll(UNITS)) {
    const folded = PLAIN.test(unit) ? unit : unit.normalize('NFKC');
    for (const sign of folded) {
      if (DROPPED.test(sign)) continue;
      for (let n = 0; n < sign.length; n += 1) offsets.push(index);
      text += sign;
    }
  }
  return { text, offsets };
}
