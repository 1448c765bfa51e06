import type { Policy } from '../policy.ts';
import { checkDuplicates } from './duplicates.ts';
import { type Facts, type Finding, fieldsOf, type Subject } from './finding.ts';
import { checkLength } from './length.ts';
import { checkLinks } from './links.ts';
import { checkRate } from './rate.ts';
import { checkName } from './reserved-names.ts';
import { checkSpeaking } from './speaks-to-model.ts';
import { checkWords } from './words.ts';

/** Everything that the cheap rules find: all of it, so that a person sees every reason. */
export function applyRules(subject: Subject, policy: Policy, facts: Facts, replyName: string | null): Finding[] {
  const fields = fieldsOf(subject);
  return [
    ...checkLength(subject, policy),
    ...checkDuplicates(subject, facts),
    ...checkRate(facts, policy),
    ...checkLinks(fields, policy),
    ...checkWords(fields, policy),
    ...checkName(fields, policy, replyName),
    ...checkSpeaking(fields),
  ];
}

export { excerpt, type Facts, type Finding, NO_FACTS, type Subject } from './finding.ts';
export { linksIn } from './links.ts';
export { speaksToModel } from './speaks-to-model.ts';
