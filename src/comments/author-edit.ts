import type { PgBoss } from 'pg-boss';
import { decide } from '../core/decide.ts';
import type { Machine } from '../core/machine.ts';
import { recordEvents } from '../core/outbox.ts';
import { CodedError } from '../errors/coded-error.ts';
import { closeDeadLetters } from '../jobs/dead-letter.ts';
import { enqueue } from '../jobs/enqueue.ts';
import type { Database, Tx } from '../storage/database.ts';
import { type Comment, goneComment, holdComment, unknownComment } from './comment.ts';
import { deleteComment } from './delete-comment.ts';
import { withdrawnEvent } from './events.ts';
import { commentMachine } from './machine.ts';
import { AUDIT_STAGE } from './post-comment.ts';
import { withdrawReply } from './reply-sight.ts';
import type { Site } from './site.ts';
import { tokenHash } from './status-token.ts';
import { contentKey, type Edit } from './submission.ts';
import { isVisibleState } from './visible.ts';

export const EDIT_CLOSED = 'comments.edit_closed';

export interface EditDeps {
  readonly database: Database;
  readonly boss: PgBoss;
}

/** The author of a comment, by the token that was given to them alone. */
export interface ByAuthor {
  readonly id: string;
  readonly token: string;
  readonly sites: ReadonlyMap<string, Site>;
}

export interface Edited {
  readonly id: string;
  readonly state: string;
  /** True where it waits for a person and what is stored stays as it is: a person had rejected it. */
  readonly draft: boolean;
}

/**
 * Takes an author's edit: the new content version, its audit, and what follows from it (the AI reply is withdrawn) are one
 * transaction. What a person rejected is not rewritten: the edit becomes a draft in the queue.
 * @throws CodedError `comments.comment_unknown` (no such comment, or not this token's), `comments.gone`,
 * `comments.edit_closed` (the site's window is over)
 */
export async function editComment({ database, boss }: EditDeps, author: ByAuthor, edit: Edit): Promise<Edited> {
  return database.transaction(async (tx) => {
    const comment = await holdOwn(tx, author);
    const { id, state } = comment;
    const wanted = {
      content: edit.content ?? comment.content,
      name: edit.author?.name ?? comment.authorName,
      url: edit.author && 'url' in edit.author ? (edit.author.url ?? null) : comment.authorUrl,
    };
    if (wanted.content === comment.content && wanted.name === comment.authorName && wanted.url === comment.authorUrl) {
      return { id, state, draft: false };
    }
    if (state === 'REJECTED' && comment.decidedCv === comment.contentVersion) {
      await keepDraft(tx, comment, wanted);
      return { id, state, draft: true };
    }
    const isOwner = comment.authorKind === 'owner';
    const to = state === 'PENDING' || isOwner ? null : 'PENDING';
    const decided = await decideAsAuthor(tx, comment, to, 'comments.edited', true);
    await replaceContent(tx, comment, wanted);
    await closeDeadLetters(tx, [id], AUTHOR);
    if (!isOwner) {
      const data = { item: id, cv: decided.contentVersion, cause: 'edit' };
      await enqueue(tx, boss, [{ queue: AUDIT_STAGE, data }]);
    }
    const replyEvents = await withdrawReply(tx, id, 'author', 'live');
    const leaves = isVisibleState(state) && !isVisibleState(decided.state);
    await recordEvents(tx, [...(leaves ? [withdrawnEvent(comment, 'live')] : []), ...replyEvents]);
    return { id, state: decided.state, draft: false };
  });
}

/** Deletes it on its author's wish. Throws what `editComment` throws. */
export async function deleteOwnComment({ database }: Pick<EditDeps, 'database'>, author: ByAuthor): Promise<void> {
  await database.transaction(async (tx) => {
    const comment = await holdOwn(tx, author);
    const by = { actor: 'author', actorId: AUTHOR, expectedRevision: comment.revision } as const;
    const refused = await deleteComment(tx, comment, by);
    if (refused) throw refused;
  });
}

/** Who is meant is known from the item: its journal names nobody. */
const AUTHOR = 'author';

async function holdOwn(tx: Tx, { id, token, sites }: ByAuthor): Promise<Comment> {
  const comment = await holdComment(tx, id);
  const { rows } = await tx.query<{ open_s: number }>(
    `select extract(epoch from now_here() - created_at)::float8 as open_s from comments_comment
      where id = $1 and status_token_hash = $2`,
    [id, tokenHash(token)],
  );
  if (!comment || !rows[0]) throw unknownComment();
  if (comment.state === 'DELETED') throw goneComment();
  const window = sites.get(comment.site)?.edit_window_s ?? 0;
  if (rows[0].open_s > window) {
    throw new CodedError(EDIT_CLOSED, 'permanent', `a comment can be changed for ${window} seconds`);
  }
  return comment;
}

interface Wanted {
  readonly content: string;
  readonly name: string;
  readonly url: string | null;
}

async function keepDraft(tx: Tx, comment: Comment, { content, name, url }: Wanted): Promise<void> {
  await decideAsAuthor(tx, comment, null, 'comments.drafted', false);
  await tx.query(
    `insert into comments_draft (comment, content, author_name, author_url, at) values ($1, $2, $3, $4, now_here())
     on conflict (comment) do update
        set content = excluded.content, author_name = excluded.author_name, author_url = excluded.author_url, at = excluded.at`,
    [comment.id, content, name, url],
  );
}

async function decideAsAuthor(tx: Tx, comment: Comment, to: string | null, reason: string, newContent: boolean) {
  const decided = await decide(tx, commentMachine as unknown as Machine, {
    ...{ item: comment.id, expectedRevision: comment.revision, to, actor: 'author', actorId: AUTHOR },
    ...{ reason, newContent },
  });
  if (decided instanceof CodedError) throw decided;
  return decided;
}

/** What it said before is kept under its content version. */
export async function replaceContent(tx: Tx, before: Comment, { content, name, url }: Wanted): Promise<void> {
  await tx.query(
    `insert into comments_content (comment, content_version, content, author_name, author_url, replaced_at)
     values ($1, $2, $3, $4, $5, now_here())`,
    [before.id, before.contentVersion, before.content, before.authorName, before.authorUrl],
  );
  await tx.query(
    `update comments_comment
        set content = $2, author_name = $3, author_url = $4, content_key = $5, edited_at = now_here(),
            reply_wanted = author_kind = 'visitor', taken_from = null
      where id = $1`,
    [before.id, content, name, url, contentKey(content)],
  );
  await tx.query('delete from comments_suggestion where comment = $1', [before.id]);
}
