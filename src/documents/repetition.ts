/** Shorter texts are not judged: names and figures may well repeat. */
const LONG = 300;
const GRAM = 16;
/** Of the grams of a text so many are different ones; written by people it is nine of ten. */
const FEW = 0.25;
const MOST = 20_000;

/**
 * Whether a model fell into a loop: in a long text a quarter at most of all passages of 16 UTF-16 units are different
 * ones.
 */
export function isLoop(text: string): boolean {
  if (text.length < LONG) return false;
  const looked = text.slice(0, MOST);
  const grams = new Set<string>();
  const count = looked.length - GRAM + 1;
  for (let at = 0; at < count; at += 1) grams.add(looked.slice(at, at + GRAM));
  return grams.size / count <= FEW;
}
