import { CodedError } from '../errors/coded-error.ts';
import type { Stage } from '../jobs/stage.ts';
import type { BlobStore } from '../storage/blobs/index.ts';
import { blobKeyOf, type Document, loadDocuments } from './document.ts';
import { documentMachine } from './machine.ts';
import type { DocumentText } from './read-text.ts';
import { saveTexts } from './save-text.ts';

export const EXTRACT_TEXT = 'documents.extract-text';
export const CLASSIFY = 'documents.classify';

/** Reads files to text apart from this process, so that a file which takes it down takes nothing else along. */
export interface TextReader {
  read(bytes: Uint8Array, name: string, options?: { readonly signal?: AbortSignal }): Promise<DocumentText>;
}

export interface FileDeps {
  readonly blobs: Pick<BlobStore, 'get'>;
  readonly reader: TextReader;
}

/** From a stored file to its text, page by page. */
export function extractTextStage(deps: FileDeps): Stage<typeof documentMachine, Document, DocumentText, null> {
  return {
    name: EXTRACT_TEXT,
    machine: documentMachine,
    from: ['uploaded', 'extracting_text'],
    actor: 'system',
    batch: 1,
    concurrency: 2,
    // Hundreds of scanned pages take minutes; a worker that died is noticed by its heartbeat.
    expireSeconds: 7200,
    retry: { transient: () => 2, baseSeconds: 30, lost: 3 },
    givenUp: 'failed',
    load: loadDocuments,
    prepare: async () => ({ context: null, rulebookVersion: null }),
    work: async (document, { walk, signal }) => {
      if (walk.state === 'uploaded') walk.take({ from: 'uploaded', to: 'extracting_text' });
      const text = await readStored(deps, document, signal);
      walk.take({ from: 'extracting_text', to: 'classifying' });
      return text;
    },
    save: saveTexts,
    after: ({ id, contentVersion }) => ({ next: [{ stage: CLASSIFY, item: id, contentVersion }] }),
    inputRef: ({ id }) => `blob:${blobKeyOf(id)}`,
  };
}

/**
 * @throws CodedError what reading throws, `ocr.unavailable` or `text.none` for a document without any text,
 * `documents.file_missing` where its file is gone from the store
 */
export async function readStored(
  { blobs, reader }: FileDeps,
  document: Document,
  signal: AbortSignal,
): Promise<DocumentText> {
  const bytes = await blobs.get(blobKeyOf(document.id)).catch((cause: unknown) => {
    if (!(cause instanceof CodedError) || cause.code !== 'blob.not_found') throw cause;
    throw new CodedError('documents.file_missing', 'permanent', 'the file is not in the store', { cause });
  });
  return reader.read(bytes, document.fileName, { signal });
}
