import { gramContainment } from '../text/gram-containment.ts';
import type { Span } from '../text/spans.ts';
import type { Doc } from './read-markdown.ts';
import { findRefusal, type RefusalKind } from './refusals.ts';

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
  /** `partial_refusal` and `truncated` are properties of valid answers. */
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
/**
 * Below this gram containment an answer is about something else. The specification's 0.3 would drop lists of product
 * names, which repeat little of the question; 0.08 is less than one shared word of a question of twelve.
 */
const MIN_CONTAINMENT = 0.08;
/** How much of an answer is compared with the question, in UTF-16 units. */
const COMPARED = 400;

const transport =
  /(?:服务器?|系统|网络|当前|线路|模型)[^。\n]{0,12}(?:繁忙|异常|错误|超时|开小差|不可用|拥挤|出错|故障|失败)|请求(?:失败|超时|过于频繁)|请?稍后(?:再试|重试)|too many requests|rate limit(?:ed| exceeded| reached)|(?:service|server|system) (?:is )?(?:temporarily |currently )?(?:unavailable|busy|overloaded|error)|internal server error|network error|bad gateway|gateway time-?out|something went wrong|an error (?:has )?occurred|timed out|connection (?:reset|refused|error)|(?:please )?try again later/i;
const transportPage = /^\s*(?:<!doctype html|<html[\s>]|\{\s*"?(?:error|errors|err_?msg|code)"?\s*:)/i;
const blocked =
  /(?:内容|回复|回答|问题)[^。\n]{0,10}(?:违规|不合规|被(?:屏蔽|拦截|过滤|停止|撤回))|已停止生成|(?:完成|进行)(?:安全|人机)?验证|人机验证|请先?登录|登录后(?:继续|查看)|content (?:was |has been )?(?:blocked|filtered|removed)|verify (?:that )?you are (?:a )?human|unusual traffic|captcha|please (?:log|sign) in|access denied|enable (?:javascript|cookies)/i;
/** Error and wall texts are short; a long answer may speak about busy servers. In UTF-16 units. */
const MAX_NOTICE = 160;

const isFiltered = (finish: string): boolean =>
  /^(?:content[_-]?filter|safety|blocklist|prohibited_content|recitation|sensitive)$/i.test(finish);
const isCut = (finish: string): boolean => /^(?:length|max_?(?:output_)?tokens|truncated|incomplete)$/i.test(finish);

/**
 * Judges whether an answer can be measured. The ladder, the first that fits deciding: reasoning only, blocked or failed
 * by the finish reason, transport text, blocked text, refusal, empty, irrelevant. Refusals go by their place at the
 * beginning and by what follows, never by a word inside an answer.
 */
export function validate(input: ValidityInput): Validity {
  const { doc, mentions } = input;
  const finish = input.finishReason ?? '';
  const flags: Validity['flags'] = isCut(finish) ? ['truncated'] : [];
  const invalid = (reason: InvalidReason, evidence: Span | null = null): Validity => ({
    valid: false,
    reason,
    flags,
    evidence,
  });
  const answer = answerSpan(doc);
  const size = answer.end - answer.start;

  if (doc.reasoningOnly || (size === 0 && (input.reasoning ?? '').trim() !== ''))
    return invalid('reasoning_only', doc.reasoning[0] ?? null);
  if (size === 0) return invalid(isFiltered(finish) ? 'blocked' : /^error$/i.test(finish) ? 'transport' : 'empty');
  const visible = doc.text.slice(answer.start, answer.end);
  if (transportPage.test(visible)) return invalid('transport', answer);
  if (size <= MAX_NOTICE) {
    for (const [reason, pattern] of [
      ['transport', transport],
      ['blocked', blocked],
    ] as const) {
      const notice = evidenceOf(pattern, visible, answer.start);
      if (notice !== null && !hasContentAfter(doc, mentions, notice.end)) return invalid(reason, notice);
    }
  }

  const refusal = findRefusal(doc.text, answer.start);
  if (refusal !== null) {
    const evidence = { start: refusal.start, end: refusal.end };
    if (!hasContentAfter(doc, mentions, refusal.end) && !goesOn(doc.text.slice(refusal.end, answer.end))) {
      return invalid(isFiltered(finish) ? 'blocked' : `refuse:${refusal.kind}`, evidence);
    }
    return { valid: true, reason: null, flags: ['partial_refusal', ...flags], evidence };
  }

  if (mentions.length === 0) {
    const containment = isListed(doc, answer) ? null : gramContainment(input.queryText, visible.slice(0, COMPARED));
    const isShort = size < MIN_CHARACTERS * 2 && [...visible].length < MIN_CHARACTERS;
    if (isShort) return invalid(containment === 0 && isStatement(visible) ? 'irrelevant' : 'empty', answer);
    if (containment !== null && containment < MIN_CONTAINMENT && speaksSameScript(input.queryText, visible))
      return invalid('irrelevant', answer);
  }
  return { valid: true, reason: null, flags, evidence: null };
}

/** The answer without leading and trailing reasoning, white space and quotation or emphasis marks at its beginning. */
function answerSpan(doc: Doc): Span {
  const leading = doc.reasoning.find((span) => span.start === 0);
  const trailing = doc.reasoning.find((span) => span.end === doc.text.length);
  let start = leading?.end ?? 0;
  let end = Math.max(start, trailing?.start ?? doc.text.length);
  while (start < end && /[\s>*_"“”#\u200b\ufeff]/.test(doc.text[start]!)) start++;
  while (end > start && /[\s\u200b\ufeff]/.test(doc.text[end - 1]!)) end--;
  return { start, end };
}

function evidenceOf(pattern: RegExp, text: string, offset: number): Span | null {
  const match = pattern.exec(text);
  return match === null ? null : { start: offset + match.index, end: offset + match.index + match[0].length };
}

/** A brand, or a list of at least two, after the refusal. */
function hasContentAfter(doc: Doc, mentions: readonly Span[], at: number): boolean {
  if (mentions.length > 0 && mentions[mentions.length - 1]!.start >= at) return true;
  let items = 0;
  for (const block of doc.blocks)
    if (block.start >= at && (block.kind === 'item' || block.kind === 'row') && ++items >= 2) return true;
  return false;
}

const isWide = (c: number): boolean => c >= 0x2e80;

/** Size in letters of an alphabet: an ideograph says about as much as two and a half. */
function weigh(text: string): number {
  let weight = 0;
  for (let i = 0; i < text.length && weight < 3000; i++) weight += isWide(text.charCodeAt(i)) ? 2.5 : 1;
  return weight;
}

/** Whether enough follows a refusal to be an answer: a good deal after "however", else more than any refusal preaches. */
function goesOn(rest: string): boolean {
  const weight = weigh(rest.trim());
  const isContrast = /^[\s，,；;。.]*(?:不过|但是?|然而|尽管如此|however|but|that said|nevertheless|still,)/i.test(
    rest,
  );
  return weight > (isContrast ? 150 : 2500);
}

function isListed(doc: Doc, answer: Span): boolean {
  return hasContentAfter(doc, [], answer.start);
}

/** A sentence of at least five letters that ends as one. */
function isStatement(text: string): boolean {
  return /[。！？.!?]["”]?$/.test(text) && (text.match(/\p{L}/gu)?.length ?? 0) >= 5;
}

/** An answer in another script than the question shares no grams with it and says nothing by that. */
function speaksSameScript(query: string, answer: string): boolean {
  const hasHan = (s: string) => /\p{Script=Han}/u.test(s);
  return hasHan(query) === hasHan(answer.slice(0, COMPARED));
}
