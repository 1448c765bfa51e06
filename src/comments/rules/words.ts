import type { Policy } from '../policy.ts';
import { type WordFinder, wordFinder } from './find-words.ts';
import { excerpt, type Field, type Finding } from './finding.ts';

const finders = new WeakMap<Policy, readonly { readonly id: string; means: Finding['means']; find: WordFinder }[]>();

/** Words of the policy's lists, in every public field. */
export function checkWords(fields: readonly Field[], policy: Policy): Finding[] {
  let lists = finders.get(policy);
  if (!lists) {
    lists = policy.word_lists.map(({ id, means, words }) => ({ id, means, find: wordFinder(words) }));
    finders.set(policy, lists);
  }
  return lists.flatMap(({ id, means, find }) =>
    fields.flatMap((field) =>
      find(field).map(({ start, end }) => ({
        ...{ code: 'word', rule: `words:${id}`, means },
        evidence: excerpt(field.text.slice(start, end)),
      })),
    ),
  );
}
