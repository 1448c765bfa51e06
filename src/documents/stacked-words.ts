import type { Glyphs } from './lay-out.ts';

const HAN = /^\p{Script=Han}$/u;
/** Characters of one word below each other are this far apart at most, in sizes of the font; lines of a table are further. */
const PITCH = 1.7;
/** Of a column of cells nearly every character stands on a line with something else, of a stacked word few. */
const ON_LINES = 1 / 3;

/** Chinese words that are set downwards, as beside the parts of an invoice, become one piece where they begin. */
export function joinStacked(glyphs: readonly Glyphs[]): Glyphs[] {
  const single = glyphs.filter(({ text }) => HAN.test(text.trim())).toSorted((a, b) => a.y - b.y);
  const stacks: Glyphs[][] = [];
  for (const one of single) {
    const stack = stacks.find((members) => {
      const last = members.at(-1)!;
      const down = one.y - last.y;
      return Math.abs(one.x - last.x) < one.size * 0.4 && down > one.size * 0.8 && down < one.size * PITCH;
    });
    if (stack) stack.push(one);
    else stacks.push([one]);
  }
  const long = stacks.filter(({ length }) => length > 2);
  const stacked = new Set(long.flat());
  const others = glyphs.filter((one) => !stacked.has(one));
  const words = long.filter(
    (stack) => stack.filter((one) => others.some(isBeside(one))).length <= stack.length * ON_LINES,
  );
  if (!words.length) return [...glyphs];
  const joined = new Set(words.flat());
  return [
    ...glyphs.filter((one) => !joined.has(one)),
    ...words.map((stack) => ({ ...stack[0]!, text: stack.map(({ text }) => text.trim()).join('') })),
  ];
}

const isBeside = (one: Glyphs) => (other: Glyphs) =>
  other.text.trim() !== '' && Math.abs(other.y - one.y) < Math.min(one.size, other.size) * 0.2;
