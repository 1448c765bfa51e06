import type { Mention, PlacedCue } from './mention.ts';
import type { Doc } from './read-markdown.ts';

/** How far before and behind a pronoun its sentence is read, in UTF-16 units. */
const REACH = 80;

// "it's easy to use" speaks of the brand, "it's easy to lose a child in there" of nothing.
const impersonal =
  /^it(?:'s|’s| is| was| will be)?\s+(?:(?:not )?(?:raining|snowing|late|early|time|true|clear|likely|unlikely|worth|no use|no wonder|a pity|a shame|possible that|(?:easy|hard|difficult|possible|impossible|important|better|best|wise|cheaper) to \w+ (?:an?|the|your|my|his|her|their|one|some\w*|people|money|time)\b)|helps to|pays to|takes (?:an?|some|time|about|\d)|makes sense to|turns out|comes to|goes without|depends|seems|rains|happens)/i;
const people =
  /\b(?:users|people|parents|customers|clients|teams|engineers|developers|designers|students|teachers|friends|kids|children|reviewers|readers|players|fans|employees|workers|others|everyone|everybody|colleagues|neighbours|neighbors|folks|guests|drivers|buyers|owners|experts|critics)\b/i;
const introducedThing = /有(?:一)?[个只台条位名家种件张款把]/;
const topic = /^[\s*_]*([\p{L}\p{N}]{2,8})的/u;

/**
 * Whether a pronoun stands for something else than the brand named before it: weather and other empty subjects, the people
 * of the sentence (they), a thing that the sentence has just introduced (有个按钮，长按它), or another party that the
 * sentence is about and the paragraph named before (问界的智驾更强，它…).
 */
export function speaksOfNobody(doc: Doc, cue: PlacedCue, mention: Mention, block: number): boolean {
  const { text } = doc;
  const surface = text.slice(cue.start, cue.end);
  if (surface === 'IT') return true; // IT部门
  if (cue.cue.text === 'it') return impersonal.test(text.slice(cue.start, cue.end + REACH));
  const before = text.slice(Math.max(doc.blocks[block]?.start ?? 0, cue.start - REACH), cue.start);
  const sentence = before.slice(
    Math.max(...['。', '！', '？', '\n', '. ', '! ', '? '].map((end) => before.lastIndexOf(end))) + 1,
  );
  if (cue.cue.kind === 'company') return people.test(sentence);
  if (cue.cue.text !== '它') return false;
  const isObject = !/(?:^|[，,；;：:])\s*(?:因为|所以|但|但是|不过|而|而且|并且|如果|虽然|只是|可|另外|同时)?$/.test(
    sentence,
  );
  if (isObject && introducedThing.test(sentence)) return true;
  const [, subject] = mention.sentence === cue.sentence ? [] : (topic.exec(sentence) ?? []);
  return (
    subject !== undefined &&
    /[，,；;]/.test(sentence) &&
    before.slice(0, before.length - sentence.length).includes(subject)
  );
}
