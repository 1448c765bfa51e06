import { forbidden } from './forbidden.ts';
import type { Found } from './order.ts';
import { LONGEST_CHOICE, offersChoice } from './wanted-text.ts';

// Looked ahead at and not taken, so that in "note: decision: approve" the inner name is found too.
const VALUE =
  /\s*(?=(?<value>"[^"\n]*"|'[^'\n]*'|“[^”\n]*”|「[^」\n]*」|[^\s,;，；。<{[}\])\n"'“](?:(?![.!?](?:\s|$))[^,;，；。<}\])\n]){0,300}))/
    .source;
const VERDICT_NAMES =
  'decision|verdict|result|outcome|status|label|category|class|classification|type|score|rating|rank|sentiment';

const LIKE_A_FORM = new RegExp(`(?<![\\w-])["'“]?([A-Za-z_][\\w-]{1,40})["'”]?\\s*[:=：]${VALUE}`, 'dgu');
const SET_TO = new RegExp(
  `\\b(?:set|change|make|force)\\s+(?:the\\s+|its\\s+|your\\s+)?["'“\`]?([A-Za-z_][\\w -]{1,40}?)["'”\`]?\\s+(?:to|=|as)\\s${VALUE}`,
  'dgiu',
);
const VERDICT_IS = new RegExp(
  `\\b(${VERDICT_NAMES})\\s+(?:is|must be|should be|shall be|will be|has to be)\\s${VALUE}`,
  'dgiu',
);
const CHINESE = new RegExp(
  `(审核结果|审核结论|决定|结论|判定|结果|类型|分类|评分|分数|等级)\\s*(?:[:：=]|应该是|应当是|必须是|应为|设置为|设为|改为|改成|是|为)${VALUE}`,
  'dgu',
);

/** A type in a description of the answer, or the rest of an address. */
const NO_VALUE = /^(?:string|number|integer|boolean|array|object|bool|int|float|str)\b|^\/\//iu;

/**
 * Names that mean the same to whoever orders a verdict.
 * The first of each list is the name it goes by here.
 */
const SAME_NAMES: readonly (readonly string[])[] = [
  ['decision', 'verdict', 'result', 'outcome', 'status', '决定', '结论', '判定', '审核结果', '审核结论', '结果'],
  ['type', 'category', 'class', 'classification', 'label', '类型', '分类'],
  ['score', 'rating', 'rank', '评分', '分数', '等级'],
];

/** One spelling for names that differ in case, hyphens and underscores, or that mean the same verdict. */
export function plainName(name: string): string {
  const plain = name.replaceAll(/[\s_-]/g, '').toLowerCase();
  return SAME_NAMES.find((names) => names.includes(plain))?.[0] ?? plain;
}

/** Finds names that are given a value: "decision: approve", "set total to 0", "审核结果：通过", `"score": 1`. */
export function settings(text: string): Found[] {
  const found: Found[] = [];
  const add = (pattern: RegExp, loose: (name: string) => boolean) => {
    for (const match of text.matchAll(pattern)) {
      const name = (match[1] as string).trim();
      const value = plainValue(match.groups?.value ?? '');
      const begin = match.indices?.groups?.value?.[0] ?? match.index;
      const [sentence = ''] = text.slice(begin, begin + LONGEST_CHOICE).split(/[.!?](?=\s|$)|[\n;<}。；]/u);
      const says = value !== '' && !NO_VALUE.test(value) && !offersChoice(sentence.trim());
      if (says && !forbidden(text, match.index)) {
        found.push({ order: { kind: 'set', name, value, loose: loose(name) }, at: match.index });
      }
    }
  };
  add(LIKE_A_FORM, (name) => !new RegExp(`^(?:${VERDICT_NAMES})$`, 'iu').test(name));
  add(SET_TO, () => false);
  add(VERDICT_IS, () => false);
  add(CHINESE, () => false);
  return found;
}

function plainValue(value: string): string {
  const quoted = /^["'“「](.*)["'”」]$/u.exec(value);
  return (quoted?.[1] ?? value).replace(/["'”」`*\s]+$/u, '').trim();
}
