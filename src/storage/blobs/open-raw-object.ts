import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { CodedError } from '../../errors/coded-error.ts';
import { toBlobError } from './blob-errors.ts';
import type { BlobStore } from './blob-store.ts';
import { parseBlobUrl } from './parse-blob-url.ts';
import { readCapped } from './read-capped.ts';

export interface RawObjectOptions {
  /** The stores by the bucket's name in `s3://` and `cos://` URLs. */
  readonly stores: ReadonlyMap<string, Pick<BlobStore, 'get'>>;
  /** True (a command line): any file. False (a server): files below `baseDir` only, and none without it. */
  readonly allowFiles: boolean;
  /** What relative paths start from; default: the working folder. */
  readonly baseDir?: string;
  /** Cap in bytes. Default 64 MiB. */
  readonly maxBytes?: number;
}

/**
 * Reads a raw object by its URL.
 *
 * @throws CodedError, permanent: `blob.bad_url`, `blob.unknown_store`, `blob.path_refused`, `blob.bad_key`,
 *   `blob.not_found`, `blob.too_large`, `blob.denied`; transient: `blob.unavailable`
 */
export async function openRawObject(url: string, options: RawObjectOptions): Promise<Uint8Array> {
  const target = parseBlobUrl(url);
  const maxBytes = options.maxBytes ?? 64 * 1024 * 1024;
  if (target.scheme === 'file') {
    try {
      return await readFile(await admittedPath(target.path, options), maxBytes);
    } catch (error) {
      throw toBlobError(error, 'read');
    }
  }
  const store = options.stores.get(target.bucket);
  if (store === undefined) {
    throw new CodedError('blob.unknown_store', 'permanent', 'No store of that name is configured');
  }
  return store.get(target.key, { maxBytes });
}

/** The path with its links resolved, once it is known to be allowed. */
async function admittedPath(path: string, { allowFiles, baseDir }: RawObjectOptions): Promise<string> {
  if (!allowFiles && baseDir === undefined) throw refused();
  const absolute = resolve(baseDir ?? '.', path);
  if (allowFiles) return realpath(absolute);
  const base = await realpath(baseDir ?? '.');
  // By name first: "not found" for a file elsewhere would tell what exists there.
  if (!isBelow(resolve(baseDir ?? '.'), absolute) && !isBelow(base, absolute)) throw refused();
  const real = await realpath(absolute);
  if (!isBelow(base, real)) throw refused();
  return real;
}

async function readFile(path: string, maxBytes: number): Promise<Uint8Array> {
  // The links were resolved: one that appears since then is an attempt. Without NONBLOCK a pipe would hang here.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    // Devices and pipes have no end.
    if (!(await file.stat()).isFile()) throw refused();
    return await readCapped(file.createReadStream({ autoClose: false }), maxBytes);
  } finally {
    await file.close();
  }
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function refused(): CodedError {
  return new CodedError('blob.path_refused', 'permanent', 'This file may not be read');
}
