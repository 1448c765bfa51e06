import type { PgBoss } from 'pg-boss';
import type { NewId } from '../core/ids.ts';
import { recordBirths } from '../core/journal.ts';
import type { Machine } from '../core/machine.ts';
import { recordEvents } from '../core/outbox.ts';
import { CodedError } from '../errors/coded-error.ts';
import { enqueue } from '../jobs/enqueue.ts';
import type { Database, Tx } from '../storage/database.ts';
import { holdComment } from './comment.ts';
import { publishedEvent } from './events.ts';
import { commentMachine } from './machine.ts';
import { newStatusToken, tokenHash } from './status-token.ts';
import { contentKey, fingerprintOf, type Submission } from './submission.ts';
import { isVisible } from './visible.ts';

export const AUDIT_STAGE = 'comments.audit';

/** How long an Idempotency-Key is kept, in hours. */
export const KEY_HOURS = 48;
/** Ancestors that a comment may have. */
const DEEPEST = 100;

export const PARENT_UNKNOWN = 'comments.parent_unknown';
export const PARENT_HIDDEN = 'comments.parent_hidden';
export const TOO_DEEP = 'comments.thread_too_deep';
export const KEY_REUSED = 'request.key_reused';

export interface PostDeps {
  readonly database: Database;
  readonly boss: PgBoss;
  readonly newId: NewId;
}

/** Who posts, beside what they say of themselves. */
export interface Poster {
  /** The owner's or a moderator's id, of one who has shown a key; null for everybody else. */
  readonly ownerId: string | null;
  readonly addressHash: string | null;
}

export interface Posted {
  readonly id: string;
  readonly status_token: string;
  readonly state: string;
}

/**
 * Takes a comment in: its row, the first line of its journal and the job of its audit are one transaction. The owner's is
 * shown at once. The same request under the same Idempotency-Key is answered as before and changes nothing.
 * @param key the Idempotency-Key; null where none was sent
 * @returns the answer, and whether the comment is new
 * @throws CodedError `request.key_reused` (another body under the same key), `comments.parent_unknown`,
 * `comments.parent_hidden`, `comments.thread_too_deep`
 */
export async function postComment(
  { database, boss, newId }: PostDeps,
  submission: Submission,
  key: string | null,
  poster: Poster,
): Promise<{ readonly answer: Posted; readonly isNew: boolean }> {
  return database.transaction(async (tx) => {
    const before = key === null ? null : await holdKey(tx, submission, key);
    if (before) return { answer: before, isNew: false };
    const id = newId();
    const { threadId, path } = await placeOf(tx, submission, id);
    const token = newStatusToken();
    const isOwner = poster.ownerId !== null;
    const state = isOwner ? 'APPROVED' : 'PENDING';
    const { site, article_id, parent_id, author, content } = submission;
    await tx.query(
      `insert into comments_comment (id, state, version, state_since, site, article_id, parent_id, thread_id, path, author_kind,
              author_name, author_email, author_url, address_hash, content, content_key, status_token_hash, created_at,
              reply_wanted, published_at)
       values ($1, $2, 1, now_here(), $3, $4, $5, $6, $7::uuid[], $8, $9, $10, $11, $12, $13, $14, $15, now_here(), $16,
               case when $17 then now_here() end)`,
      [
        ...[id, state, site, article_id, parent_id ?? null, threadId, path, isOwner ? 'owner' : 'visitor'],
        ...[author.name, author.email ?? null, author.url ?? null, poster.addressHash, content, contentKey(content)],
        ...[tokenHash(token), !isOwner, isOwner],
      ],
    );
    await recordBirths(tx, commentMachine as unknown as Machine, [
      { item: id, state, actor: isOwner ? 'human' : 'author', actorId: poster.ownerId },
    ]);
    if (isOwner) {
      const comment = (await holdComment(tx, id))!;
      await recordEvents(tx, [publishedEvent({ ...comment, publishedAt: null }, 'live')]);
    } else {
      await enqueue(tx, boss, [{ queue: AUDIT_STAGE, data: { item: id, cv: 1, cause: 'live' } }]);
    }
    const answer = { id, status_token: token, state };
    if (key !== null) {
      await tx.query('update comments_request set answer = $3::jsonb where site = $1 and key = $2', [
        ...[site, key, JSON.stringify(answer)],
      ]);
    }
    return { answer, isNew: true };
  });
}

/** Takes the key, or tells what was answered under it. Two requests at once take turns at its row. */
async function holdKey(tx: Tx, submission: Submission, key: string): Promise<Posted | null> {
  const fingerprint = fingerprintOf(submission);
  const taken = await tx.query(
    `insert into comments_request (site, key, fingerprint, created_at) values ($1, $2, $3, now_here())
     on conflict (site, key) do update set fingerprint = excluded.fingerprint, answer = null, created_at = excluded.created_at
      where comments_request.created_at < now_here() - interval '${KEY_HOURS} hours'`,
    [submission.site, key, fingerprint],
  );
  if (taken.rowCount === 1) return null;
  const { rows } = await tx.query<{ fingerprint: string; answer: Posted }>(
    'select fingerprint, answer from comments_request where site = $1 and key = $2',
    [submission.site, key],
  );
  if (rows[0]?.fingerprint === fingerprint) {
    // Stored JSON keeps no order, and the same answer is the same to the letter.
    const { id, status_token, state } = rows[0].answer;
    return { id, status_token, state };
  }
  const message = 'this Idempotency-Key was used for another comment';
  throw new CodedError(KEY_REUSED, 'permanent', message, { detail: { field: 'Idempotency-Key' } });
}

async function placeOf(
  tx: Tx,
  { site, article_id, parent_id }: Submission,
  id: string,
): Promise<{ threadId: string; path: readonly string[] }> {
  if (parent_id === undefined) return { threadId: id, path: [] };
  const { rows } = await tx.query<{ thread: string; path: string[]; visible: boolean }>(
    `select thread_id as thread, path, ${isVisible('c')} as visible from comments_comment c
      where id = $1 and site = $2 and article_id = $3`,
    [parent_id, site, article_id],
  );
  const parent = rows[0];
  if (!parent) throw new CodedError(PARENT_UNKNOWN, 'permanent', 'there is no such comment here to reply to');
  if (!parent.visible) throw new CodedError(PARENT_HIDDEN, 'permanent', 'the comment to reply to is no longer shown');
  if (parent.path.length >= DEEPEST) {
    throw new CodedError(TOO_DEEP, 'permanent', `a thread may be ${DEEPEST} replies deep`);
  }
  return { threadId: parent.thread, path: [...parent.path, parent_id] };
}

/** Forgets keys that are too old to be answered. */
export async function forgetKeys(database: Database): Promise<void> {
  await database.query(`delete from comments_request where created_at < now_here() - interval '${KEY_HOURS} hours'`);
}
