import type { CommentState } from './machine.ts';

/** The states in which everybody sees a comment. */
export const VISIBLE_STATES = [
  'APPROVED',
  'AI_REPLYING',
  'AI_REPLIED',
  'AI_REPLY_FAILED',
] as const satisfies readonly CommentState[];

export const isVisibleState = (state: string): boolean => (VISIBLE_STATES as readonly string[]).includes(state);

/**
 * The one predicate of every list, count, feed, locate, notice and export: whether everybody sees the comment `c` (an alias
 * of comments_comment). An AI reply is withdrawn with what it answers.
 */
export const isVisible = (c: string): string =>
  `(${c}.state in (${VISIBLE_STATES.map((state) => `'${state}'`).join(', ')}) and ${c}.withdrawn_at is null)`;

/** Whether `c` has a place in its thread: it is visible, or a visible reply stands below it and it is its tombstone. */
export const isListed = (c: string): string =>
  `(${isVisible(c)} or exists (
     select from comments_comment below where below.thread_id = ${c}.thread_id and ${c}.id = any(below.path) and ${isVisible('below')}))`;
