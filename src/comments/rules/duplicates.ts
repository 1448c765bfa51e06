import { excerpt, type Facts, type Finding, type Subject } from './finding.ts';

/** A text that short, many write by themselves. */
const TELLING = 20;
/** So many others who wrote the same are a wave. */
const WAVE = 3;

/**
 * The same text again: by the same author in the same article it is one comment too many; elsewhere, or by others, a person
 * looks if it is long enough to tell something.
 */
export function checkDuplicates({ content }: Subject, facts: Facts): Finding[] {
  const evidence = excerpt(content);
  if (facts.sameByAuthorHere > 0) return [{ code: 'duplicate', evidence, rule: 'duplicates', means: 'reject' }];
  const isTelling = [...content.trim()].length >= TELLING;
  if (isTelling && (facts.sameByAuthor > 0 || facts.sameByOthers >= WAVE)) {
    return [{ code: 'repeated', evidence, rule: 'duplicates', means: 'review' }];
  }
  return [];
}
