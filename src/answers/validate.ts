import type { Span } from '../text/spans.ts';
import { findNotice, isWithinAnswer } from './notices.ts';
import type { Doc } from './read-markdown.ts';
import { findRefusal, type RefusalKind } from './refusals.ts';
import { isAboutSomethingElse, sharesNothing } from './relevance.ts';

export type InvalidReason =
  | 'empty'
  | `refuse:${RefusalKind}`
  | 'irrelevant'
  | 'transport'
  | 'blocked'
  | 'reasoning_only';

export interface Validity {
  readonly valid: boolean;
  readonly reason: InvalidReason | null;
  /** `partial_refusal` and `truncated` are properties of valid answers; an invalid one has none. */
  readonly flags: ('partial_refusal' | 'truncated')[];
  /** Where in the text the reason (or the partial refusal) stands. */
  readonly evidence: Span | null;
}

export interface ValidityInput {
  readonly doc: Doc;
  /** Reasoning that came in a field of its own. */
  readonly reasoning?: string | null | undefined;
  /** As the platform named it: stop, length, content_filter, error … */
  readonly finishReason?: string | null | undefined;
  readonly queryText: string;
  /** Kept explicit mentions of configured brands, ascending. */
  readonly mentions: readonly Span[];
}

/** Fewer characters are no answer (specification §7), unless they name a configured brand. */
const MIN_CHARACTERS = 20;

const isFiltered = (finish: string): boolean =>
  /^(?:content[_-]?filter(?:ed)?|safety|image_safety|blocklist|prohibited_content|recitation|spii|sensitive|refusal|blocked)$/i.test(
    finish,
  );
const isFailed = (finish: string): boolean =>
  /^(?:error|failed|time_?out|network_error|cancelled|aborted|insufficient_system_resource)$/i.test(finish);
const isCut = (finish: string): boolean =>
  /^(?:length|max_?(?:output_?)?tokens|truncated|incomplete|model_(?:length|context_window_exceeded))$/i.test(finish) ||
  isFailed(finish);

/**
 * Judges whether an answer can be measured. The ladder, the first that fits deciding: reasoning only, nothing at all
 * (blocked or failed by the finish reason, else empty), taken back by the platform's filter, a notice of the platform,
 * a refusal, too short, about something else. Refusals go by their place at the beginning and by what follows, never by
 * a word inside an answer. Pure; a few µs.
 */
export function validate(input: ValidityInput): Validity {
  const { doc, mentions } = input;
  const finish = input.finishReason ?? '';
  const { start, end } = answerSpan(doc);

  if (doc.reasoningOnly || (start === end && (input.reasoning ?? '').trim() !== ''))
    return invalid('reasoning_only', doc.reasoning[0] ?? null);
  if (start === end) return invalid(isFiltered(finish) ? 'blocked' : isFailed(finish) ? 'transport' : 'empty', null);
  if (isFiltered(finish)) return invalid('blocked', { start, end });
  const notice = findNotice(doc.text, start, end);
  if (
    notice !== null &&
    !isListed(doc, notice.end) &&
    !(isMentioned(mentions, notice.end) && isWithinAnswer(doc.text, notice, end))
  )
    return invalid(notice.reason, notice);

  const flags: Validity['flags'] = isCut(finish) ? ['truncated'] : [];
  const refusal = findRefusal(doc.text, start, end);
  if (refusal !== null) {
    const answers =
      isMentioned(mentions, refusal.end) || refusal.helps || (!refusal.redirects && isListed(doc, refusal.end));
    if (!answers) return invalid(`refuse:${refusal.kind}`, refusal);
    if (refusal.isPhrase) return { valid: true, reason: null, flags, evidence: null };
    return { valid: true, reason: null, flags: ['partial_refusal', ...flags], evidence: spanOf(refusal) };
  }

  if (mentions.length === 0) {
    const isShort = end - start < MIN_CHARACTERS * 2 && [...doc.text.slice(start, end)].length < MIN_CHARACTERS;
    const visible = doc.text.slice(start, end);
    if (isShort)
      return invalid(isStatement(visible) && sharesNothing(input.queryText, visible) ? 'irrelevant' : 'empty', {
        start,
        end,
      });
    if (!isListed(doc, start) && isAboutSomethingElse(input.queryText, visible))
      return invalid('irrelevant', { start, end });
  }
  return { valid: true, reason: null, flags, evidence: null };
}

const spanOf = ({ start, end }: Span): Span => ({ start, end });

const invalid = (reason: InvalidReason, evidence: Span | null): Validity => ({
  valid: false,
  reason,
  flags: [],
  evidence: evidence === null ? null : spanOf(evidence),
});

/** The answer without leading and trailing reasoning, white space and quotation or emphasis marks at its beginning. */
function answerSpan(doc: Doc): Span {
  const leading = doc.reasoning.find(
    (span) => doc.text.slice(0, Math.min(span.start, 64)).trim() === '' && span.start < 64,
  );
  const trailing = doc.reasoning.find((span) => span.end === doc.text.length);
  let start = leading?.end ?? 0;
  let end = Math.max(start, trailing?.start ?? doc.text.length);
  while (start < end && /[\s>*_"“”#\u200b\ufeff]/.test(doc.text[start]!)) start++;
  while (end > start && /[\s\u200b\ufeff]/.test(doc.text[end - 1]!)) end--;
  return { start, end };
}

/** A brand from `at` on. */
const isMentioned = (mentions: readonly Span[], at: number): boolean =>
  mentions.length > 0 && mentions[mentions.length - 1]!.start >= at;

/** A list, a table or headings, at least two, from `at` on. */
function isListed(doc: Doc, at: number): boolean {
  let items = 0;
  for (const block of doc.blocks)
    if (
      block.start >= at &&
      (block.kind === 'item' || block.kind === 'row' || block.kind === 'heading') &&
      ++items >= 2
    )
      return true;
  return false;
}

/** A sentence of at least five letters that ends as one. */
const isStatement = (text: string): boolean =>
  /[。！？.!?]["”]?$/.test(text) && (text.match(/\p{L}/gu)?.length ?? 0) >= 5;
