import { z } from 'zod';
import { CodedError } from '../errors/coded-error.ts';
import type { AskModel } from '../models/index.ts';
import { audit, type Case, type Reason, type Verdict } from './audit.ts';
import { failedVerdict } from './audit-failure.ts';
import type { Policy } from './policy.ts';
import type { Facts } from './rules/index.ts';
import { contentKey } from './submission.ts';

/** One comment that is only judged, not kept: as `moderate` reads it. */
const lineSchema = z.object({
  id: z.union([z.string(), z.number()]).nullish(),
  content: z.string(),
  author: z.object({ name: z.string().nullish(), url: z.string().nullish() }).nullish(),
  context: z.object({ article_title: z.string().nullish(), parent_content: z.string().nullish() }).nullish(),
});
type Line = z.output<typeof lineSchema>;

export interface Judged {
  readonly id: string | number | null;
  readonly decision: Verdict['decision'];
  readonly reasons: readonly Reason[];
  readonly by: Verdict['by'];
  readonly model: string | null;
}

export const COMMENT_INVALID = 'comments.invalid';

/** Judges comments of one file, one after the other; the same text by the same author again is known from the lines before. */
export interface LineAuditor {
  /**
   * @returns the result, and the failure of the model where there was one: then a person decides
   * @throws CodedError `comments.invalid` (detail: field)
   */
  judge(input: unknown): Promise<{ readonly judged: Judged; readonly failure: CodedError | null }>;
}

/** @param ask null: by rules alone */
export function lineAuditor(policy: Policy, ask: AskModel | null): LineAuditor {
  const authors = new Map<string, { readonly name: string; readonly article: string }[]>();
  const factsOf = ({ content, author, context }: Line): Facts => {
    const key = contentKey(content);
    const before = authors.get(key) ?? [];
    const me = { name: author?.name ?? '', article: context?.article_title ?? '' };
    // Who gives no name may be anybody.
    const own = before.filter(({ name }) => name !== '' && name === me.name);
    authors.set(key, [...before, me]);
    return {
      sameByAuthorHere: own.filter(({ article }) => article === me.article).length,
      sameByAuthor: own.length,
      sameByOthers: before.length - own.length,
      recentByAuthor: 0,
    };
  };
  return {
    judge: async (input) => {
      const line = parseLine(input);
      const of = caseOf(line, factsOf(line));
      const id = line.id ?? null;
      try {
        return { judged: { id, ...(await audit(of, policy, ask)) }, failure: null };
      } catch (error) {
        if (!(error instanceof CodedError)) throw error;
        return { judged: { id, ...failedVerdict(error.code) }, failure: error };
      }
    },
  };
}

function parseLine(input: unknown): Line {
  const parsed = lineSchema.safeParse(input);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  const field = issue.path.join('.');
  throw new CodedError(COMMENT_INVALID, 'permanent', `${field}: ${issue.message}`, { detail: { field } });
}

function caseOf({ content, author, context }: Line, facts: Facts): Case {
  return {
    subject: { content, authorName: author?.name ?? '', authorUrl: author?.url || null },
    context: {
      articleTitle: context?.article_title || null,
      articleSummary: null,
      parentContent: context?.parent_content || null,
    },
    facts,
    replyName: null,
  };
}
