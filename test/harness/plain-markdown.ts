import type { Nodes, Root } from 'mdast';
import { type Ordinal, readOrdinal } from '../../src/text/ordinal.ts';

/** A text in pure CommonMark and GFM, and for each of its offsets the one in the text that was written. */
export interface PlainMarkdown {
  readonly text: string;
  readonly origin: readonly number[];
  /** Where the lines in bold begin that stand for headings, in the text that was written. */
  readonly boldLines: ReadonlySet<number>;
}

const fenceLine = /^(`{3,})[^`]*$|^(~{3,})/;
const delimiterRow = /^[ >]*[|:-][ |:-]*\|[ |:-]*$/;
const headingWithoutSpace = /^(?:#{2,6}|#(?![^\n]*#))(?=[\u2e80-\uffff])/;
const boldLine = /^\*\*[^*]+\*\*[：:]?$/;
const html = /^<[!/?a-z]/i;
const definition = /^\[[^\]]+\]:/;
const bullet = /^(?:[-*+–](?=\s|$)|[•●○▪◦·])\s*/;
const rule = /^(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$/;

/**
 * What answers mean, written as CommonMark would have it. These are rules in which our reader differs from CommonMark
 * on purpose, each as a change of a line (`outlineOfTree` has one more, on bullets under numbers):
 *
 * 1. Whatever `readOrdinal` reads opens an item (`1、` `（1）` `①` `一、` `第一名：` `🥇`, `1.豆包` without a space,
 *    `**1. 豆包**`, also behind a bullet) and interrupts a paragraph whatever its number; so do the bullets `•` and `–`.
 * 2. A line in bold alone is a heading; `##标题` needs no space.
 * 3. `---` under a sentence is a rule between sections, no underline.
 * 4. A table begins wherever its header stands, also directly under an item, and ends before a line without bars.
 * 5. Lines of HTML and definitions of links and footnotes are read like any other.
 */
export function asCommonMark(written: string): PlainMarkdown {
  let text = '';
  const origin: number[] = [];
  const boldLines = new Set<number>();
  const insert = (s: string, at: number) => {
    text += s;
    for (let i = 0; i < s.length; i++) origin.push(at);
  };
  const copy = (from: number, to: number) => {
    text += written.slice(from, to);
    for (let i = from; i < to; i++) origin.push(i);
  };

  let fence = '';
  let inTable = false;
  let before = ''; // the line before, without what quotes it
  let at = 0;
  const lines = written.split(/\r?\n/);
  lines.forEach((line, index) => {
    const prefix = /^[ \t>]*/.exec(line)![0];
    const rest = line.slice(prefix.length);
    const end = at + line.length;
    if (fence === '') changeLine(prefix, rest, lines[index + 1] ?? '');
    else {
      copy(at, end);
      if (rest.startsWith(fence) && rest.trim().length === fence.length) fence = '';
    }
    const next = written.startsWith('\r', end) ? end + 2 : end + 1;
    copy(end, Math.min(next, written.length));
    before = rest;
    at = next;
  });
  origin.push(written.length);
  return { text, origin, boldLines };

  function changeLine(prefix: string, rest: string, nextLine: string): void {
    const start = at + prefix.length;
    const end = start + rest.length;
    const opening = fenceLine.exec(rest);
    fence = opening === null ? '' : (opening[1] ?? opening[2]!);
    const hasBars = rest.includes('|');
    const isBare = inTable && rest !== '' && !hasBars;
    const isHeader = hasBars && !inTable && delimiterRow.test(nextLine);
    inTable = isHeader || (inTable && hasBars);
    const isRule = rule.test(rest);
    const item = isRule ? null : itemOf(rest);
    const isBold = boldLine.test(rest) && !/[ \t]{2}$/.test(prefix);
    const isUnderSentence = isRule && /[。.：:]$/.test(before);
    const startsBlock = isBare || isHeader || isBold || isUnderSentence || (item !== null && item.ordinal !== null);
    if (startsBlock && before !== '') insert(`${prefix.trimEnd()}\n`, at);

    copy(at, start);
    let from = start;
    if (item !== null) {
      insert(item.ordinal === null ? '- ' : `${item.ordinal.value}. `, start);
      from = start + item.end;
      insert(item.emphasis, from);
    } else if (isBold) {
      boldLines.add(start);
      insert('###### ', start);
    } else if (headingWithoutSpace.test(rest)) {
      from = start + headingWithoutSpace.exec(rest)![0].length;
      copy(start, from);
      insert(' ', from);
    } else if (html.test(rest) || definition.test(rest)) {
      insert('\\', start);
    }
    copy(from, end);
  }
}

/** The mark of an item: its number, where the prose behind it begins, the emphasis that begins before the number. */
function itemOf(rest: string): { ordinal: Ordinal | null; end: number; emphasis: string } | null {
  const sign = bullet.exec(rest)?.[0] ?? '';
  const emphasis = /^[*_]{0,3}/.exec(rest.slice(sign.length))![0];
  const ordinal = readOrdinal(rest, sign.length + emphasis.length, rest.length);
  const isProse = sign !== '' && (ordinal?.style === 'arabic' || ordinal?.style === 'han');
  if (ordinal !== null && !isProse) return { ordinal, end: ordinal.end, emphasis };
  return sign === '' ? null : { ordinal: null, end: sign.length, emphasis: '' };
}

/** Moves every position of a tree to the text that was written. */
export function moveToOrigin(tree: Root, { origin }: PlainMarkdown): Root {
  const visit = (node: Nodes) => {
    for (const point of [node.position!.start, node.position!.end]) point.offset = origin[point.offset!];
    if ('children' in node) for (const child of node.children) visit(child);
  };
  visit(tree);
  return tree;
}
