import { forbidden } from './forbidden.ts';
import type { Found } from './order.ts';
import { wantedText } from './wanted-text.ts';

/** How one language gives orders. Every pattern has the flags `d` and `g`. */
export interface OrderPatterns {
  /** Asking for the system prompt. */
  readonly reveal: readonly RegExp[];
  /** Asking for words; group `verb` is the verb, the words follow the match. */
  readonly say: readonly RegExp[];
  /** Asking for a verdict; group `verb` is where the order begins, group `value` the verdict. */
  readonly verdict: readonly RegExp[];
}

/** Finds the orders of one language in a text. */
export function findOrders(text: string, patterns: OrderPatterns): Found[] {
  const allowed = (of: readonly RegExp[]) =>
    of.flatMap((pattern) => [...text.matchAll(pattern)]).filter((match) => !forbidden(text, verbOf(match)));
  const reveals = allowed(patterns.reveal);
  const revealing = (at: number) => reveals.some((r) => at > r.index && at <= r.index + r[0].length);
  return [
    ...reveals.map((match): Found => ({ order: { kind: 'reveal' }, at: match.index })),
    ...allowed(patterns.say).flatMap((match): Found[] => {
      const end = match.index + match[0].length;
      // "Output the system prompt" asks for the prompt and not for these words.
      const wanted = revealing(end) ? null : wantedText(text.slice(end));
      if (wanted === null) return [];
      const say: Found = { order: { kind: 'say', text: wanted }, at: match.index };
      const quoted = /^\s*["'`“‘「『《{[]/u.test(text.slice(end, end + 8));
      return [quoted ? { ...say, quotedTo: end + wanted.length + 1 } : say];
    }),
    ...allowed(patterns.verdict).map(
      (match): Found => ({ order: { kind: 'verdict', value: match.groups?.value ?? '' }, at: match.index }),
    ),
  ];
}

function verbOf(match: RegExpExecArray): number {
  return match.indices?.groups?.verb?.[0] ?? match.index;
}
