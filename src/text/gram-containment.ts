import { toSimplified } from './simplified.ts';

/**
 * How much of a query's wording an answer takes up, without a model and for Chinese and English alike.
 *
 * Grams of a text, traditional characters taken as simplified: every pair of neighbouring characters of Han, Katakana
 * and Hangul (weight 1; Hiragana says little), every single Han character (weight 1/4, it catches 系统 in 操作系统 and
 * abbreviations), every word of other scripts cut to six letters (weight 1: a stem that outlives plurals and endings).
 * Words that any question has are left out of the query.
 *
 *     containment(q, a) = Σ weight of grams in both / Σ weight of grams of q      (0 … 1; null when q has no grams)
 *
 * Containment instead of Dice or cosine, because answers are long and questions short: an answer must not lose by
 * saying more.
 */
const commonHan =
  /推荐|有哪些|哪些|哪个|哪款|哪家|哪种|什么|怎么样|怎么|如何|怎样|为什么|多少|请问|请|一下|介绍|告诉我|帮我|适合|比较|好用|可以|应该|几个|几款|一些|最好|目前|现在|我想|我要|吗|呢|的|了(?!解)|是|有|和|与|在(?!线)|用(?!户)|个(?!人)|款|家(?![电具居庭教装])|好|我|你|您|给|能(?![源力耗])|会(?![议员计话展场])|要|买|选|做|对(?!话)|把|被|这|那|中(?![国文医学])|最|几/g;
const commonWords = new Set(
  (
    'a an the of for to in on at by with and or is are be do does did can could should would will what which who how why ' +
    'when where me my i you your we our it this that best good top some any recommend suggest please tell list give find ' +
    'need want use between from as about'
  ).split(' '),
);

const HAN_SINGLE_WEIGHT = 0.25;

function gramsOf(text: string): Map<string, number> {
  const grams = new Map<string, number>();
  for (const [run] of text.matchAll(/[\p{Script=Han}\p{Script=Katakana}ー\p{Script=Hangul}]+/gu)) {
    for (let i = 0; i < run.length; i++) {
      if (/\p{Script=Han}/u.test(run[i]!)) grams.set(run[i]!, HAN_SINGLE_WEIGHT);
      if (i + 1 < run.length) grams.set(run.slice(i, i + 2), 1);
    }
  }
  for (const [word] of text
    .toLowerCase()
    .matchAll(/(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー])[\p{L}\p{N}])+/gu))
    if (!commonWords.has(word)) grams.set(word.slice(0, 6), 1);
  return grams;
}

const fold = (text: string): string => toSimplified(text.normalize('NFKC'));

/** In: a question and (the beginning of) an answer; out: 0 … 1 as above, null when the question cannot be judged by. */
export function gramContainment(query: string, answer: string): number | null {
  const asked = gramsOf(fold(query).replace(commonHan, ' '));
  let total = 0;
  for (const weight of asked.values()) total += weight;
  if (total === 0) return null;
  const given = gramsOf(fold(answer));
  let shared = 0;
  for (const [gram, weight] of asked) if (given.has(gram)) shared += weight;
  return shared / total;
}
