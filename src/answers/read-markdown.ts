import { type Block, readBlocks } from '../text/markdown-blocks.ts';
import { type Span, spanAt } from '../text/spans.ts';
import { type Link, type Marker, type Mask, readCitations } from './read-citations.ts';
import { readCode } from './read-code.ts';
import { readReasoning } from './read-reasoning.ts';

/** An answer as it was written: structure, links, citation marks and what is no prose, all in offsets into `text`. */
export interface Doc {
  readonly text: string;
  readonly blocks: readonly Block[];
  readonly links: readonly Link[];
  readonly markers: readonly Marker[];
  /** Ascending and disjoint. */
  readonly masks: readonly Mask[];
  readonly reasoning: readonly Span[];
  readonly reasoningOnly: boolean;
}

const sourceWords =
  '参考(?:资料|文献|来源|链接|内容|网页|文章|信息|出处)|(?:资料|数据|信息|引用|内容|图片|搜索)来源|来源|引用|出处|相关链接|延伸阅读|出典|参考サイト|' +
  'sources?|references?|citations?|further reading|bibliography|quellen|fuentes|fontes';
const sourcesTitle = new RegExp(String.raw`^[*_【（(\s]*(?:${sourceWords})[*_】）)\s]*(?:$|[:：][*_\s]*)`, 'i');
const sourceNote = /^[（(][^（(）)：:，。,.\n]{0,8}(?:来源|sources?)\s*[:：][^）)\n]*[）)]/i;
/** How far the word may stand behind its bracket, and the longest note, in UTF-16 units. */
const NOTE_WORD = 10;
const MAX_NOTE = 100;

/**
 * Reads an answer in Markdown. Masks cover what never counts as a mention: reasoning, URLs and link targets (labels
 * are prose), citation marks, the titles in lists of sources, code and HTML.
 */
export function readMarkdown(text: string): Doc {
  const reasoning = readReasoning(text);
  const byteOrderMark = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const from = reasoning.spans[0]?.start === 0 ? reasoning.spans[0].end : byteOrderMark;
  const blocks = readBlocks(text, from);
  const code = readCode(text, blocks);
  const isHidden = (at: number) => spanAt(code.hidden, at) !== -1 || spanAt(reasoning.spans, at) !== -1;
  const isAllVisible = code.hidden.length === 0 && reasoning.spans.length === 0;
  const { links, markers, masks } = readCitations(text, isAllVisible ? () => false : isHidden);
  for (const span of reasoning.spans) masks.push({ ...span, why: 'in_reasoning' });
  for (const span of code.spans) masks.push({ ...span, why: 'in_code' });
  maskSources(text, blocks, masks);
  for (const sign of ['来源', '(Source', '(source']) maskNotes(text, sign, masks);
  return {
    text,
    blocks,
    links,
    markers,
    masks: disjoint(masks),
    reasoning: reasoning.spans,
    reasoningOnly: reasoning.only,
  };
}

/** （来源：豆包官网）, (Source: Kimi blog): a note in brackets, by the word that it begins with. */
function maskNotes(text: string, sign: string, masks: Mask[]): void {
  for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 1)) {
    let start = at;
    while (at - start < NOTE_WORD && text[start] !== '（' && text[start] !== '(') start--;
    const note = sourceNote.exec(text.slice(Math.max(0, start), start + MAX_NOTE));
    if (note !== null) masks.push({ start, end: start + note[0].length, why: 'in_citation' });
  }
}

/** Titles in a list of sources name brands without saying anything about them. */
function maskSources(text: string, blocks: readonly Block[], masks: Mask[]): void {
  for (let i = 0; i < blocks.length; i++) {
    const block = blocks[i]!;
    if (block.kind === 'row' || block.kind === 'code') continue;
    if (!opensSources(text, block.content)) continue;
    const firstLine = text.slice(block.content, Math.min(block.end, block.content + 24));
    const title = sourcesTitle.exec(firstLine);
    if (title === null) continue;
    const isTitleAlone = block.content + title[0].length >= block.end;
    if (block.kind !== 'heading' && !isTitleAlone) {
      const namesSource = block.kind === 'paragraph' || /:\/\/|\[/.test(text.slice(block.content, block.end));
      if (namesSource) masks.push({ start: block.start, end: block.end, why: 'in_citation' });
      continue;
    }
    let last = i;
    while (last + 1 < blocks.length && continuesSources(block, blocks[last + 1]!)) last++;
    masks.push({ start: block.start, end: blocks[last]!.end, why: 'in_citation' });
    i = last;
  }
}

const sourceInitials = new Set(Array.from('参资数信引内图搜来出相延SRCFBQsrcfbq', (ch) => ch.charCodeAt(0)));

const isDecoration = (c: number): boolean =>
  c === 0x2a || c === 0x5f || c === 0x20 || c === 0x28 || c === 0x09 || c === 0x3010 || c === 0xff08;

/** Whether a title of sources could begin at `at`: asked of every block, before the pattern itself. */
function opensSources(text: string, at: number): boolean {
  let first = text.charCodeAt(at);
  for (let i = at; isDecoration(first); ) first = text.charCodeAt(++i);
  return sourceInitials.has(first);
}

function continuesSources(title: Block, next: Block): boolean {
  if (next.kind === 'heading') return title.kind === 'heading' && next.level > title.level;
  return next.kind !== 'paragraph' || next.parent !== -1 || title.kind === 'heading';
}

function disjoint(masks: Mask[]): Mask[] {
  if (masks.length < 2) return masks;
  masks.sort((a, b) => a.start - b.start || b.end - a.end);
  const out: Mask[] = [];
  let end = 0;
  for (const mask of masks) {
    if (mask.end <= end) continue;
    out.push(mask.start >= end ? mask : { ...mask, start: end });
    end = mask.end;
  }
  return out;
}
