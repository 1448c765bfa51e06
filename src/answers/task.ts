import { createHash } from 'node:crypto';
import { z } from 'zod';
import { CodedError } from '../errors/coded-error.ts';
import { isStorable, NOT_STORABLE } from '../text/storable.ts';

/** A name or reference, which is stored and compared as it stands. */
const name = (most: number) => z.string().min(1).max(most).refine(isStorable, NOT_STORABLE);
const id64 = name(64);

/** PostgreSQL knows the years 1 to 9999 as RFC 3339 writes them, and no offset beyond 15 hours. */
const instant = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text).toISOString())
  .refine((text) => /^\d{4}-/.test(text) && !text.startsWith('0000'), 'is not in the years 1 to 9999');

/** An answer as it is handed in: text alone, or with what the platform said about it. */
export const answerSchema = z.union([
  z.string(),
  z.object({
    text: z.string(),
    reasoning: z.string().nullish(),
    citations: z.array(z.object({ url: z.string(), title: z.string().nullish() })).nullish(),
    finish_reason: z.string().nullish(),
    searched: z.boolean().nullish(),
  }),
]);

export type RawAnswer = z.infer<typeof answerSchema>;

/** The cleaning task of the specification, §3.1. `answer` or `raw_data_url` must be there. */
export const taskSchema = z
  .object({
    clean_task_id: id64,
    source_task_id: id64.optional(),
    batch_id: id64.default('default'),
    brand_name: name(100).trim().min(1).nullish(),
    brand_aliases: z.array(name(100).trim().min(1)).max(200).default([]),
    platform: name(30).default('unknown'),
    scene_type: name(30).default('UNKNOWN'),
    query_text: z.string().max(10_000).default(''),
    round: z.int32().min(1).default(1),
    raw_data_url: name(512).nullish(),
    max_clean_retries: z.int().min(0).max(20).default(2),
    created_at: instant.optional(),
    answer: answerSchema.nullish(),
  })
  .refine((task) => (task.answer ?? task.raw_data_url) != null, {
    error: 'answer or raw_data_url must be there',
    path: ['answer'],
  })
  .refine((task) => task.brand_name || !task.brand_aliases.length, {
    error: 'brand_aliases belong to a brand_name',
    path: ['brand_name'],
  });

export type CleanTask = z.infer<typeof taskSchema>;

export const TASK_INVALID = 'task.invalid';
export const TASK_CONFLICT = 'task.conflict';

/** Reads one task. Throws `task.invalid` (permanent; detail: field) naming the first field that is wrong. */
export function parseTask(input: unknown): CleanTask {
  const parsed = taskSchema.safeParse(input);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  const field = issue.path.join('.') || '(the task)';
  throw new CodedError(TASK_INVALID, 'permanent', `${field}: ${issue.message}`, { detail: { field } });
}

/**
 * Tells whether two tasks with one id are the same message again. The time of creation is left out: a producer
 * that sends again may stamp again.
 */
export function taskFingerprint({ created_at: _stamp, ...content }: CleanTask): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}
