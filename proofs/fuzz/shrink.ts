/** How many tries a text may cost: an answer of some kilobytes needs a few hundred. */
const MAX_TRIES = 3000;

/**
 * Makes a text as small as it can while it still fails: takes blocks away, halves the size of the blocks when none can
 * go any more (Zeller's delta debugging), and ends with single code units.
 */
export function shrink(text: string, fails: (candidate: string) => boolean): string {
  let smallest = text;
  let tries = 0;
  for (let size = Math.ceil(text.length / 2); size >= 1; ) {
    let isSmaller = false;
    for (let at = 0; at < smallest.length && tries < MAX_TRIES; tries++) {
      const candidate = smallest.slice(0, at) + smallest.slice(at + size);
      if (fails(candidate)) {
        smallest = candidate;
        isSmaller = true;
      } else {
        at += size;
      }
    }
    if (tries >= MAX_TRIES) break;
    if (size > 1) size = Math.floor(size / 2);
    else if (!isSmaller) break;
  }
  return smallest;
}
