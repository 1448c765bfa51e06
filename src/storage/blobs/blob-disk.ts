import type { DriverContract } from 'flydrive/types';

/** What each kind of store brings; everything else is the same for all. */
export interface BlobDisk {
  readonly driver: DriverContract;
  /** The well-formed keys that begin with `prefix`, in the order of their bytes. */
  keys(prefix: string): AsyncIterable<string>;
  close(): void;
}
