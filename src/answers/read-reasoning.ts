import type { Span } from '../text/spans.ts';

export interface Reasoning {
  /** Spans of reasoning, tags included, ascending and disjoint. */
  readonly spans: readonly Span[];
  /** Reasoning is there, and nothing but white space beside it. */
  readonly only: boolean;
}

const tag = /<(\/?)(?:think|thinking|reasoning)>/gi;

/**
 * Finds the reasoning that models leave in their answers: `<think>…</think>`, a closing tag alone (all before it is
 * reasoning: templates swallow the opening one), and an opening tag that is never closed (all after it is).
 */
export function readReasoning(text: string): Reasoning {
  if (!text.includes('<')) return { spans: [], only: false };
  const spans: Span[] = [];
  let openedAt = -1;
  tag.lastIndex = 0;
  for (let match = tag.exec(text); match !== null; match = tag.exec(text)) {
    const end = match.index + match[0].length;
    if (match[1] === '') {
      if (openedAt === -1) openedAt = match.index;
    } else if (openedAt !== -1) {
      spans.push({ start: openedAt, end });
      openedAt = -1;
    } else {
      spans.length = 0;
      spans.push({ start: 0, end });
    }
  }
  if (openedAt !== -1) spans.push({ start: openedAt, end: text.length });
  return { spans, only: spans.length > 0 && isBlankOutside(text, spans) };
}

function isBlankOutside(text: string, spans: readonly Span[]): boolean {
  let from = 0;
  for (const span of spans) {
    if (text.slice(from, span.start).trim() !== '') return false;
    from = span.end;
  }
  return text.slice(from).trim() === '';
}
