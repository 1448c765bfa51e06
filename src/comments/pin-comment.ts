import type { PgBoss } from 'pg-boss';
import type { Machine } from '../core/machine.ts';
import { recordNotes } from '../core/note.ts';
import { CodedError } from '../errors/coded-error.ts';
import type { Database } from '../storage/database.ts';
import { goneComment, holdComment, unknownComment } from './comment.ts';
import { commentMachine } from './machine.ts';
import { startAnew } from './outstanding.ts';

export const NOT_A_THREAD = 'comments.pin_invalid';

/**
 * Puts a thread before all others, or back among them. Whether anybody sees it is decided elsewhere.
 * @throws CodedError `comments.comment_unknown`, `comments.gone`, `comments.pin_invalid` (a reply)
 */
export async function pinComment(
  { database, boss }: { readonly database: Database; readonly boss: PgBoss },
  id: string,
  pinned: boolean,
): Promise<void> {
  await database.transaction(async (tx) => {
    const comment = await holdComment(tx, id);
    if (!comment) throw unknownComment();
    if (comment.state === 'DELETED') throw goneComment();
    if (comment.parentId !== null) throw new CodedError(NOT_A_THREAD, 'permanent', 'only a whole thread can be pinned');
    if (comment.pinned === pinned) return;
    await tx.query('update comments_comment set pinned = $2 where id = $1', [id, pinned]);
    const reason = pinned ? 'comments.pinned' : 'comments.unpinned';
    await recordNotes(tx, commentMachine as unknown as Machine, [{ item: id, actor: 'human', reason }]);
    await startAnew(tx, boss, comment);
  });
}
