import fc from 'fast-check';
import type { Nodes } from 'mdast';
import { expect, test } from 'vitest';
import { answerTexts } from '../../test/harness/answer-texts.ts';
import { documents } from '../../test/harness/markdown-documents.ts';
import { parseMarkdown, span } from '../../test/harness/mdast.ts';
import { asCommonMark } from '../../test/harness/plain-markdown.ts';
import { parseBrands } from './brands.ts';
import { readAnswer } from './clean-answer.ts';
import { compileBrands } from './compile-brands.ts';
import { readMarkdown } from './read-markdown.ts';

// What a reader sees is what the oracle's tree shows: a name counts exactly where it stands in the text that is shown.

/** Shown text with the offset of each unit in the text that was written; `\0` where something else stands between. */
interface Shown {
  text: string;
  readonly offsets: number[];
}

function shownBy(written: string): Shown {
  const plain = asCommonMark(written);
  const shown: Shown = { text: '', offsets: [] };
  const show = (unit: string, at: number) => {
    shown.text += unit;
    shown.offsets.push(plain.origin[at]!);
  };
  const visit = (node: Nodes): void => {
    const { start, end } = span(node);
    const source = plain.text.slice(start, end);
    if (
      node.type === 'text' ||
      (node.type === 'code' && !node.lang) ||
      (node.type === 'inlineCode' && isProse(node.value))
    ) {
      let at = node.type === 'text' ? 0 : source.search(/[^`~]/);
      for (const unit of node.value) {
        // Escapes, entities, indents and quote marks are written but not shown.
        while (at < source.length && source[at] !== unit) at++;
        show(unit, start + at++);
      }
    }
    // A label that is an address is none, and what a mark stands for is a source.
    const isAddress = node.type === 'link' && /^(?:https?:|www\.)/.test(source);
    const isSource =
      node.type === 'footnoteDefinition' || (node.type === 'paragraph' && /^\\?\[\^?\w+\]:/.test(source));
    if ('children' in node && !isAddress && !isSource) for (const child of node.children) visit(child);
    if (node.type !== 'text' && node.type !== 'strong' && node.type !== 'emphasis') show('\0', end);
  };
  visit(parseMarkdown(plain.text));
  return shown;
}

/** Back ticks around Chinese only set it off. */
const isProse = (code: string) => /\p{Script=Han}/u.test(code) && !/[(){};=$\\<>"']/.test(code);

function placesShown(written: string, name: string): [number, number][] {
  const { text, offsets } = shownBy(written);
  const places: [number, number][] = [];
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + name.length))
    places.push([offsets[at]!, offsets[at + name.length - 1]! + 1]);
  return places.sort((a, b) => a[0] - b[0]);
}

const names = ['豆包', '长文', '飞书', '钉钉', '比亚迪'] as const;
const compiled = new Map(names.map((name) => [name, compileBrands(parseBrands([{ name }]))]));

const placesFound = (written: string, name: (typeof names)[number]): [number, number][] =>
  readAnswer(written, compiled.get(name)!).recognition.mentions.map(({ start, end }) => [start, end]);

test.each(['plain', 'habits'] as const)(
  'in generated documents, spelling %s, names count where they are shown',
  (spelling) => {
    fc.assert(
      fc.property(documents(spelling), fc.constantFrom('豆包' as const, '长文' as const), (text, name) => {
        expect(placesFound(text, name)).toEqual(placesShown(text, name));
      }),
      { numRuns: 150 },
    );
  },
);

test('in the example answers names count where they are shown, but for reasoning, sources, what was not found, and traditional characters', () => {
  let compared = 0;
  for (const text of answerTexts()) {
    if (/<\/?think>|来源|参考|Sources|没有找到|没有查到|[飛長]/.test(text)) continue;
    for (const name of names) {
      const shown = placesShown(text, name);
      expect(placesFound(text, name), text).toEqual(shown);
      compared += shown.length;
    }
  }
  expect(compared).toBeGreaterThan(60);
});

test('in generated documents and example answers the links are those of the tree', () => {
  const linksOf = (written: string) => {
    const urls: string[] = [];
    const visit = (node: Nodes): void => {
      if (node.type === 'link' || node.type === 'definition') urls.push(node.url);
      if ('children' in node) node.children.forEach(visit);
    };
    visit(parseMarkdown(asCommonMark(written).text));
    // Rule: a bare address ends before Chinese, which writes no space behind it.
    const ended = urls.map((url) => url.replace(/[\u2e80-\uffff].*$/, ''));
    return [...new Set(ended.filter((url) => /^https?:/.test(url)))].sort();
  };
  const linksFound = (written: string) => [...new Set(readMarkdown(written).links.map((link) => link.url))].sort();
  for (const text of answerTexts()) expect(linksFound(text)).toEqual(linksOf(text));
  fc.assert(
    fc.property(documents('habits'), (text) => {
      expect(linksFound(text)).toEqual(linksOf(text));
    }),
    { numRuns: 150 },
  );
});
