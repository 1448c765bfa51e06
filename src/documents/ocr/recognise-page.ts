import { detectText } from './detect-text.ts';
import type { Models } from './load-models.ts';
import { type Picture, turnPicture } from './picture.ts';
import { type ReadLine, readLine } from './read-line.ts';
import type { TextBox } from './text-boxes.ts';

export type QuarterTurns = 0 | 1 | 2 | 3;

export interface RecognisedLine extends ReadLine {
  readonly box: TextBox;
}

export interface RecognisedPage {
  /** Lines in no order, on the picture as it stands upright. */
  readonly lines: readonly RecognisedLine[];
  /** Mean probability of all characters; null where there are none. */
  readonly confidence: number | null;
  /** By how many quarter turns clockwise the page lay. */
  readonly turned: QuarterTurns;
}

/** From a picture of a page to its lines, whichever way it lies. */
export async function recognisePage(picture: Picture, models: Models): Promise<RecognisedPage> {
  const boxes = await detectText(picture, models.detection);
  const upright = new Map<TextBox, ReadLine>();
  const turned = await turnOf(picture, boxes, models, upright);
  if (!turned) return pageOf(await readAll(picture, boxes, models, upright), 0);
  const straight = turnPicture(picture, ((4 - turned) % 4) as QuarterTurns);
  return pageOf(await readAll(straight, await detectText(straight, models.detection), models), turned);
}

async function readAll(
  picture: Picture,
  boxes: readonly TextBox[],
  models: Models,
  before: ReadonlyMap<TextBox, ReadLine> = new Map(),
): Promise<RecognisedLine[]> {
  const lines: RecognisedLine[] = [];
  for (const box of boxes) lines.push({ box, ...(before.get(box) ?? (await readLine(picture, box, models))) });
  return lines;
}

/** What the network reads with less confidence is a mark, a stamp's edge, a wrinkle. */
const READABLE = 0.5;

function pageOf(read: readonly RecognisedLine[], turned: QuarterTurns): RecognisedPage {
  const lines = read.filter(({ confidence }) => confidence >= READABLE);
  const characters = lines.reduce((sum, line) => sum + line.characters, 0);
  const sum = lines.reduce((all, line) => all + line.confidence * line.characters, 0);
  return { lines, confidence: characters ? sum / characters : null, turned };
}

/** So many of the longest lines tell which way a page lies. */
const SAMPLE = 8;
/** Upright text is read with more than 0.9, upside down with less than 0.3 (measured on the example documents). */
const SURE = 0.85;

/** Which way a page lies. Lines that were read as they stand are kept in `upright`. */
async function turnOf(
  picture: Picture,
  boxes: readonly TextBox[],
  models: Models,
  upright: Map<TextBox, ReadLine>,
): Promise<QuarterTurns> {
  const longest = boxes
    .toSorted((one, other) => Math.max(other.width, other.height) - Math.max(one.width, one.height))
    .slice(0, SAMPLE);
  const isSideways = longest.filter(({ width, height }) => height > width * 1.5).length > longest.length / 2;
  let best = { turned: 0 as QuarterTurns, amount: -1 };
  for (const turned of (isSideways ? [1, 3] : [0, 2, 1, 3]) as QuarterTurns[]) {
    let [characters, sum] = [0, 0];
    for (const box of longest) {
      const line = await readLine(picture, turnBox(box, turned), models);
      if (!turned) upright.set(box, line);
      characters += line.characters;
      sum += line.confidence * line.characters;
    }
    if (!isSideways && characters && sum / characters >= SURE) return turned;
    // The sum, not the mean: of a line read across its way little remains, and that may look sure.
    if (sum > best.amount) best = { turned, amount: sum };
  }
  return best.turned;
}

/** The same place, read in the direction of a page that lay turned. */
function turnBox({ x, y, width, height, angle }: TextBox, turned: QuarterTurns): TextBox {
  const direction = angle + (turned * Math.PI) / 2;
  return turned % 2
    ? { x, y, width: height, height: width, angle: direction }
    : { x, y, width, height, angle: direction };
}
