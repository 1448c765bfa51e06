import { type BlobStore, openBlobStore, type RawObjectOptions } from '../storage/blobs/index.ts';

/**
 * Where raw objects may be read from. Buckets of an S3-compatible store are named in SIGNALBOX_BUCKETS (comma
 * separated) and reached by SIGNALBOX_S3_ENDPOINT, _REGION, _ACCESS_KEY_ID, _SECRET_ACCESS_KEY. Files: any on a
 * command line; for a server only below SIGNALBOX_RAW_FOLDER.
 */
export function rawObjects(env: NodeJS.ProcessEnv, anyFile: boolean): RawObjectOptions {
  const stores = new Map<string, BlobStore>();
  for (const bucket of (env.SIGNALBOX_BUCKETS ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)) {
    stores.set(
      bucket,
      openBlobStore({
        kind: 's3',
        bucket,
        region: env.SIGNALBOX_S3_REGION ?? 'us-east-1',
        accessKeyId: env.SIGNALBOX_S3_ACCESS_KEY_ID ?? '',
        secretAccessKey: env.SIGNALBOX_S3_SECRET_ACCESS_KEY ?? '',
        ...(env.SIGNALBOX_S3_ENDPOINT ? { endpoint: env.SIGNALBOX_S3_ENDPOINT, forcePathStyle: true } : {}),
      }),
    );
  }
  return { stores, allowFiles: anyFile, ...(env.SIGNALBOX_RAW_FOLDER ? { baseDir: env.SIGNALBOX_RAW_FOLDER } : {}) };
}
