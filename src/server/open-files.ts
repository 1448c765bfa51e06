import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BlobStore, openBlobStore } from '../storage/blobs/index.ts';

/** The store of files that came in. */
export interface Files {
  readonly blobs: BlobStore;
  close(): Promise<void>;
}

const DEFAULT_FOLDER = '.signalbox/files';

/**
 * SIGNALBOX_FILES names where files are kept: a folder that all processes share, or `s3://bucket` (reached as the buckets of
 * raw objects are). Without it they lie in the data folder, beside the embedded database; for one in memory they go with
 * the process.
 */
export function openFiles(env: NodeJS.ProcessEnv, folder: string | null, isMemory: boolean): Files {
  const named = env.SIGNALBOX_FILES;
  const bucket = named?.startsWith('s3://') ? named.slice('s3://'.length) : null;
  if (bucket !== null) {
    const blobs = openBlobStore({
      kind: 's3',
      bucket,
      region: env.SIGNALBOX_S3_REGION ?? 'us-east-1',
      accessKeyId: env.SIGNALBOX_S3_ACCESS_KEY_ID ?? '',
      secretAccessKey: env.SIGNALBOX_S3_SECRET_ACCESS_KEY ?? '',
      ...(env.SIGNALBOX_S3_ENDPOINT ? { endpoint: env.SIGNALBOX_S3_ENDPOINT, forcePathStyle: true } : {}),
    });
    return { blobs, close: () => blobs.close() };
  }
  const passing = named === undefined && isMemory ? mkdtempSync(join(tmpdir(), 'signalbox-files-')) : null;
  const path = named ?? passing ?? (folder === null ? DEFAULT_FOLDER : join(folder, 'files'));
  const blobs = openBlobStore({ kind: 'folder', path });
  return {
    blobs,
    close: async () => {
      await blobs.close();
      if (passing !== null) rmSync(passing, { recursive: true, force: true });
    },
  };
}
