import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseBrands } from './brands.ts';
import { type CleanInput, cleanAnswer } from './clean-answer.ts';
import { compileBrands } from './compile-brands.ts';
import type { Finding } from './finding.ts';
import { type MachineResult, machineValue, overrule } from './overrule.ts';

const brands = compileBrands(
  parseBrands([{ name: '豆包' }, { name: 'Kimi' }, { name: '苹果', exclude: ['吃苹果'] }, { name: '元宝' }]),
);
const text = '推荐以下几款AI助手：\n\n1. Kimi：擅长长文档\n2. 豆包：语音对话自然\n\n吃苹果时也能用豆包。';
const clean = (brand_name: string | null, answer: CleanInput['answer'] = text): MachineResult =>
  cleanAnswer({ answer, query_text: '推荐几个AI助手', brand_name }, brands);
const all = clean(null);

const refusedAnswer = clean(null, '抱歉，我暂时无法回答这个问题。');
const refused: MachineResult = { ...refusedAnswer, ifValid: all };

const validity = (is_valid: boolean, invalid_reason: string | null = null): Finding => ({
  field: 'validity',
  brandName: '',
  matchPosition: -1,
  value: { is_valid, invalid_reason },
});
const hit = (brandName: string, matchPosition: number, value: boolean): Finding => ({
  field: 'hit',
  brandName,
  matchPosition,
  value,
});
const recommended = (brandName: string, value: boolean | null): Finding => ({
  field: 'recommended',
  brandName,
  matchPosition: -1,
  value,
});
const rank = (brandName: string, value: number | null): Finding => ({
  field: 'rank',
  brandName,
  matchPosition: -1,
  value,
});

const hitsOf = (brand: string) => all.matches.filter((match) => match.standard_name === brand);
const of = (answer: ReturnType<typeof overrule>, brand: string) =>
  answer.results.find((result) => result.brand_name === brand)!;
const short = (answer: ReturnType<typeof overrule>, brand: string) => {
  const { mention_count, is_recommended, recommendation_rank, rank_source } = of(answer, brand);
  return [mention_count, is_recommended, recommendation_rank, rank_source];
};

test('the example is as the table below takes it to be', () => {
  const plain = overrule(all, []);
  expect(short(plain, '豆包')).toEqual([2, true, 2, 'ordered_list']);
  expect(short(plain, 'Kimi')).toEqual([1, true, 1, 'ordered_list']);
  expect(short(plain, '苹果')).toEqual([0, false, null, null]);
  expect(hitsOf('苹果')).toMatchObject([{ is_valid_match: false, rule: 'exclude:吃苹果' }]);
  expect(refused.validity.valid).toBe(false);
});

describe('without findings', () => {
  test.each([
    ['valid', all],
    ['of one brand', clean('豆包')],
    ['invalid', refusedAnswer],
    ['invalid and measured', refused],
  ])('an answer that is %s stays as the machine found it', (_, machine) => {
    const shown = overrule(machine, []);
    expect(shown.validity).toEqual({
      valid: machine.validity.valid,
      reason: machine.validity.reason,
      flags: machine.validity.flags,
    });
    expect(shown.results.map(({ machine: beside, ...columns }) => [columns, beside])).toEqual(
      machine.results.map((own) => [own, null]),
    );
    expect(shown.matches.map(({ machine: beside, ...match }) => [match, beside])).toEqual(
      machine.matches.map((match) => [match, null]),
    );
    expect(shown.citations).toEqual(machine.citations);
  });
});

