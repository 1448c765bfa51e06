import { CodedError } from '../../errors/coded-error.ts';

interface Failure {
  readonly name?: string;
  readonly code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

// The last is flydrive's way to say that the name is a folder's.
const MISSING = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'E_RUNTIME_EXCEPTION']);
// A folder store cannot hold both `a` and `a/b`; an S3 store can.
const CONFLICT = new Set(['EISDIR', 'ENOTDIR', 'ENOTEMPTY', 'EEXIST']);
const GENERIC = new Set(['', 'Error', 'TypeError']);
const DENIED = new Set(['EACCES', 'EPERM', 'EROFS', 'ELOOP']);

/**
 * Turns what a file system, flydrive or the S3 client threw into a coded error. Coded errors pass through.
 *
 * Whatever is not known to be permanent is `blob.unavailable`, transient: a full disk and a store that restarts both
 * pass, and retries are bounded.
 */
export function toBlobError(error: unknown, doing: 'read' | 'write'): CodedError {
  let native: string | undefined;
  let status: number | undefined;
  let link: unknown = error;
  for (let depth = 0; depth < 8 && typeof link === 'object' && link !== null; depth += 1) {
    if (link instanceof CodedError) return link;
    const failure = link as Failure & { cause?: unknown };
    status ??= failure.$metadata?.httpStatusCode;
    // flydrive wraps every failure in a code of its own; the innermost one tells.
    native = failure.code ?? (GENERIC.has(failure.name ?? '') ? native : failure.name);
    link = failure.cause;
  }
  const detail = { ...(native !== undefined && { native }), ...(status !== undefined && { status }) };
  const name = native ?? '';
  if (name === 'NoSuchBucket') return make('blob.bucket_missing', 'The bucket does not exist', error, detail);
  if (doing === 'read' && (status === 404 || MISSING.has(name))) {
    return make('blob.not_found', 'There is no such blob', error, detail);
  }
  if (doing === 'write' && CONFLICT.has(name)) {
    return make('blob.key_conflict', 'A key and a folder of keys would have the same name', error, detail);
  }
  if (status === 401 || status === 403 || DENIED.has(name)) {
    return make('blob.denied', 'The blob store refuses access', error, detail);
  }
  return new CodedError('blob.unavailable', 'transient', 'The blob store cannot be used', { cause: error, detail });
}

function make(code: string, message: string, cause: unknown, detail: Record<string, unknown>): CodedError {
  return new CodedError(code, 'permanent', message, { cause, detail });
}
