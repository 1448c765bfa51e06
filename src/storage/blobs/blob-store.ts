export interface BlobStore {
  /**
   * Writes a blob whole or not at all, over what was there. Text is stored as UTF-8.
   *
   * @throws CodedError `blob.bad_key`, `blob.key_conflict`, `blob.denied` (permanent); `blob.unavailable` (transient)
   */
  put(key: string, content: Uint8Array | string, options?: { readonly contentType?: string }): Promise<void>;
  /**
   * Reads a blob whole.
   *
   * @param options.maxBytes cap in bytes; default: the store's
   * @throws CodedError `blob.bad_key`, `blob.not_found`, `blob.too_large`, `blob.denied` (permanent);
   *   `blob.unavailable` (transient)
   */
  get(key: string, options?: GetOptions): Promise<Uint8Array>;
  /** As `get`, decoded from UTF-8 without its byte order mark. Also throws `blob.not_text` (permanent). */
  getText(key: string, options?: GetOptions): Promise<string>;
  exists(key: string): Promise<boolean>;
  /** Removes a blob; one that is not there is removed already. */
  delete(key: string): Promise<void>;
  /** The size of a blob in bytes. Throws `blob.not_found` when there is none. */
  stat(key: string): Promise<{ readonly bytes: number }>;
  /**
   * The keys that begin with `prefix`, a text and not a folder: `a/b` finds `a/bc`. In the order of their bytes,
   * unless an S3 server keeps another. Keys that this store could not have written are left out.
   */
  list(prefix?: string): AsyncIterable<string>;
  /** Lets connections go. */
  close(): Promise<void>;
}

export interface GetOptions {
  readonly maxBytes?: number;
}

export type BlobStoreOptions = (FolderOptions | S3Options) & {
  /** Cap of a `get` that names none, in bytes. Default 256 MiB. */
  readonly maxGetBytes?: number;
};

export interface FolderOptions {
  readonly kind: 'folder';
  /** Made when first written. */
  readonly path: string;
}

export interface S3Options {
  readonly kind: 's3';
  /** Leave out for AWS itself. */
  readonly endpoint?: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Bucket in the path instead of the host name: MinIO and most servers of one's own. */
  readonly forcePathStyle?: boolean;
  /** How long one request to the store may go without progress, in milliseconds. Default 30,000. */
  readonly timeoutMs?: number;
}
