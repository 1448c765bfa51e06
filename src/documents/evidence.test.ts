import fc from 'fast-check';
import { expect, test } from 'vitest';
import { holds, openSource } from './evidence.ts';

test.each([
  ['as it stands', 'Total due: £12.00', 'Total due: £12.00'],
  ['over a line break', 'Total\n  due: £12.00', 'Total due: £12.00'],
  ['between cells', '| 价税合计 | **¥1,130.00** |', '价税合计 ¥1,130.00'],
  ['in wide figures', '合计：１２３．００元', '合计:123.00元'],
  ['with gaps between Han characters', '开 票 日 期 ： 2026', '开票日期：2026'],
  ['with what was escaped', 'From: <mary@example.com>', 'From: &lt;mary@example.com>'],
  ['with signs that have no width', 'Invo\u200bice 17', 'Invoice 17'],
  ['composed and decomposed', 'Cafe\u0301 Central', 'Café Central'],
])('a passage is found %s', (_what, markdown, passage) => {
  const source = openSource(`before. ${markdown} after.`);
  const place = source.locate(passage)!;
  expect(holds(source.markdown.slice(place.start, place.end), passage)).toBe(true);
  expect(place.start).toBe(8 + (/^[| ]*/.exec(markdown)?.[0].length ?? 0));
});

test.each([
  ['other figures', 'Total due: £12.01'],
  ['another case', 'TOTAL DUE'],
  ['nothing', ''],
  ['marks alone', '| --- |'],
])('but not with %s', (_what, passage) => {
  expect(openSource('| --- | Total due: £12.00').locate(passage)).toBeNull();
});

test('a passage is looked for from an offset on', () => {
  const source = openSource('| Total 5 | then Total 5');
  expect([0, 2, 3, 15, 16].map((from) => source.locate('Total 5', from)?.start)).toEqual([2, 2, 17, 17, 17]);
  expect(source.locate('Total 5', 18)).toBeNull();
});

test('whatever is cut out of a text at the ends of its signs is found in it, at that place or an earlier one', () => {
  const unit = fc.constantFrom('a', '7', '年', '🙂', 'é', ' ', '\n', '|', '①', 'ﬁ');
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 60 }), fc.nat(), fc.nat(), (units, a, b) => {
      const [from, to] = [a % (units.length + 1), b % (units.length + 1)].sort((x, y) => x - y) as [number, number];
      const markdown = units.join('');
      const passage = units.slice(from, to).join('');
      const place = openSource(markdown).locate(passage);
      expect(place === null).toBe(!/[\p{L}\p{N}]/u.test(passage.normalize('NFKC')));
      if (place === null) return;
      expect(place.end).toBeLessThanOrEqual(units.slice(0, to).join('').length);
      expect(holds(markdown.slice(place.start, place.end), passage)).toBe(true);
    }),
  );
});
