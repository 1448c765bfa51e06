import { type Automaton, buildAutomaton } from '../text/automaton.ts';
import { changesKind } from '../text/boundary.ts';
import { type Folded, fold, foldKey, GAP } from '../text/fold.ts';
import type { Alias, Brand, BrandTable } from './brands.ts';
import { type CueWord, cueWords } from './lexicon.ts';

/**
 * Where a gap may stand inside an occurrence of a phrase, by the unit before which it would stand:
 * `closed` none; `open` a space or hyphen; `capital` a hyphen, or a space before a capital letter; `required` one must.
 */
export const BREAK = { closed: 0, open: 1, capital: 2, required: 3 } as const;

interface Phrase {
  readonly text: string;
  readonly breaks: Uint8Array;
}

export type Entry = Phrase &
  (
    | { readonly kind: 'alias'; readonly brand: number; readonly alias: Alias; readonly exactKey: string | null }
    | { readonly kind: 'exclude'; readonly brand: number; readonly containsAlias: boolean }
    | { readonly kind: 'require'; readonly brand: number }
    | { readonly kind: 'cue'; readonly cue: CueWord }
  );

/** A brand table made ready for the search: one automaton over aliases, exclude and require phrases and cue words. */
export interface CompiledBrands {
  readonly table: BrandTable;
  readonly brands: readonly Brand[];
  readonly automaton: Automaton;
  /** Length in units and meanings of each pattern of the automaton. */
  readonly lengths: Int32Array;
  readonly entries: readonly (readonly Entry[])[];
  readonly brandOfDomain: ReadonlyMap<string, string>;
  readonly longestExclude: number;
}

const compiled = new WeakMap<BrandTable, CompiledBrands>();

/** Compiles a table; the same table object is compiled once. */
export function compileBrands(table: BrandTable): CompiledBrands {
  const result = compiled.get(table) ?? compile(table);
  compiled.set(table, result);
  return result;
}

function compile(table: BrandTable): CompiledBrands {
  const patterns = new Map<string, Entry[]>();
  let longestExclude = 0;
  table.brands.forEach((brand, index) => {
    const keys = brand.aliases.map((alias) => foldKey(alias.text));
    for (const alias of brand.aliases) {
      const exactKey = alias.caseSensitive ? withoutJoiners(alias.text) : null;
      add(patterns, { kind: 'alias', brand: index, alias, exactKey, ...phraseOf(alias.text) });
    }
    for (const phrase of brand.exclude) {
      const key = foldKey(phrase);
      longestExclude = Math.max(longestExclude, phrase.length);
      add(patterns, {
        kind: 'exclude',
        brand: index,
        containsAlias: keys.some((k) => key.includes(k)),
        ...phraseOf(phrase),
      });
    }
    for (const phrase of brand.require) add(patterns, { kind: 'require', brand: index, ...phraseOf(phrase) });
  });
  for (const cue of cueWords) add(patterns, { kind: 'cue', cue, ...phraseOf(cue.text) });
  const keys = [...patterns.keys()];
  return {
    table,
    brands: table.brands,
    automaton: buildAutomaton(keys),
    lengths: Int32Array.from(keys, (key) => key.length),
    entries: keys.map((key) => patterns.get(key)!),
    brandOfDomain: new Map(table.brands.flatMap((brand) => brand.domains.map((domain) => [domain, brand.name]))),
    longestExclude,
  };
}

function add(patterns: Map<string, Entry[]>, entry: Entry): void {
  const key = foldKey(entry.text);
  const known = patterns.get(key);
  if (known === undefined) patterns.set(key, [entry]);
  else known.push(entry);
}

function phraseOf(text: string): Phrase {
  const folded = fold(text);
  const breaks = new Uint8Array(folded.length);
  for (let k = 1; k < folded.length; k++) breaks[k] = breakBefore(folded, k);
  return { text, breaks };
}

/** Writers put spaces and hyphens where a name has one, where script or kind changes, and before inner capitals. */
function breakBefore(folded: Folded, k: number): number {
  // "E-Go" must not be found in "ego": very short names keep their joiner.
  if (folded.gapBefore(k) !== GAP.none) return folded.length < 4 ? BREAK.required : BREAK.open;
  if (changesKind(folded.codes[k - 1]!, folded.codes[k]!)) return BREAK.open;
  const isUpper = (at: number) => /\p{Lu}/u.test(folded.text.slice(folded.startOf(at), folded.endOf(at)));
  const isLower = (at: number) => /\p{Ll}/u.test(folded.text.slice(folded.startOf(at), folded.endOf(at)));
  if (!isLower(k - 1) || !isUpper(k)) return BREAK.closed;
  // "chat gpt" is ChatGPT, but "we chat" is not WeChat: only an acronym is known again in lower case.
  return k + 1 >= folded.length || isUpper(k + 1) ? BREAK.open : BREAK.capital;
}

/** The spelling that a case-sensitive alias must have, joiners aside. */
export const withoutJoiners = (s: string): string =>
  s.normalize('NFKC').replace(/[\s\-\u2010-\u2013\u2212\u200b-\u200d\u2060\ufeff]/g, '');
