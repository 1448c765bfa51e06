import { CodedError } from '../../errors/coded-error.ts';

// Stores differ in what they take: flydrive refuses other letters, strips dots at the ends of keys and folds slashes,
// file systems end names at 255 bytes, S3 keys at 1,024. What passes here means the same blob in each of them.
const SEGMENT = /^[A-Za-z0-9_-](?:[A-Za-z0-9._-]*[A-Za-z0-9_-])?$/;
const MAX_SEGMENT = 200;
const MAX_KEY = 900;

/** Whether a text can be a key: segments of `[A-Za-z0-9._-]` between slashes, no dot at either end, no `..`. */
export function isBlobKey(key: string): boolean {
  if (key.length > MAX_KEY || key.includes('..')) return false;
  return key.split('/').every((segment) => segment.length <= MAX_SEGMENT && SEGMENT.test(segment));
}

/** @throws CodedError `blob.bad_key`, permanent */
export function checkBlobKey(key: string): void {
  if (isBlobKey(key)) return;
  throw new CodedError('blob.bad_key', 'permanent', 'Blob keys are segments of A-Z a-z 0-9 . _ - between slashes', {
    detail: { length: key.length },
  });
}
