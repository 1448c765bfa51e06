import type { Glyphs } from '../lay-out.ts';
import type { RecognisedLine } from './recognise-page.ts';

/** How high the box around a line is, its margin with it, beside the size of its font. */
const BOX_OF_FONT = 1.35;
/** Where the base line runs, from the middle of the box downwards, in sizes of the font. */
const BASE = 0.35;

/** Recognised lines as pieces of text on a page that lies straight: a page that was scanned askew is turned back. */
export function lineGlyphs(lines: readonly RecognisedLine[]): Glyphs[] {
  const angle = skewOf(lines);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return lines.flatMap(({ box, pieces }) => {
    const along = box.x * cos + box.y * sin - box.width / 2;
    const size = box.height / BOX_OF_FONT;
    const y = box.y * cos - box.x * sin + size * BASE;
    return pieces.map(({ text, from, to }) => ({
      text,
      x: along + from,
      y,
      width: to - from,
      size,
    }));
  });
}

/** The steepest skew that is looked for, and the step, in radians: 5 degrees and a twentieth of one. */
const STEEPEST = Math.PI / 36;
const STEP = Math.PI / 3600;

/**
 * The angle of the page at which its lines fall together best: both ends of each line, seen along the angle, are sorted
 * into narrow bands, and the sum of the squares of what the bands hold is the largest (W. Postl, 1986). Single short boxes
 * have any angle.
 */
function skewOf(lines: readonly RecognisedLine[]): number {
  const heights = lines.map(({ box }) => box.height).sort((one, other) => one - other);
  const band = (heights[heights.length >> 1] ?? 1) / 5;
  let best = { angle: 0, fit: -1 };
  for (let step = 0; step <= STEEPEST / STEP; step += 1) {
    for (const angle of step ? [step * STEP, -step * STEP] : [0]) {
      const fit = fitOf(angle, lines, band);
      if (fit > best.fit * 1.001) best = { angle, fit };
    }
  }
  return best.angle;
}

function fitOf(angle: number, lines: readonly RecognisedLine[], band: number): number {
  const bands = new Map<number, number>();
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  for (const { box } of lines) {
    const [dx, dy] = [(Math.cos(box.angle) * box.width) / 2, (Math.sin(box.angle) * box.width) / 2];
    for (const end of [-1, 1]) {
      const at = ((box.y + end * dy) * cos - (box.x + end * dx) * sin) / band;
      // Shared between two bands, so that it does not matter where a band begins.
      const low = Math.floor(at);
      bands.set(low, (bands.get(low) ?? 0) + low + 1 - at);
      bands.set(low + 1, (bands.get(low + 1) ?? 0) + at - low);
    }
  }
  return [...bands.values()].reduce((sum, one) => sum + one * one, 0);
}
