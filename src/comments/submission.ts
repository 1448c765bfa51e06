import { createHash } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import { foldKey } from '../text/fold.ts';
import { isStorable, NOT_STORABLE } from '../text/storable.ts';
import { undisguise } from '../text/undisguise.ts';

/** Code points that a comment may have at the most; a policy may want fewer. */
export const MAX_CONTENT = 10_000;

const codePoints = (text: string): number => [...text].length;
const stored = z.string().refine(isStorable, NOT_STORABLE);
/** Line breaks and other control characters in a name serve nobody but those who want to look like somebody else. */
const oneLine = stored.refine((text) => !/[\p{Cc}\u2028\u2029]/u.test(text), 'holds control characters');
/** Forms send empty fields. */
const absentIfEmpty = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (value === '' || value === null ? undefined : value), schema.optional());

export const nameSchema = oneLine.trim().min(1).max(80);
export const contentSchema = stored
  .refine((text) => text.trim() !== '', 'is empty')
  .refine((text) => codePoints(text) <= MAX_CONTENT, `has more than ${MAX_CONTENT} characters`);
export const urlSchema = absentIfEmpty(
  oneLine
    .trim()
    .max(500)
    .refine((text) => URL.canParse(text) && /^https?:\/\//i.test(text), 'an address that begins with http(s)://'),
);
export const idSchema = oneLine.trim().min(1).max(200);

export const authorSchema = z.strictObject({
  name: nameSchema,
  email: absentIfEmpty(z.email().max(254).toLowerCase()),
  url: urlSchema,
});

/** What somebody who comments sends. */
export const submissionSchema = z.strictObject({
  site: z.string().min(1).max(64),
  article_id: idSchema,
  parent_id: absentIfEmpty(z.uuid()),
  author: authorSchema,
  content: contentSchema,
});
export type Submission = z.output<typeof submissionSchema>;

/** What an author may change; at least one of it. */
export const editSchema = z.strictObject({
  content: contentSchema.optional(),
  author: z.strictObject({ name: nameSchema.optional(), url: urlSchema }).optional(),
  status_token: z.string().max(200).optional(),
});
export type Edit = z.output<typeof editSchema>;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The same for the same submission: what comes again under its Idempotency-Key is told from something else. */
export const fingerprintOf = ({ site, article_id, parent_id, author, content }: Submission): string =>
  sha256(JSON.stringify([site, article_id, parent_id ?? null, author.name, author.email, author.url, content]));

/** The same for texts that read the same: case, width, spaces, disguises apart. What folds to nothing is its own key. */
export function contentKey(content: string): string {
  const plain = undisguise(content).text;
  return sha256(foldKey(plain) || plain.trim());
}