describe('what a person says', () => {
  const [first, second] = hitsOf('豆包').map((match) => match.match_position) as [number, number];
  const fruit = hitsOf('苹果')[0]!.match_position;

  test.each<[string, readonly Finding[], string, readonly unknown[]]>([
    ['one of two hits dropped: counted no more', [hit('豆包', second, false)], '豆包', [1, true, 2, 'ordered_list']],
    [
      'the last hit dropped: not mentioned',
      [hit('豆包', first, false), hit('豆包', second, false)],
      '豆包',
      [0, false, null, null],
    ],
    ['a hit kept: mentioned, and nothing known', [hit('苹果', fruit, true)], '苹果', [1, null, null, null]],
    ['a hit kept that was kept', [hit('豆包', first, true)], '豆包', [2, true, 2, 'ordered_list']],
    ['not recommended: not ranked either', [recommended('豆包', false)], '豆包', [2, false, null, null]],
    ['undecidable: the place stays', [recommended('豆包', null)], '豆包', [2, null, 2, 'ordered_list']],
    ['not recommended, but ranked', [recommended('豆包', false), rank('豆包', 9)], '豆包', [2, false, 9, 'human']],
    ['no rank: recommended as before', [rank('豆包', null)], '豆包', [2, true, null, null]],
    ['a rank recommends', [hit('苹果', fruit, true), rank('苹果', 3)], '苹果', [1, true, 3, 'human']],
    ['a rank of a brand that is not there', [rank('元宝', 1)], '元宝', [0, false, null, null]],
    [
      'a recommendation waits while no hit is kept',
      [recommended('Kimi', true), hit('Kimi', hitsOf('Kimi')[0]!.match_position, false)],
      'Kimi',
      [0, false, null, null],
    ],
  ])('%s', (_, findings, brand, expected) => {
    expect(short(overrule(all, findings), brand)).toEqual(expected);
    expect(short(overrule(all, findings.toReversed()), brand)).toEqual(expected);
  });

  test('stands beside what the machine said, at the brand, at the hit and among the others', () => {
    const shown = overrule(all, [hit('苹果', fruit, true), recommended('Kimi', false)]);
    expect(of(shown, '苹果').machine).toMatchObject({ is_valid: true, mention_count: 0, is_recommended: false });
    expect(of(shown, 'Kimi').machine).toMatchObject({ is_recommended: true, recommendation_rank: 1 });
    expect(of(shown, '豆包').machine).toBeNull();
    expect(shown.matches.filter((match) => match.machine)).toMatchObject([
      {
        standard_name: '苹果',
        is_valid_match: true,
        rule: 'human',
        machine: { is_valid_match: false, rule: 'exclude:吃苹果' },
      },
    ]);
    const values = { mention_count: 1, is_recommended: true, recommendation_rank: 1 };
    expect(of(shown, '豆包').others).toEqual([
      { brand_name: 'Kimi', mention_count: 1, is_recommended: false, recommendation_rank: null, machine: values },
      {
        brand_name: '苹果',
        mention_count: 1,
        is_recommended: null,
        recommendation_rank: null,
        machine: { mention_count: 0, is_recommended: false, recommendation_rank: null },
      },
    ]);
    expect(of(shown, 'Kimi').others.map((other) => other.brand_name)).toEqual(['豆包', '苹果']);
  });

  test('concerns a brand that is only found beside the one of the task', () => {
    const kimi = hitsOf('Kimi')[0]!.match_position;
    const shown = overrule(clean('豆包'), [rank('Kimi', 5)]);
    expect(of(shown, '豆包').others).toMatchObject([
      { brand_name: 'Kimi', recommendation_rank: 5, is_recommended: true },
    ]);
    expect(of(shown, '豆包').machine).toBeNull();
    expect(of(overrule(clean('豆包'), [hit('Kimi', kimi, false)]), '豆包').others).toEqual([]);
  });

  test('an invalid answer has no measures and no hits, whatever else was said', () => {
    const shown = overrule(all, [validity(false, 'irrelevant'), recommended('豆包', true)]);
    expect(shown.validity).toMatchObject({ valid: false, reason: 'irrelevant' });
    expect([shown.matches, shown.citations]).toEqual([[], []]);
    for (const result of shown.results) {
      expect(result).toMatchObject({ is_mentioned: false, mention_count: 0, is_recommended: null, has_citation: null });
      expect(result.machine).toMatchObject({ is_valid: true, invalid_reason: null });
    }
    expect(shown.applied.size).toBe(1);
  });

  test('a valid answer has the measures that the machine withheld', () => {
    const shown = overrule(refused, [validity(true)]);
    expect(shown.validity).toMatchObject({ valid: true, reason: null });
    expect(short(shown, '豆包')).toEqual([2, true, 2, 'ordered_list']);
    expect(of(shown, '豆包').machine).toMatchObject({ is_valid: false, mention_count: 0, is_recommended: null });
    expect(shown.matches).toHaveLength(all.matches.length);
    expect(() => overrule(refusedAnswer, [validity(true)])).toThrow('was not measured');
  });

  test('names the longest hit of a brand where several begin, and drops them all', () => {
    const long = { ...all.matches[0]!, is_valid_match: false, rule: 'overlap' };
    const twice = { ...all, matches: [long, { ...long, match_end: long.match_end - 1 }, ...all.matches.slice(1)] };
    const { standard_name, match_position } = long;
    const kept = (value: boolean) =>
      overrule(twice, [hit(standard_name, match_position, value)])
        .matches.slice(0, 2)
        .map((match) => match.is_valid_match);
    expect(kept(true)).toEqual([true, false]);
    expect(kept(false)).toEqual([false, false]);
  });
});

