import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answerTexts } from '../../test/harness/answer-texts.ts';
import { documents } from '../../test/harness/markdown-documents.ts';
import { outlineOf, outlineOfTree, parseMarkdown } from '../../test/harness/mdast.ts';
import { asCommonMark, moveToOrigin } from '../../test/harness/plain-markdown.ts';
import { readBlocks } from './markdown-blocks.ts';

// The oracle is mdast with GFM and emphasis for Chinese. Where we differ from CommonMark on purpose stands in
// `plain-markdown.ts` and `mdast.ts` as rules, and the rules are applied to every text alike.

const ours = (text: string) => outlineOf(text, readBlocks(text));
function theirs(text: string) {
  const plain = asCommonMark(text);
  return outlineOfTree(text, moveToOrigin(parseMarkdown(plain.text), plain), plain.boldLines);
}

test('the example answers have the blocks that CommonMark finds', () => {
  const texts = answerTexts();
  expect(texts.length).toBeGreaterThanOrEqual(80);
  for (const text of texts) expect(ours(text)).toEqual(theirs(text));
});

test('CommonMark needs no rule for most of them', () => {
  const alike = answerTexts().filter((text) => asCommonMark(text).text === text);
  expect(alike.length).toBeGreaterThanOrEqual(80);
});

test.each(['plain', 'habits'] as const)(
  'generated documents, spelling %s, have the blocks that CommonMark finds',
  (spelling) => {
    fc.assert(
      fc.property(documents(spelling), (text) => {
        expect(ours(text)).toEqual(theirs(text));
      }),
      { numRuns: 350 },
    );
  },
);

test('what belongs to an item may be indented by two columns or more', () => {
  fc.assert(
    fc.property(documents('habits'), fc.constantFrom(2, 3), (text, factor) => {
      const wider = text.replace(/^ +/gm, (indent) => indent.repeat(factor));
      const outline = (from: string) =>
        ours(from).map(({ kind, level, number, prose }) => [kind, level, number, kind === 'code' ? '' : prose]);
      expect(outline(wider)).toEqual(outline(text));
    }),
    { numRuns: 100 },
  );
});
