import { foldKey } from '../../text/fold.ts';
import type { Policy } from '../policy.ts';
import { type WordFinder, wordFinder } from './find-words.ts';
import { excerpt, type Field, type Finding } from './finding.ts';

const finders = new WeakMap<Policy, WordFinder>();

/**
 * A name that makes its bearer look like somebody in charge, or like the AI that answers.
 * @param replyName how the AI is called on this site; null where nobody answers
 */
export function checkName(fields: readonly Field[], policy: Policy, replyName: string | null): Finding[] {
  let find = finders.get(policy);
  if (!find) {
    find = wordFinder(policy.reserved_names);
    finders.set(policy, find);
  }
  const name = fields.find((field) => field.name === 'author.name');
  if (!name) return [];
  const isTheAi = replyName !== null && foldKey(name.plain.text) === foldKey(replyName);
  if (!isTheAi && !find(name).length) return [];
  return [{ code: 'reserved_name', evidence: excerpt(name.text), rule: 'reserved_names', means: 'review' }];
}
