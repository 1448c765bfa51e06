import type { Span } from '../text/spans.ts';

export interface Reasoning {
  /** Spans of reasoning, tags included, ascending and disjoint. */
  readonly spans: readonly Span[];
  /** Reasoning is there, and nothing but white space beside it. */
  readonly only: boolean;
}

/** `<think>` and its like, Kimi's `◁think▷`, Mistral's `[THINK]`; not in backticks, where an answer speaks of them. */
const tag = /(?<!`)(?:<(\/?)(?:think|thinking|thought|reasoning|seed:think)>|◁(\/?)think▷|\[(\/?)THINK\])(?!`)/gi;
const mayHaveTag = /[<◁]|\[\/?THINK/i;

/**
 * Finds the reasoning that models leave in their answers: `<think>…</think>`, a closing tag alone (all before it is
 * reasoning: templates swallow the opening one), and an opening tag at the beginning of a line that is never closed (all
 * after it is).
 */
export function readReasoning(text: string): Reasoning {
  if (!mayHaveTag.test(text)) return { spans: [], only: false };
  const spans: Span[] = [];
  let openedAt = -1;
  tag.lastIndex = 0;
  for (let match = tag.exec(text); match !== null; match = tag.exec(text)) {
    const end = match.index + match[0].length;
    const isClosing = (match[1] ?? match[2] ?? match[3]) === '/';
    if (!isClosing) {
      if (openedAt === -1) openedAt = match.index;
    } else if (openedAt !== -1) {
      spans.push({ start: openedAt, end });
      openedAt = -1;
    } else {
      spans.length = 0;
      spans.push({ start: 0, end });
    }
  }
  if (openedAt !== -1 && opensLine(text, openedAt)) spans.push({ start: openedAt, end: text.length });
  return { spans, only: spans.length > 0 && isBlankOutside(text, spans) };
}

function opensLine(text: string, at: number): boolean {
  return text.slice(text.lastIndexOf('\n', at - 1) + 1, at).trim() === '';
}

function isBlankOutside(text: string, spans: readonly Span[]): boolean {
  let from = 0;
  for (const span of spans) {
    if (text.slice(from, span.start).trim() !== '') return false;
    from = span.end;
  }
  return text.slice(from).trim() === '';
}
