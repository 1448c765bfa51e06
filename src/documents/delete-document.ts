import { decide } from '../core/decide.ts';
import type { Machine } from '../core/machine.ts';
import { CodedError } from '../errors/coded-error.ts';
import { closeDeadLetters } from '../jobs/dead-letter.ts';
import { forgetAnswers } from '../models/index.ts';
import type { BlobStore } from '../storage/blobs/index.ts';
import type { Database, Tx } from '../storage/database.ts';
import { holdDocument } from './decide-document.ts';
import { blobKeyOf } from './document.ts';
import { documentMachine } from './machine.ts';

/**
 * Deletes a document: its file, texts, values and their history are gone, its place in the journal stays. Work that waits
 * for it ends `skipped`, and its content may come again.
 * @param expectedRevision null: whatever was said of it meanwhile
 * @throws CodedError `documents.unknown`, `documents.gone`, `documents.claimed`, `core.revision_stale`
 */
export async function deleteDocument(
  { database, blobs }: { readonly database: Database; readonly blobs: Pick<BlobStore, 'delete'> },
  { id, expectedRevision, actorId }: { id: string; expectedRevision: number | null; actorId: string },
): Promise<void> {
  const refused = await database.transaction(async (tx) => {
    const { document } = await holdDocument(tx, id, actorId);
    const decided = await decide(tx, documentMachine as unknown as Machine, {
      ...{ item: id, expectedRevision: expectedRevision ?? document.revision, to: 'deleted' },
      ...{ actor: 'human', actorId, reason: 'documents.deleted' },
    });
    if (decided instanceof CodedError) return decided;
    await eraseContent(tx, id, actorId);
    return null;
  });
  if (refused) throw refused;
  await blobs.delete(blobKeyOf(id));
}

/** What was in it and what was made of that, in the transaction that deletes it. The file goes after that has committed. */
export async function eraseContent(tx: Tx, id: string, actorId: string): Promise<void> {
  for (const table of ['text', 'field', 'version', 'suggestion']) {
    await tx.query(`delete from documents_${table} where document = $1`, [id]);
  }
  await tx.query(
    `update documents_document
        set file_name = '', type = null, type_by = null, model = null, confidence = null, fields_type = null,
            review_reasons = '{}', claimed_by = null, claimed_until = null
      where id = $1`,
    [id],
  );
  await forgetAnswers(tx, id);
  await closeDeadLetters(tx, [id], actorId);
}

const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** Removes files of documents that are not there (any more): what a process that died in the middle left behind. */
export async function sweepFiles(database: Database, blobs: Pick<BlobStore, 'list' | 'delete'>): Promise<number> {
  let removed = 0;
  for await (const key of blobs.list(blobKeyOf(''))) {
    const id = key.slice(blobKeyOf('').length);
    if (!UUID.test(id)) continue;
    // A file is put into the store before its document: one that is younger may still be on its way.
    const { rows } = await database.query<{ keep: boolean }>(
      `select exists (select from documents_document where id = $1::text::uuid and state <> 'deleted')
              or to_timestamp(('x' || substr(replace($1::text, '-', ''), 1, 12))::bit(48)::bigint / 1000.0)
                 > now_here() - interval '1 hour' as keep`,
      [id],
    );
    if (rows[0]?.keep !== false) continue;
    await blobs.delete(key);
    removed += 1;
  }
  return removed;
}