const places: fc.Arbitrary<Finding> = fc.oneof(
  fc.constantFrom(validity(true), validity(false, 'empty')),
  fc
    .record({ match: fc.constantFrom(...all.matches), value: fc.boolean() })
    .map(({ match, value }) => hit(match.standard_name, match.match_position, value)),
  fc
    .record({
      brand: fc.constantFrom('豆包', 'Kimi', '苹果', '元宝', '无名'),
      value: fc.constantFrom(true, false, null),
    })
    .map(({ brand, value }) => recommended(brand, value)),
  fc
    .record({ brand: fc.constantFrom('豆包', 'Kimi', '苹果', '元宝'), value: fc.constantFrom(1, 7, null) })
    .map(({ brand, value }) => rank(brand, value)),
);
const findings = fc.uniqueArray(places, { selector: (one) => `${one.field} ${one.brandName} ${one.matchPosition}` });

test('findings may be said in any order, hold together, and what the machine says is said back', () => {
  fc.assert(
    fc.property(fc.constantFrom(all, refused, clean('豆包')), findings, (machine, said) => {
      const shown = overrule(machine, said);
      const { applied: _some, ...reversed } = overrule(machine, said.toReversed());
      const { applied, ...plain } = shown;
      // New others stand in the order in which they were said.
      const sorted = (answer: typeof plain) => ({
        ...answer,
        results: answer.results.map((one) => ({
          ...one,
          others: one.others.toSorted((a, b) => (a.brand_name < b.brand_name ? -1 : 1)),
        })),
      });
      expect(sorted(reversed)).toEqual(sorted(plain));
      for (const result of shown.results) {
        const kept = shown.matches.filter(
          (match) => match.standard_name === result.brand_name && match.kind === 'explicit' && match.is_valid_match,
        );
        expect(result.mention_count).toBe(kept.length);
        expect(result.is_mentioned).toBe(kept.length > 0);
        if (!result.is_mentioned) expect([result.recommendation_rank, result.rank_source]).toEqual([null, null]);
        if (!shown.validity.valid) expect(result.is_recommended).toBeNull();
        else if (!result.is_mentioned) expect(result.is_recommended).toBe(false);
        expect(result.others.every((other) => other.brand_name !== result.brand_name)).toBe(true);
      }
      // Confirming the machine changes no value.
      const confirmed = said.map((one) => ({ ...one, value: machineValue(machine, one) }) as Finding);
      if (machine.validity.valid) {
        const values = overrule(
          machine,
          confirmed.filter(({ field }) => field !== 'rank' && field !== 'recommended'),
        );
        expect(values.results.map(({ machine: _m, others: _o, ...columns }) => columns)).toEqual(
          machine.results.map(({ others: _o, ...columns }) => columns),
        );
      }
      expect([...applied].every((one) => said.includes(one))).toBe(true);
    }),
    { numRuns: 300 },
  );
});
