import type { Policy } from '../policy.ts';
import { excerpt, type Finding, type Subject } from './finding.ts';

/** Too short or too long, in code points, spaces around not counted. */
export function checkLength({ content }: Subject, { min_length, max_length }: Policy): Finding[] {
  const length = [...content.trim()].length;
  const found = (code: string): Finding[] => [{ code, evidence: excerpt(content), rule: 'length', means: 'reject' }];
  if (length < min_length) return found('too_short');
  if (length > max_length) return found('too_long');
  return [];
}
