import type { Item } from './labelled-set.ts';

/** The aliases of a brand of brands.yaml as plain lower-case words, without flags. */
export function aliasWords(brand: Item['brands'][number]): string[] {
  const aliases = Array.isArray(brand.aliases) && brand.aliases.length > 0 ? brand.aliases : [brand.name];
  return [...new Set(aliases.map((alias: string | { text: string }) => textOf(alias).toLowerCase()))];
}

const textOf = (alias: string | { text: string }): string => (typeof alias === 'string' ? alias : alias.text);

/** The first place of any of the words, or -1. */
export function firstOf(text: string, words: readonly string[]): number {
  const places = words.map((word) => text.indexOf(word)).filter((place) => place !== -1);
  return places.length === 0 ? -1 : Math.min(...places);
}

/** The last place of any of the words, or -1. */
export const lastOf = (text: string, words: readonly string[]): number =>
  Math.max(...words.map((word) => text.lastIndexOf(word)));
