import type { Block } from '../text/markdown-blocks.ts';
import { type Span, spanAt } from '../text/spans.ts';

/** What is written for machines in an answer; nothing in it is a mention. */
export interface Code {
  /** Program code, code in line, HTML tags and comments, in no order. */
  readonly spans: readonly Span[];
  /** Where addresses and brackets are no citations either, ascending and disjoint: all but the tags of links. */
  readonly hidden: readonly Span[];
}

// Bounds keep hostile texts (` `` ``` ````) linear; no real code in line is longer.
const MAX_INLINE = 500;

const proseInfo = /^\s*(?:markdown|md|text|txt|plain|plaintext)?\s*$/i;
const tag =
  /<(?:\/[a-z][a-z0-9-]*\s*|([a-z][a-z0-9-]*)(?:\s+[a-z_:][\w.:-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*\s*\/?)>/iy;
const nothing: Code = { spans: [], hidden: [] };

/**
 * Finds code and HTML. A fence without a language (or with `markdown`, `text`) holds prose; `<Kimi>` is a tag as
 * CommonMark has it, `<豆包>` and `a < b` are none.
 */
export function readCode(text: string, blocks: readonly Block[]): Code {
  const spans: Span[] = [];
  for (const block of blocks) {
    if (block.kind !== 'code') continue;
    const holdsProse = proseInfo.test(text.slice(block.info.start, block.info.end));
    spans.push({ start: block.info.start, end: holdsProse ? block.info.end : block.end });
  }
  if (text.includes('`')) readInline(text, blocks, spans);
  if (!text.includes('<')) return spans.length === 0 ? nothing : { spans, hidden: disjoint(spans) };
  const html = readHtml(text, disjoint(spans));
  return { spans: [...spans, ...html.all], hidden: disjoint([...spans, ...html.hidden]) };
}

function disjoint(spans: readonly Span[]): Span[] {
  let end = 0;
  return [...spans]
    .sort((a, b) => a.start - b.start)
    .filter((span) => {
      const isFree = span.start >= end;
      if (isFree) end = span.end;
      return isFree;
    });
}

/** Code between back ticks, within one block or cell. */
function readInline(text: string, blocks: readonly Block[], spans: Span[]): void {
  for (const block of blocks) {
    if (block.kind === 'code') continue;
    if (block.kind === 'row') for (const cell of block.cells) readInlineOf(text, cell, spans);
    else readInlineOf(text, block, spans);
  }
}

function readInlineOf(text: string, within: Span, spans: Span[]): void {
  for (let at = tickBefore(text, within.start, within.end); at !== -1; ) {
    const open = endOfTicks(text, at);
    const close =
      text[at - 1] === '\\' ? -1 : closingTicks(text, open, open - at, Math.min(within.end, open + MAX_INLINE));
    if (close !== -1 && !isProse(text.slice(open, close))) spans.push({ start: at, end: close + open - at });
    at = tickBefore(text, close === -1 ? open : close + open - at, within.end);
  }
}

/** Back ticks around an address, or around Chinese without the signs of a program, only set it off. */
function isProse(code: string): boolean {
  return /^\s*https?:\/\/\S+\s*$/i.test(code) || (/\p{Script=Han}/u.test(code) && !/[(){};=$\\<>"']/.test(code));
}

function tickBefore(text: string, from: number, end: number): number {
  for (let at = from; at < end; at++) if (text.charCodeAt(at) === 0x60) return at;
  return -1;
}

function endOfTicks(text: string, at: number): number {
  let end = at;
  while (text.charCodeAt(end) === 0x60) end++;
  return end;
}

/** Where a run of exactly `length` ticks begins before `end`, or -1. */
function closingTicks(text: string, from: number, length: number, end: number): number {
  for (let at = tickBefore(text, from, end); at !== -1; ) {
    const behind = endOfTicks(text, at);
    if (behind - at === length) return at;
    at = tickBefore(text, behind, end);
  }
  return -1;
}

/** Tags, comments, scripts and styles outside of code; the tags of links are not hidden. */
function readHtml(text: string, code: readonly Span[]): { all: Span[]; hidden: Span[] } {
  const all: Span[] = [];
  const hidden: Span[] = [];
  const places = new Map<string, number>(); // the next place of each closing sign, looked up once
  const nextOf = (sign: string, from: number): number => {
    const known = places.get(sign);
    if (known === -1 || (known !== undefined && known >= from)) return known;
    const next = text.indexOf(sign, from);
    places.set(sign, next);
    return next;
  };
  for (let at = text.indexOf('<'); at !== -1; ) {
    const end = spanAt(code, at) === -1 ? htmlEnd(text, at, nextOf) : at;
    if (end > at) {
      all.push({ start: at, end });
      if (!/^<a\s/i.test(text.slice(at, at + 3))) hidden.push({ start: at, end });
    }
    at = text.indexOf('<', Math.max(end, at + 1));
  }
  return { all, hidden };
}

/** Where the tag, comment, script or style ends that begins at `at`; `at` itself where none does. */
function htmlEnd(text: string, at: number, nextOf: (sign: string, from: number) => number): number {
  if (text.startsWith('<!--', at)) {
    const close = nextOf('-->', at + 4);
    return close === -1 ? at : close + 3;
  }
  tag.lastIndex = at;
  const match = tag.exec(text);
  if (match === null) return at;
  const end = tag.lastIndex;
  const name = match[1]?.toLowerCase();
  const close = name === 'script' || name === 'style' ? nextOf(`</${name}`, end) : -1;
  return close === -1 ? end : close;
}
