import type { Database, Queryable } from '../storage/database.ts';
import { holdDocument } from './decide-document.ts';

/** How long a person may be at work on a document before it is free again, in minutes. */
const CLAIM_MINUTES = 30;

export interface Claimed {
  readonly id: string;
  readonly until: Date;
}

/**
 * Takes one document for a person: until the time is over nobody else decides about it. Taken again, the time begins anew.
 * @throws CodedError `documents.unknown`, `documents.gone`, `documents.claimed` (detail: by, until)
 */
export function claimDocument(database: Database, id: string, actorId: string): Promise<Claimed> {
  return database.transaction(async (tx) => {
    await holdDocument(tx, id, actorId);
    return take(tx, id, actorId);
  });
}

/** Takes the one that has waited longest in review and that nobody has; null when there is none. */
export function claimNext(database: Database, actorId: string): Promise<Claimed | null> {
  return database.transaction(async (tx) => {
    const { rows } = await tx.query<{ id: string }>(
      `select id from documents_document
        where state = 'in_review' and (claimed_until is null or claimed_until <= now_here() or claimed_by = $1)
        order by state_since, id limit 1 for no key update skip locked`,
      [actorId],
    );
    return rows[0] ? take(tx, rows[0].id, actorId) : null;
  });
}

/** Gives it back. Throws as `claimDocument` does. */
export function releaseDocument(database: Database, id: string, actorId: string): Promise<void> {
  return database.transaction(async (tx) => {
    await holdDocument(tx, id, actorId);
    await tx.query('update documents_document set claimed_by = null, claimed_until = null where id = $1', [id]);
  });
}

async function take(on: Queryable, id: string, actorId: string): Promise<Claimed> {
  const { rows } = await on.query<Claimed>(
    `update documents_document set claimed_by = $2, claimed_until = now_here() + $3 * interval '1 minute'
      where id = $1 returning id, claimed_until as until`,
    [id, actorId, CLAIM_MINUTES],
  );
  return rows[0]!;
}
