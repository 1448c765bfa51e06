import { CodedError } from '../../errors/coded-error.ts';

export type BlobUrl =
  | {
      readonly scheme: 'file';
      /** Absolute, or relative to whatever the reader chose. */
      readonly path: string;
    }
  | { readonly scheme: 's3' | 'cos'; readonly bucket: string; readonly key: string };

/**
 * Reads the address of a raw object: `file:///abs/path`, `file:relative/path`, `s3://bucket/key`, `cos://bucket/key`.
 * File paths are percent-decoded, as in any file URL; keys stand as they are, as in any S3 URL. What a key may hold is
 * the store's to say.
 *
 * @throws CodedError `blob.bad_url`, permanent
 */
export function parseBlobUrl(url: string): BlobUrl {
  const parts = /^(?<scheme>[a-z0-9]+):(?<rest>.*)$/is.exec(url)?.groups;
  const scheme = parts?.scheme?.toLowerCase();
  const rest = parts?.rest ?? '';
  if (scheme === 'file') return { scheme, path: filePath(rest) };
  if (scheme === 's3' || scheme === 'cos') {
    const object = /^\/\/(?<bucket>[a-z0-9][a-z0-9._-]*)\/(?<key>.+)$/is.exec(rest)?.groups;
    if (object?.bucket === undefined || object.key === undefined) throw badUrl('An object is named bucket/key');
    return { scheme, bucket: object.bucket, key: object.key };
  }
  throw badUrl('Raw objects are read from file:, s3: and cos:');
}

function filePath(rest: string): string {
  const local = /^\/\/(?:localhost)?(?<path>\/.*)$/is.exec(rest)?.groups?.path ?? rest;
  if (local === '' || local.startsWith('//')) throw badUrl('A file is on this machine and has a path');
  if (/[?#]/.test(local)) throw badUrl('A file URL has neither query nor fragment; write %3F and %23');
  // An encoded slash would be a separator to the file system and none to whoever checked the URL.
  if (/%2f|%00|\0/i.test(local)) throw badUrl('A file name holds neither a slash nor a zero byte');
  try {
    return decodeURIComponent(local);
  } catch {
    throw badUrl('A percent sign stands for nothing');
  }
}

function badUrl(message: string): CodedError {
  return new CodedError('blob.bad_url', 'permanent', message);
}
