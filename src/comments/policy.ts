import { z } from '@hono/zod-openapi';
import { CodedError } from '../errors/coded-error.ts';
import { foldKey } from '../text/fold.ts';
import { isStorable, NOT_STORABLE } from '../text/storable.ts';

const text = (most: number) => z.string().trim().min(1).max(most).refine(isStorable, NOT_STORABLE);

/** Of a word, only what folds to something can be found. There are no patterns: a word is looked for as it is written. */
const word = text(100).refine((value) => foldKey(value) !== '', 'consists of spaces, joiners or hyphens alone');

const wordList = z.strictObject({
  id: text(64),
  words: z.array(word).max(20_000),
  /** What a hit means: rejected at once, or shown to a person. */
  means: z.enum(['reject', 'review']).default('review'),
});

/** How comments are audited. Lengths are in code points. */
export const policySchema = z.strictObject({
  id: text(64).default('default'),
  /** What no rule decides, without a model: held for a person, or approved. */
  without_model: z.enum(['hold', 'rules']).default('hold'),
  /** What the model is to judge by, beside what is said to it in any case. */
  guidelines: text(8000).optional(),
  /** The model that audits; left out: the one called `default`, else the first; `rules` for none. */
  model: text(63).optional(),
  min_length: z.int().min(0).max(1000).default(1),
  max_length: z.int().min(1).max(10_000).default(5000),
  /** More links than that are shown to a person. */
  max_links: z.int().min(0).max(100).default(2),
  /** More mentions (@somebody) than that are shown to a person. */
  max_mentions: z.int().min(0).max(1000).default(10),
  /** Addresses below these domains are rejected. */
  blocked_domains: z.array(text(253)).max(5000).default([]),
  word_lists: z.array(wordList).max(50).default([]),
  /** Names that nobody but the owner goes by. */
  reserved_names: z
    .array(word)
    .max(500)
    .default(['admin', 'administrator', 'moderator', 'webmaster', '管理员', '站长', '博主', '版主', '官方']),
  /** The same text again: by the same author within so many hours it is rejected. */
  duplicate_hours: z.int().min(0).max(720).default(24),
  /** More comments by one author than that within ten minutes are shown to a person. */
  per_ten_minutes: z.int().min(1).max(10_000).default(100),
});

export type Policy = z.infer<typeof policySchema>;

export const POLICIES_SECTION = 'comments.policies';
export const NO_POLICIES = { items: [] };
export const POLICIES_INVALID = 'comments.policies_invalid';

/** What holds where nothing is configured. */
export const DEFAULT_POLICY: Policy = policySchema.parse({});

/** Throws `comments.policies_invalid` naming the field. */
export function parsePolicy(input: unknown): Policy {
  const parsed = policySchema.safeParse(input ?? {});
  if (!parsed.success) throw new CodedError(POLICIES_INVALID, 'permanent', z.prettifyError(parsed.error));
  return parsed.data;
}

/** The policies by id. Throws `comments.policies_invalid` naming the field, or the id that stands twice. */
export function parsePolicies(content: unknown): ReadonlyMap<string, Policy> {
  const parsed = z.strictObject({ items: z.array(policySchema).max(100) }).safeParse(content);
  if (!parsed.success) throw new CodedError(POLICIES_INVALID, 'permanent', z.prettifyError(parsed.error));
  const policies = new Map<string, Policy>();
  for (const policy of parsed.data.items) {
    if (policies.has(policy.id)) {
      throw new CodedError(POLICIES_INVALID, 'permanent', `two policies have the id '${policy.id}'`);
    }
    policies.set(policy.id, policy);
  }
  return policies;
}

/** The policy of that id, or the default one where it is nowhere: a misspelt id must not let everything through. */
export const findPolicy = (policies: ReadonlyMap<string, Policy>, id: string): Policy =>
  policies.get(id) ?? policies.get(DEFAULT_POLICY.id) ?? DEFAULT_POLICY;
