import { decide } from '../core/decide.ts';
import type { Machine } from '../core/machine.ts';
import { CodedError } from '../errors/coded-error.ts';
import { closeDeadLetters } from '../jobs/dead-letter.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { REPLY_STAGE } from './begin-reply.ts';
import { holdForPerson } from './claim-comment.ts';
import type { DecideDeps, DecidedComment } from './decide-comment.ts';
import { commentMachine } from './machine.ts';

/** Has AI try a reply that failed once more; the audit stays as it was. Throws what `decideComment` throws. */
export async function retryReply(
  { database, boss }: Pick<DecideDeps, 'database' | 'boss'>,
  wanted: { readonly id: string; readonly expectedRevision: number; readonly actorId: string },
): Promise<DecidedComment> {
  const { id, expectedRevision, actorId } = wanted;
  const outcome = await database.transaction(async (tx) => {
    await holdForPerson(tx, id, actorId);
    const decided = await decide(tx, commentMachine as unknown as Machine, {
      ...{ item: id, expectedRevision, to: 'AI_REPLYING', actor: 'human', actorId, reason: 'comments.reply_again' },
    });
    if (decided instanceof CodedError) return decided;
    await closeDeadLetters(tx, [id], actorId);
    const data = { item: id, cv: decided.contentVersion, cause: 'live', lane: 'people' as const };
    await enqueue(tx, boss, [{ queue: REPLY_STAGE, data }]);
    return { id, state: decided.state, revision: decided.revision };
  });
  if (outcome instanceof CodedError) throw outcome;
  return outcome;
}
