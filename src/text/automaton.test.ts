import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildAutomaton, findAll } from './automaton.ts';

function find(patterns: string[], text: string): [string, number][] {
  const codes = Uint16Array.from(text, (ch) => ch.charCodeAt(0));
  const hits = findAll(buildAutomaton(patterns), codes, codes.length);
  const found: [string, number][] = [];
  for (let i = 0; i < hits.length; i += 2) found.push([patterns[hits[i]!]!, hits[i + 1]!]);
  return found;
}

function findNaively(patterns: string[], text: string): [string, number][] {
  const found: [string, number][] = [];
  for (let end = 1; end <= text.length; end++)
    for (const pattern of [...patterns].sort((a, b) => b.length - a.length))
      if (text.slice(0, end).endsWith(pattern)) found.push([pattern, end]);
  return found;
}

test('overlapping and nested patterns are all found', () => {
  expect(find(['he', 'she', 'his', 'hers'], 'ushers')).toEqual([
    ['she', 4],
    ['he', 4],
    ['hers', 6],
  ]);
  expect(find(['京东', '京东方'], '南京东方京东')).toEqual([
    ['京东', 3],
    ['京东方', 4],
    ['京东', 6],
  ]);
});

test('it finds what a naive search finds', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '豆'), minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(
      fc.uniqueArray(word, { minLength: 1, maxLength: 12 }),
      fc.string({ unit: fc.constantFrom('a', 'b', 'c', '豆', '-'), maxLength: 60 }),
      (patterns, text) => {
        expect(find(patterns, text)).toEqual(findNaively(patterns, text));
      },
    ),
    { numRuns: 400 },
  );
});

test('empty and repeated patterns are refused', () => {
  expect(() => buildAutomaton([''])).toThrow(RangeError);
  expect(() => buildAutomaton(['a', 'a'])).toThrow(RangeError);
});
