import { Disk } from 'flydrive';
import { CodedError } from '../../errors/coded-error.ts';
import type { BlobDisk } from './blob-disk.ts';
import { toBlobError } from './blob-errors.ts';
import { checkBlobKey } from './blob-key.ts';
import type { BlobStore, BlobStoreOptions, GetOptions } from './blob-store.ts';
import { openFolderDisk } from './folder-disk.ts';
import { readCapped } from './read-capped.ts';

const MAX_GET_BYTES = 256 * 1024 * 1024;

/**
 * Opens a store of blobs in a folder (made when first written) or in an S3-compatible bucket (which must exist). Both
 * behave alike. Nothing is reached for before the first call.
 */
export function openBlobStore(options: BlobStoreOptions): BlobStore {
  let opened: Promise<{ disk: BlobDisk; drive: Disk }> | undefined;
  const open = () => {
    opened ??= openDisk(options).then((disk) => ({ disk, drive: new Disk(disk.driver) }));
    return opened;
  };

  async function on<T>(key: string, doing: 'read' | 'write', act: (drive: Disk) => Promise<T>): Promise<T> {
    checkBlobKey(key);
    const { drive } = await open();
    try {
      return await act(drive);
    } catch (error) {
      throw toBlobError(error, doing);
    }
  }

  const get = (key: string, { maxBytes = options.maxGetBytes ?? MAX_GET_BYTES }: GetOptions = {}) =>
    on(key, 'read', async (drive) => readCapped(await drive.getStream(key), maxBytes));

  return {
    get,
    put: (key, content, { contentType } = {}) =>
      on(key, 'write', (drive) => {
        // The S3 client takes an empty text for a stream of unknown length.
        const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
        return drive.put(key, bytes, contentType === undefined ? {} : { contentType });
      }),
    async getText(key, getOptions) {
      const bytes = await get(key, getOptions);
      try {
        return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
      } catch (cause) {
        throw new CodedError('blob.not_text', 'permanent', 'The blob is not UTF-8', { cause });
      }
    },
    exists: (key) => on(key, 'read', (drive) => drive.exists(key)).catch(ifMissing(false)),
    delete: (key) => on(key, 'read', (drive) => drive.delete(key)).catch(ifMissing(undefined)),
    stat: (key) => on(key, 'read', async (drive) => ({ bytes: (await drive.getMetaData(key)).contentLength })),
    async *list(prefix = '') {
      const { disk } = await open();
      try {
        yield* disk.keys(prefix);
      } catch (error) {
        throw toBlobError(error, 'read');
      }
    },
    async close() {
      if (opened !== undefined) (await opened).disk.close();
    },
  };
}

async function openDisk(options: BlobStoreOptions): Promise<BlobDisk> {
  if (options.kind === 'folder') return openFolderDisk(options);
  // Loading the S3 client costs 180 ms and 25 MB: only those who use it pay.
  const { openS3Disk } = await import('./s3-disk.ts');
  return openS3Disk(options);
}

function ifMissing<T>(value: T): (error: CodedError) => T {
  return (error) => {
    if (error.code === 'blob.not_found') return value;
    throw error;
  };
}
