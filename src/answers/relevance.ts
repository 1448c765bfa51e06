import { gramContainment } from '../text/gram-containment.ts';
import { scriptOf } from './refusal-languages/index.ts';

/**
 * Below this gram containment an answer may be about something else. The specification's 0.3 would drop answers that
 * use their own words: 0.08 is less than one shared word of a question of twelve.
 */
const MIN_CONTAINMENT = 0.08;
/** How much of an answer is compared with the question, in UTF-16 units. */
const COMPARED = 400;

/**
 * Whether an answer is about something else than its question: it takes up next to nothing of its wording, and does not
 * speak of choosing where the question asks what to choose (such answers consist of names). `eval/run.ts relevance`
 * measures both ways of being wrong.
 */
export function isAboutSomethingElse(query: string, answer: string): boolean {
  const head = answer.slice(0, COMPARED);
  const containment = gramContainment(query, head);
  if (containment === null || containment >= MIN_CONTAINMENT) return false;
  return speaksSameLanguage(query, head) && !(asksForChoice.test(query) && speaksOfChoice.test(head));
}

/** For answers of a few words: not one gram in common. */
export const sharesNothing = (query: string, answer: string): boolean => gramContainment(query, answer) === 0;

const asksForChoice =
  /推[荐薦]|哪|[选選]|[买買]|比[较較]|排[名行]|怎么排|有什么|おすすめ|추천|(?<!\p{L})(?:best|better|which|recommend|choose|suggest|top|should i|is there|are there|vs|welche[rns]?|empfehl\w*|quel(?:le)?s?|conseill\w*|choisir|qué|cuál|recom[ie]\w*|qual|consigli\w*)(?!\p{L})|как(?:ой|ую|ие)|посовет/iu;
const speaksOfChoice =
  /推[荐薦]|首[选選]|不[错錯]|都行|[试試]用|[预預]算|免[费費]|收[费費]|[价價]格|便宜|性[价價]比|[选選](?![手举舉])|品牌|[产產]品|第一名|[测測][评評]|おすすめ|無料|추천|무료|\b(?:recommend\w*|best|try|choose|choice|pick|go (?:for|with)|option\w*|pric(?:e|ed|ing)|cheap\w*|affordable|free (?:plan|tier|version)|worth|suits?|empfehl\w*|kostenlos|conseill\w*|recommand\w*|gratuit\w*|recom[ie]\w*|gratis|consigli\w*)\b|рекоменд|бесплатн/iu;

/** Words that tell the languages of Latin script apart. */
const common: readonly RegExp[] = [
  /\b(?:the|and|is|are|of|to|for|with|you|your|it|what|which|how|should|does)\b/gi,
  /\b(?:der|die|das|und|ist|sind|für|mit|nicht|ich|ein|eine|einen|wie|was|welche[rns]?)\b/gi,
  /\b(?:le|les|des|et|est|sont|pour|avec|je|une|vous|dans|quel|quelle|au|du)\b/gi,
  /\b(?:el|los|las|y|es|son|para|con|una|lo|del|se|por|muy)\b/gi,
  /\b(?:os|as|e|são|com|não|um|uma|do|da|qual|em|ou)\b/gi,
  /\b(?:il|gli|e|sono|per|con|non|una|che|di|della|quale|nel)\b/gi,
];

/** An answer in another language than the question shares no words with it and says nothing by that. */
function speaksSameLanguage(query: string, answer: string): boolean {
  if (scriptOf(query) !== scriptOf(answer)) return false;
  const [asked, given] = [languageOf(query), languageOf(answer)];
  return asked === null || given === null || asked === given;
}

/** The one of `common` with most words in a text; null where two are alike. */
function languageOf(text: string): number | null {
  const counts = common.map((words) => text.match(words)?.length ?? 0);
  const most = Math.max(...counts);
  return most > 0 && counts.indexOf(most) === counts.lastIndexOf(most) ? counts.indexOf(most) : null;
}
