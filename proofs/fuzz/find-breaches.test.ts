import { expect, test } from 'vitest';
import { type CleanedAnswer, cleanAnswer } from '../../src/answers/clean-answer.ts';
import type { Match } from '../../src/answers/recognise.ts';
import { findBreaches } from './find-breaches.ts';
import { readCorpus, withText } from './fuzzed-answers.ts';
import { shrink } from './shrink.ts';
import { growthOf } from './time-growth.ts';

const { inputs, compiled, material } = readCorpus();
const text = '推荐几个AI助手：🥇 豆包，它免费。\n\n不错的还有Kimi。';
const sound = cleanAnswer(withText(inputs[0]!, text), compiled);
const kinds = (cleaned: CleanedAnswer, of = text): string[] => [
  ...new Set(findBreaches(of, cleaned, material.names).map((breach) => breach.split(':')[0]!)),
];
const withMatch = (n: number, change: Partial<Match>): CleanedAnswer => ({
  ...sound,
  matches: sound.matches.map((match, i) => (i === n ? { ...match, ...change } : match)),
});

test('a sound result breaks nothing', () => {
  expect(sound.matches.map((match) => match.surface)).toEqual(['豆包', '它', 'Kimi']);
  expect(findBreaches(text, sound, material.names)).toEqual([]);
});

test.each<[string, CleanedAnswer, string]>([
  ['a shifted offset', withMatch(0, { match_position: sound.matches[0]!.match_position + 1 }), 'surface'],
  ['an offset behind the text', withMatch(2, { match_end: text.length + 1 }), 'range'],
  ['an empty match', withMatch(2, { match_end: sound.matches[2]!.match_position, surface: '' }), 'range'],
  ['a divided pair', withMatch(0, { match_position: text.indexOf('🥇') + 1 }), 'pair'],
  ['matches out of order', { ...sound, matches: [...sound.matches].reverse() }, 'order'],
  ['two matches in one place', withMatch(1, { match_position: sound.matches[0]!.match_position }), 'overlap'],
  ['an unknown rule', withMatch(1, { rule: 'guess' }), 'rule'],
  ['a match that counts and is not there', { ...sound, matches: sound.matches.slice(0, 2) }, 'count'],
  ['a name that no match holds', { ...sound, matches: sound.matches.slice(0, 2) }, 'unseen'],
  ['measures of an invalid answer', { ...sound, validity: { ...sound.validity, valid: false } }, 'invalid'],
  [
    'a rank without its source',
    { ...sound, results: sound.results.map((result) => ({ ...result, rank_source: null, recommendation_rank: 1 })) },
    'rank',
  ],
  ['others that leave one out', { ...sound, results: sound.results.map((r) => ({ ...r, others: [] })) }, 'others'],
])('%s is found', (_, cleaned, kind) => {
  expect(kinds(cleaned)).toContain(kind);
});

test('a text is made as small as what is wrong with it', () => {
  const fails = (candidate: string) => /a.*b/s.test(candidate) && candidate.includes('🥇');
  expect(shrink(`${'x'.repeat(500)}a${'y'.repeat(300)}🥇${'z\n'.repeat(200)}b`, fails)).toBe('a🥇b');
});

test('growth is of the time for a unit, above the noise', () => {
  const takes = (ms: (length: number) => number) => [1, 2, 4, 8].map((n) => ({ length: n * 1000, ms: ms(n) }));
  expect(growthOf(takes((n) => 30 * n))).toBe(1);
  expect(growthOf(takes((n) => 30 * n * n))).toBe(8);
  expect(growthOf(takes((n) => n))).toBe(1);
});
