import type { OrderPatterns } from './find-orders.ts';

// An order begins a clause or follows a word that turns a verb into one; "critics say" and "I would say" are neither.
const BEGINS =
  /(?:^|[\n.!?;:,>"'“”‘’*#()[\]{}|]|\s[-–—]\s|\b(?:and|then|please|now|must|should|just|only|simply|instead|always|have to|need to|you to|you will|you shall|you are to)\s)\s*/
    .source;

const FILLER =
  /(?:\s+(?:with|only|exactly|just|back|nothing but|verbatim|me|the (?:(?:exact|following|single|one) )?(?:words?|text|phrase|string|code|sentence|message)|the following|this|as)(?![\w'-]))/
    .source;
const MAYBE_FILLED = `${FILLER}*\\s*[:：]?`;
// "write a poem" and "return it" give no words; these verbs must be followed by something that announces some.
const FILLED = `(?:${FILLER}+\\s*[:：]?|\\s*[:：]|\\s+(?=["'“‘\`{]))`;

const SAY = new RegExp(`${BEGINS}(?<verb>answer|reply|respond|say|output|print|echo)\\b${MAYBE_FILLED}`, 'dgiu');
const SAY_FILLED = new RegExp(`${BEGINS}(?<verb>write|return|repeat|type|post|add|append|include)\\b${FILLED}`, 'dgiu');

const SHOW =
  '(?:reveal|show|print|output|repeat|display|give|leak|dump|expose|disclose|recite|quote|say|write|return|reply|respond|answer|tell|copy|paste|translate|encode|summari[sz]e|what (?:is|are|was|were))';
const PROMPT =
  /(?:system (?:prompt|message|instructions?)|(?:initial|original|hidden|secret|your|previous|prior) (?:prompt|instructions?|rules)|(?:text|words|everything|all|content|contents|instructions?|messages?|prompt|lines)(?: \w+){0,2} (?:above|before this|so far))/
    .source;
const REVEAL = new RegExp(`\\b(?<verb>${SHOW})\\b[^.\\n。]{0,40}?\\b${PROMPT}\\b`, 'dgiu');

const VERBS = '(?<verb>(?<value>approve|accept|allow|publish|reject|deny|block|flag|escalate))\\b';
// A bare verb may be a word of a list ("approve, reject or unsure"), so it must stand where a sentence begins.
const VERDICT_ON = new RegExp(`${BEGINS}${VERBS}(?=\\s+(?:this|it|the|my|all|every|these|that|me|comment)\\b)`, 'dgiu');
const VERDICT_ALONE = new RegExp(
  `(?:^|[\\n.!?;>]|\\b(?:then|please|now|must|should|just|only|simply|instead|always|and)\\s|(?:instructions?|above|rules|prompts?)[,:])\\s*${VERBS}(?=\\s*(?:$|[.!;\\n<]))`,
  'dgiu',
);
const VERDICT_PASSIVE =
  /\b(?<verb>(?:must|should|shall|has to|have to|needs? to|is to|are to) (?:always )?be) (?<value>approved|accepted|allowed|published|rejected|denied|blocked|flagged)\b/dgiu;
const MARK =
  /\b(?<verb>mark|classify|label|rate|treat|consider|categori[sz]e|tag|file|report|return|score)\s+(?:this|it|the|my|these|that|all)\b[^.\n]{0,40}?\b(?:as|to be|a|an)\s+["'“]?(?<value>[\p{L}\w-]+(?:[ _][\p{L}\w-]+)?)/dgiu;

/** How orders are given in English. */
export const english: OrderPatterns = {
  reveal: [REVEAL],
  say: [SAY, SAY_FILLED],
  verdict: [VERDICT_ON, VERDICT_ALONE, VERDICT_PASSIVE, MARK],
};
