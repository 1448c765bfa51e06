import type { Policy } from '../policy.ts';
import type { Facts, Finding } from './finding.ts';

/** More comments by one author within ten minutes than people write. */
export function checkRate({ recentByAuthor }: Facts, { per_ten_minutes }: Policy): Finding[] {
  if (recentByAuthor < per_ten_minutes) return [];
  const evidence = `${recentByAuthor + 1} comments in ten minutes`;
  return [{ code: 'too_many', evidence, rule: 'rate', means: 'review' }];
}
