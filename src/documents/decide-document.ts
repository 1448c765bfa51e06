import type { PgBoss } from 'pg-boss';
import { decide } from '../core/decide.ts';
import type { Machine } from '../core/machine.ts';
import { type NewEvent, recordEvents } from '../core/outbox.ts';
import { CodedError } from '../errors/coded-error.ts';
import { enqueue } from '../jobs/enqueue.ts';
import type { Database, Tx } from '../storage/database.ts';
import { type Document, loadDocuments } from './document.ts';
import type { DocumentTypeRule } from './document-types.ts';
import { documentMachine } from './machine.ts';
import { STAGE_OF_STATE } from './put-back.ts';
import { saveShown } from './save-shown.ts';
import type { Shown } from './shown.ts';

export interface DecideDeps {
  readonly database: Database;
  readonly boss: PgBoss;
  /** The types as they are now. */
  readonly types: readonly DocumentTypeRule[];
}

export interface Asked {
  readonly id: string;
  readonly expectedRevision: number;
  readonly actorId: string;
  /** What the person typed. */
  readonly remark?: string | null;
}

/** What a decision makes of a document. */
export interface Verdict {
  /** A code for the journal. */
  readonly reason: string;
  /** The state to go to; null: where it is. A working state begins a new content version and enqueues its step. */
  readonly to: string | null;
  readonly shown: Shown;
  readonly events?: readonly NewEvent[];
}

export const DOCUMENT_UNKNOWN = 'documents.unknown';
export const DOCUMENT_GONE = 'documents.gone';
export const CLAIMED = 'documents.claimed';

export const unknownDocument = (id: string): CodedError =>
  new CodedError(DOCUMENT_UNKNOWN, 'permanent', `there is no document ${id}`);
export const goneDocument = (id: string): CodedError =>
  new CodedError(DOCUMENT_GONE, 'permanent', `document ${id} was deleted`);

/**
 * Takes a person's decision about one document: what it makes of it, the journal, the new revision, what is shown, work
 * that follows and events are one transaction. Whatever a machine worked out before it is superseded.
 * @param judge says what the decision makes of the document as it is now, its row being held; throws to refuse it
 * @returns the revision since
 * @throws CodedError `documents.unknown`, `documents.gone`, `documents.claimed` (detail: by, until), `core.revision_stale`
 * and `core.edge_missing` (journalled), and what `judge` throws
 */
export async function decideDocument(
  deps: DecideDeps,
  asked: Asked,
  judge: (document: Document, now: Date) => Verdict,
): Promise<{ readonly revision: number; readonly state: string }> {
  const outcome = await deps.database.transaction((tx) => take(tx, deps, asked, judge));
  // A refused decision is journalled, so it is not thrown before its transaction has committed.
  if (outcome instanceof CodedError) throw outcome;
  return outcome;
}

async function take(
  tx: Tx,
  { boss }: DecideDeps,
  { id, expectedRevision, actorId, remark }: Asked,
  judge: (document: Document, now: Date) => Verdict,
): Promise<{ revision: number; state: string } | CodedError> {
  const { document, now } = await holdDocument(tx, id, actorId);
  const { reason, to, shown, events = [] } = document.revision === expectedRevision ? judge(document, now) : STALE;
  const stage = to === null ? undefined : STAGE_OF_STATE[to];
  const decided = await decide(tx, documentMachine as unknown as Machine, {
    ...{ item: id, expectedRevision, to: to === document.state ? null : to, actor: 'human', actorId, reason },
    remark: remark ?? null,
    newContent: stage !== undefined,
  });
  if (decided instanceof CodedError) return decided;
  await saveShown(tx, [{ document: id, shown, actor: 'human', actorId, cause: reason }]);
  await tx.query(
    `update documents_document
        set decided_at = now_here(),
            claimed_by = case when state = 'in_review' then claimed_by end,
            claimed_until = case when state = 'in_review' then claimed_until end
      where id = $1`,
    [id],
  );
  if (stage !== undefined) {
    const data = { item: id, cv: decided.contentVersion, cause: 'live', lane: 'people' as const };
    await enqueue(tx, boss, [{ queue: stage, data }]);
  }
  await recordEvents(tx, events);
  return { revision: decided.revision, state: decided.state };
}

/** Stands for what is never looked at: the decision is refused by its revision. */
const STALE: Verdict = {
  reason: 'documents.decided',
  to: null,
  shown: undefined as never,
};

/** The document with its row held for this transaction; refuses one that is gone or that somebody else has claimed. */
export async function holdDocument(tx: Tx, id: string, actorId: string): Promise<{ document: Document; now: Date }> {
  const { rows } = await tx.query<{ by: string | null; until: Date | null; claimed: boolean; now: Date }>(
    `select claimed_by as by, claimed_until as until, coalesce(claimed_until > now_here(), false) as claimed, now_here() as now
       from documents_document where id = $1 for no key update`,
    [id],
  );
  const [document] = rows[0] ? await loadDocuments(tx, [id]) : [];
  if (!rows[0] || !document) throw unknownDocument(id);
  if (document.state === 'deleted') throw goneDocument(id);
  const { by, until, claimed, now } = rows[0];
  if (claimed && by !== actorId) {
    throw new CodedError(CLAIMED, 'permanent', 'somebody else is at work on it', { detail: { by, until } });
  }
  return { document, now };
}
