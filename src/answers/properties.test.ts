import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseBrands } from './brands.ts';
import { cleanAnswer } from './clean-answer.ts';
import { compileBrands } from './compile-brands.ts';
import { readMarkdown } from './read-markdown.ts';

const brands = readFileSync(new URL('../../examples/answers/brands.yaml', import.meta.url), 'utf8');
const compiled = compileBrands(parseBrands(parse(brands)));

/** Texts of the pieces that answers are made of, broken in every way, with characters of every plane between them. */
const piece = fc.oneof(
  fc.constantFrom(...compiled.brands.flatMap((brand) => brand.aliases.map((alias) => alias.text))),
  fc.constantFrom(
    '1. ',
    '2、',
    '- ',
    '\n',
    '\n\n',
    '|',
    '|--|--|\n',
    '```js\n',
    '## ',
    '**',
    '> ',
    '①',
    '🥇',
    '一、',
    '首选',
    '推荐',
    '不推荐',
    '不是不推荐',
  ),
  fc.constantFrom(
    '[1]',
    '[^2]',
    '【3†source】',
    '[',
    ']',
    '(https://kimi.com/a)',
    'https://',
    'www.',
    '<think>',
    '</think>',
    '来源：',
    '\ue200cite\ue201',
  ),
  fc.constantFrom(
    '，',
    '。',
    '、',
    '比',
    '但',
    '它',
    '它们',
    '没有找到',
    '（',
    '）',
    '吃苹果',
    '红富士',
    '保险',
    ' ',
    '-',
    '\u200b',
    '\u0301',
    '&amp;',
    '\\',
    '排名第一',
    ' > ',
  ),
  fc.string({ unit: 'binary', maxLength: 4 }),
);
const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));

test('cleaning never throws; offsets are exact; every dropped hit keeps its rule; counts are those of the kept hits', () => {
  fc.assert(
    fc.property(
      text,
      fc.option(text),
      fc.constantFrom(undefined, 'stop', 'length', 'content_filter'),
      (answer, reasoning, finish_reason) => {
        const cleaned = cleanAnswer(
          { answer: { text: answer, reasoning, finish_reason }, query_text: '推荐几个AI助手', brand_name: null },
          compiled,
        );
        let last = 0;
        let keptUntil = 0;
        for (const match of cleaned.matches) {
          expect(answer.slice(match.match_position, match.match_end)).toBe(match.surface);
          expect(match.match_end).toBeGreaterThan(match.match_position);
          expect(match.match_position).toBeGreaterThanOrEqual(last);
          for (const at of [match.match_position, match.match_end])
            expect(answer.slice(at - 1, at + 1)).not.toMatch(/^[\ud800-\udbff][\udc00-\udfff]$/);
          expect(match.rule).not.toBe('');
          if (match.kind === 'explicit') expect(match.is_valid_match).toBe(match.rule === 'alias');
          last = match.match_position;
          if (match.kind !== 'explicit' || !match.is_valid_match) continue;
          expect(match.match_position).toBeGreaterThanOrEqual(keptUntil);
          keptUntil = match.match_end;
        }
        for (const result of cleaned.results) {
          const kept = cleaned.matches.filter(
            (match) => match.standard_name === result.brand_name && match.kind === 'explicit' && match.is_valid_match,
          );
          expect(result.mention_count).toBe(kept.length);
          expect(result.is_mentioned).toBe(kept.length > 0);
          if (result.recommendation_rank !== null) expect(result.rank_source).not.toBeNull();
        }
      },
    ),
    { numRuns: 1500 },
  );
});

test('masks are disjoint, in order, and no kept mention lies in one', () => {
  fc.assert(
    fc.property(text, (answer) => {
      const { masks } = readMarkdown(answer);
      let end = 0;
      for (const mask of masks) {
        expect(mask.start).toBeGreaterThanOrEqual(end);
        expect(mask.end).toBeLessThanOrEqual(answer.length);
        end = mask.end;
      }
      const { matches } = cleanAnswer({ answer, query_text: '', brand_name: null }, compiled);
      for (const match of matches)
        if (match.is_valid_match)
          expect(masks.some((mask) => mask.start <= match.match_position && match.match_position < mask.end)).toBe(
            false,
          );
    }),
    { numRuns: 500 },
  );
});
