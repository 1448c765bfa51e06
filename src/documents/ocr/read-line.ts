import { currencySigns } from './currency-signs.ts';
import { cutOut, type Strip } from './cut-out.ts';
import { inkOf, widestGap } from './ink.ts';
import type { Models } from './load-models.ts';
import type { Picture } from './picture.ts';
import type { TextBox } from './text-boxes.ts';
import { tidyPunctuation } from './tidy-punctuation.ts';

/** A piece of a line without a wide gap in it; its ends are pixels from the left end of the box. */
export interface LinePiece {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

export interface ReadLine {
  readonly pieces: readonly LinePiece[];
  readonly characters: number;
  /** Mean probability of its characters, 0 to 1; 0 where there are none. */
  readonly confidence: number;
}

/** The height that the network reads lines in. */
const HEIGHT = 48;
/** Lines are widened a little; errors are fewest so, and of the lines that are read with less confidence at the second. */
const STRETCH = 1.15;
const WIDER = 1.4;
const SURE = 0.93;
/** Strips whose width is a multiple of it keep the number of different shapes low. */
const WIDTH_STEP = 32;
/**
 * Between words, as a part of the line's height, beyond the gap that is usual between its characters: in the example
 * scans 0.17 and more in front of 98 of 100 words, and 0.15 and less within 99.9 of 100.
 */
const WORD_GAP = 0.15;
/** Between Chinese and Latin characters, which are set apart without a space. */
const MIXED_GAP = 0.3;
/** Between cells of a table, as a part of the line's height. */
const CELL_GAP = 1.3;

/** A character and the column of the strip that it was found at. */
export interface Found {
  readonly character: string;
  readonly at: number;
}

/**
 * Reads the line below a box. The network tells apart what is a few columns wide: narrow letters that it is not sure of are
 * read once more, wider.
 */
export async function readLine(picture: Picture, box: TextBox, models: Models): Promise<ReadLine> {
  const first = await readStretched(picture, box, models, STRETCH);
  if (first.confidence > SURE) return first;
  const wider = await readStretched(picture, box, models, WIDER);
  return wider.confidence > first.confidence ? wider : first;
}

async function readStretched(picture: Picture, box: TextBox, models: Models, stretch: number): Promise<ReadLine> {
  const strip = cutOut(picture, box, HEIGHT, stretch);
  const { data, shape } = await models.reading.run(...inputOf(strip));
  const [, steps, classes] = shape as readonly [number, number, number];
  const step = paddedWidth(strip.width) / steps;
  const found: Found[] = [];
  let sum = 0;
  let last = 0;
  // Connectionist temporal classification (Graves et al. 2006), the likeliest class of each step: the same character in
  // neighbouring steps is one, unless there is none between.
  for (let at = 0; at < steps; at += 1) {
    let best = 0;
    for (let one = 1; one < classes; one += 1) {
      if (data[at * classes + one]! > data[at * classes + best]!) best = one;
    }
    if (best && best !== last) {
      found.push({ character: models.characters[best] ?? '', at: (at + 0.5) * step });
      sum += data[at * classes + best]!;
    }
    last = best;
  }
  const scale = box.height / HEIGHT / stretch;
  const pieces = piecesOf(found, strip, stretch).map(({ text, from, to }) => ({
    text,
    from: from * scale,
    to: to * scale,
  }));
  return { pieces, characters: found.length, confidence: found.length ? sum / found.length : 0 };
}

const paddedWidth = (width: number): number => Math.ceil(width / WIDTH_STEP) * WIDTH_STEP;

/** Values from -1 to 1; what fills up the width is 0, as in training. */
function inputOf({ width, height, planes }: Strip): [Float32Array, number, number] {
  const padded = paddedWidth(width);
  const input = new Float32Array(3 * height * padded);
  for (let row = 0; row < 3 * height; row += 1) {
    for (let x = 0; x < width; x += 1) input[row * padded + x] = planes[row * width + x]! / 127.5 - 1;
  }
  return [input, height, padded];
}

/**
 * The network often leaves out spaces between Latin words and knows no gaps between cells: both are seen in the ink
 * between two characters.
 */
function piecesOf(found: readonly Found[], strip: Strip, stretch: number): LinePiece[] {
  const ink = inkOf(strip);
  const read = found.filter(({ character }) => character.trim());
  if (!read.length) return [];
  const visible = [...read, ...currencySigns(read, ink, strip)].sort((one, other) => one.at - other.at);
  const characters = [...tidyPunctuation(visible.map(({ character }) => character).join(''))];
  const gaps = visible.slice(1).map((one, at) => widestGap(ink.columns, visible[at]!.at, one.at));
  const usual =
    gaps.map(({ from, to }) => (to - from) / stretch).sort((one, other) => one - other)[gaps.length >> 1] ?? 0;
  const pieces: LinePiece[] = [];
  let text = characters[0]!;
  let begin = Math.max(0, ink.columns.indexOf(1));
  for (const [at, gap] of gaps.entries()) {
    const character = characters[at + 1]!;
    const width = (gap.to - gap.from) / stretch;
    if (width > CELL_GAP * HEIGHT) {
      pieces.push({ text, from: begin, to: gap.from });
      text = character;
      begin = gap.to;
    } else {
      const said = found[found.indexOf(visible[at + 1]!) - 1]?.character === ' ';
      text += (isSpaced(text, character, width - usual, said) ? ' ' : '') + character;
    }
  }
  return [...pieces, { text, from: begin, to: Math.max(begin, ink.columns.lastIndexOf(1) + 1) }];
}

const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** Marks that bring their own space with them. */
const WIDE_MARK = /[\u3000-\u303f\uff00-\uffef]/;

/**
 * Whether there is a space between the last character of a text and the next one.
 * @param more by how much the gap is wider than usual  @param said whether the network read a space
 */
function isSpaced(text: string, next: string, more: number, said: boolean): boolean {
  const last = text.at(-1)!;
  // In figures of one width a point stands as far from its neighbours as words do.
  if (/[.,:;!?)\]]/.test(next) || (/\d\.$/.test(text) && /\d/.test(next))) return false;
  const [one, other] = [WIDE.test(last), WIDE.test(next)];
  // Between Chinese characters a gap is setting, and a space would keep words from being found.
  if ((one && other) || WIDE_MARK.test(last + next)) return false;
  if (one || other) return more > MIXED_GAP * HEIGHT;
  return said || more > WORD_GAP * HEIGHT;
}
