import type { TextBox } from './text-boxes.ts';

/** How far apart in height two parts of one line may be, and how different in size, as parts of the smaller height. */
const APART = 0.35;
const TALLER = 1.6;

/**
 * Boxes that reach into each other along a line become one: wide setting is found in pieces, and a character between two
 * of them would be read twice.
 */
export function joinBoxes(boxes: readonly TextBox[]): TextBox[] {
  const joined: TextBox[] = [];
  for (const box of boxes.toSorted((one, other) => one.x - one.width / 2 - (other.x - other.width / 2))) {
    const at = joined.findIndex((one) => areOneLine(one, box));
    if (at < 0) joined.push(box);
    else joined[at] = around(joined[at]!, box);
  }
  return joined;
}

function areOneLine(one: TextBox, other: TextBox): boolean {
  const [low, high] = [Math.min(one.height, other.height), Math.max(one.height, other.height)];
  if (high > low * TALLER || Math.max(one.height - one.width, other.height - other.width) > 0.5 * low) return false;
  const { along, across } = placeOf(other, one);
  return Math.abs(across) < low * APART && Math.abs(along) < (one.width + other.width) / 2;
}

/** Where the middle of a box lies from that of another, along the other's line and across it. */
function placeOf(box: TextBox, { x, y, angle }: TextBox): { readonly along: number; readonly across: number } {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return { along: (box.x - x) * cos + (box.y - y) * sin, across: (box.y - y) * cos - (box.x - x) * sin };
}

/** The box around two, along the line of the longer one. */
function around(one: TextBox, other: TextBox): TextBox {
  const [long, short] = one.width >= other.width ? [one, other] : [other, one];
  const { along, across } = placeOf(short, long);
  const left = Math.min(-long.width / 2, along - short.width / 2);
  const right = Math.max(long.width / 2, along + short.width / 2);
  const top = Math.min(-long.height / 2, across - short.height / 2);
  const bottom = Math.max(long.height / 2, across + short.height / 2);
  const [cos, sin] = [Math.cos(long.angle), Math.sin(long.angle)];
  const [middle, level] = [(left + right) / 2, (top + bottom) / 2];
  return {
    x: long.x + middle * cos - level * sin,
    y: long.y + middle * sin + level * cos,
    width: right - left,
    height: bottom - top,
    angle: long.angle,
  };
}
