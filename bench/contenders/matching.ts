import Classic from 'ahocorasick';
import FastScanner from 'fastscan';
import Modern from 'modern-ahocorasick';
import ModernFast from 'modern-ahocorasick/fast';
import { buildAutomaton, findAll } from '../../src/text/automaton.ts';
import { Folder, GAP } from '../../src/text/fold.ts';
import { contend } from '../measure/contender.ts';
import type { MatchingRun, MatchingSettings } from '../measure/runs.ts';
import { makeAliases } from '../texts/aliases.ts';
import { makeAnswer, seededChance } from '../texts/answers.ts';

/** Where something was found: start, end (exclusive), start, end, … in offsets of the text as it was given. */
type Hits = number[];
/** A search as its maker offers it, and what it found, brought into one form afterwards. */
interface Search {
  readonly search: (text: string) => unknown;
  readonly hits: (found: unknown) => Hits;
}

const searches: Readonly<Record<string, (aliases: readonly string[]) => Search>> = {
  'ours, folded': (aliases) => {
    const automaton = buildAutomaton(aliases);
    const lengths = Int32Array.from(aliases, (alias) => alias.length);
    const folder = new Folder();
    return {
      search: (text) => {
        const folded = folder.fold(text);
        const found = findAll(automaton, folded.codes, folded.length);
        const hits: Hits = [];
        for (let i = 0; i < found.length; i += 2) {
          const to = found[i + 1]!;
          const from = to - lengths[found[i]!]!;
          let whole = true;
          for (let k = from + 1; k < to && whole; k++) whole = folded.gapBefore(k) === GAP.none;
          if (whole) hits.push(folded.startOf(from), folded.endOf(to - 1));
        }
        return hits;
      },
      hits: (found) => found as Hits,
    };
  },
  'ahocorasick 1.0.2': (aliases) => {
    const automaton = new Classic([...aliases]);
    return {
      search: (text) => automaton.search(text),
      hits: (found) =>
        (found as [number, string[]][]).flatMap(([last, words]) =>
          words.flatMap((word) => [last + 1 - word.length, last + 1]),
        ),
    };
  },
  'modern-ahocorasick 3.3.0': (aliases) => modern(new Modern(aliases)),
  'modern-ahocorasick/fast': (aliases) => modern(new ModernFast(aliases)),
  'fastscan 1.0.6': (aliases) => {
    const scanner = new FastScanner([...aliases]);
    return {
      search: (text) => scanner.search(text),
      hits: (found) => (found as [number, string][]).flatMap(([start, word]) => [start, start + word.length]),
    };
  },
};

function modern(matcher: Modern): Search {
  return {
    search: (text) => matcher.search(text),
    hits: (found) => (found as { start: number; end: number }[]).flatMap(({ start, end }) => [start, end]),
  };
}

/** All in one process, each over the same texts in turns; what they find must be the same. */
contend(async ({ aliases: count, texts: wanted, repetitions, passMs }: MatchingSettings): Promise<MatchingRun> => {
  const aliases = makeAliases(count, 1);
  const chance = seededChance(2);
  const chinese = aliases.filter((_, n) => n % 2 === 0);
  const latin = aliases.filter((_, n) => n % 2 === 1);
  const texts = Array.from({ length: wanted }, (_, n) =>
    makeAnswer(chance, n % 2 === 0, n % 2 ? latin : chinese).text.toLowerCase(),
  );
  const built = Object.entries(searches).map(([name, build]) => {
    const began = performance.now();
    const search = build(aliases);
    return { name, search, buildMs: performance.now() - began };
  });
  const found = built.map(({ search }) => texts.map((text) => ordered(search.hits(search.search(text)))));
  for (const [n, { name }] of built.entries()) {
    const differing = texts.findIndex((_, at) => found[n]![at] !== found[0]![at]);
    if (differing >= 0) throw new Error(`${name} finds ${found[n]![differing]}, we ${found[0]![differing]}`);
  }
  compare(built, texts, passMs);
  const rates = Array.from({ length: repetitions }, () => compare(built, texts, passMs));
  return {
    rates,
    buildMs: Object.fromEntries(built.map(({ name, buildMs }) => [name, buildMs])),
    bytes: Buffer.byteLength(texts.join('')) / texts.length,
    hits: found[0]!.reduce((sum, hits) => sum + hits.split(' ').length, 0) / texts.length,
  };
});

/** Engines find overlapping hits in different orders. */
function ordered(hits: Hits): string {
  const spans: string[] = [];
  for (let i = 0; i < hits.length; i += 2) spans.push(`${hits[i]}-${hits[i + 1]}`);
  return spans.sort().join(' ');
}

/** Texts a second of each search, taken in many short turns: a busy moment of the machine meets all of them. */
function compare(
  built: readonly { readonly name: string; readonly search: Search }[],
  texts: readonly string[],
  passMs: number,
): Record<string, number> {
  const spent = new Map<string, { texts: number; ms: number }>(built.map(({ name }) => [name, { texts: 0, ms: 0 }]));
  for (let turn = 0; turn < TURNS; turn += 1) {
    for (const { name, search } of built) {
      const sum = spent.get(name)!;
      const began = performance.now();
      let ms = 0;
      for (let at = 0; ms < passMs / TURNS; at = (at + SLICE) % texts.length) {
        const slice = texts.slice(at, at + SLICE);
        for (const text of slice) search.search(text);
        sum.texts += slice.length;
        ms = performance.now() - began;
      }
      sum.ms += ms;
    }
  }
  return Object.fromEntries([...spent].map(([name, sum]) => [name, (sum.texts / sum.ms) * 1000]));
}

const TURNS = 20;
const SLICE = 50;
