export type { BlobStore, BlobStoreOptions, FolderOptions, GetOptions, S3Options } from './blob-store.ts';
export { openBlobStore } from './open-blob-store.ts';
export { openRawObject, type RawObjectOptions } from './open-raw-object.ts';
export { type BlobUrl, parseBlobUrl } from './parse-blob-url.ts';
export { removeStalePartials } from './write-atomically.ts';
