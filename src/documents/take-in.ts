import { createHash } from 'node:crypto';
import type { PgBoss } from 'pg-boss';
import type { NewId } from '../core/ids.ts';
import { recordBirths } from '../core/journal.ts';
import type { Machine } from '../core/machine.ts';
import { move } from '../core/move.ts';
import { CodedError } from '../errors/coded-error.ts';
import { enqueue } from '../jobs/enqueue.ts';
import type { BlobStore } from '../storage/blobs/index.ts';
import type { Database, Tx } from '../storage/database.ts';
import { storable } from '../text/storable.ts';
import { DEFAULT_BUDGETS, tooLarge } from './budgets.ts';
import { eraseContent } from './delete-document.ts';
import { blobKeyOf } from './document.ts';
import { EXTRACT_TEXT } from './extract-text-stage.ts';
import { documentMachine } from './machine.ts';
import { refuseLocked } from './refuse-locked.ts';
import { mediaTypeOf, sniffType } from './sniff-type.ts';

export interface IncomingFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface TakenIn {
  readonly file: string;
  readonly outcome: 'stored' | 'known' | 'refused';
  /** Of the stored document, or of the one that has the same content. */
  readonly id: string | null;
  readonly error: CodedError | null;
}

export interface TakeInDeps {
  readonly database: Database;
  readonly boss: PgBoss;
  readonly newId: NewId;
  readonly blobs: BlobStore;
}

/** Where files come from. */
export type Source = 'api' | 'folder';

/**
 * Takes in files, each by itself: one that is refused, or known, is told of and its neighbours go on. Document, first line
 * of the journal and first job are one transaction; the file is in the store before. The same content is one document, by
 * whatever names and however often it comes; one that failed gives way to its content when that comes again.
 */
export async function takeIn(
  deps: TakeInDeps,
  files: readonly IncomingFile[],
  by: { readonly source: Source; readonly actorId: string },
): Promise<TakenIn[]> {
  const taken: TakenIn[] = [];
  for (const file of files) taken.push(await takeInOne(deps, file, by));
  return taken;
}

async function takeInOne(
  deps: TakeInDeps,
  { name, bytes }: IncomingFile,
  { source, actorId }: { readonly source: Source; readonly actorId: string },
): Promise<TakenIn> {
  const file = storable(name).slice(0, 500) || 'file';
  try {
    if (bytes.length > DEFAULT_BUDGETS.bytes) {
      throw tooLarge(`more than ${DEFAULT_BUDGETS.bytes} bytes`, { budget: 'bytes' });
    }
    const { type: kind } = await sniffType(bytes, file);
    await refuseLocked(bytes, kind);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const known = await knownAs(deps.database, sha256);
    if (known !== null) return { file, outcome: 'known', id: known, error: null };
    const id = deps.newId();
    await deps.blobs.put(blobKeyOf(id), bytes, { contentType: mediaTypeOf(kind) });
    const stored = await deps.database.transaction(async (tx) => {
      const gone = await giveWay(tx, sha256, actorId);
      const { rows } = await tx.query(
        `insert into documents_document (id, state, version, state_since, file_name, kind, sha256, bytes, source, taken_in_by, created_at)
         values ($1, 'uploaded', 1, now_here(), $2, $3, $4, $5, $6, $7, now_here())
         on conflict (sha256) where state <> 'deleted' do nothing returning id`,
        [id, file, kind, sha256, bytes.length, source, actorId],
      );
      if (!rows.length) return null;
      await recordBirths(tx, machine, [{ item: id, state: 'uploaded', actor: 'human', actorId }]);
      await enqueue(tx, deps.boss, [{ queue: EXTRACT_TEXT, data: { item: id, cv: 1, cause: 'live' } }]);
      return gone;
    });
    if (stored !== null) {
      for (const old of stored) await deps.blobs.delete(blobKeyOf(old));
      return { file, outcome: 'stored', id, error: null };
    }
    // Somebody else was faster with the same content.
    await deps.blobs.delete(blobKeyOf(id));
    return { file, outcome: 'known', id: await knownAs(deps.database, sha256), error: null };
  } catch (error) {
    if (!(error instanceof CodedError) || error.errorClass !== 'permanent') throw error;
    return { file, outcome: 'refused', id: null, error };
  }
}

const machine = documentMachine as unknown as Machine;

async function knownAs(on: Pick<Database, 'query'>, sha256: string): Promise<string | null> {
  const { rows } = await on.query<{ id: string }>(
    `select id from documents_document where sha256 = $1 and state not in ('deleted', 'failed')`,
    [sha256],
  );
  return rows[0]?.id ?? null;
}

/** What failed with this content is deleted: the content's next try is a new document. */
async function giveWay(tx: Tx, sha256: string, actorId: string): Promise<string[]> {
  const { rows } = await tx.query<{ id: string; version: number }>(
    `select id, version from documents_document where sha256 = $1 and state = 'failed' for no key update`,
    [sha256],
  );
  for (const { id, version } of rows) {
    const steps = [{ from: 'failed', to: 'deleted' }];
    await move(tx, machine, [{ item: id, version, steps, actor: 'human', actorId, reason: 'documents.came_again' }]);
    await eraseContent(tx, id, actorId);
  }
  return rows.map(({ id }) => id);
}
