/**
 * How a failure is treated.
 * - `transient`: may pass by itself (time-out, reset, 5xx): retried with back-off.
 * - `postponed`: the other side named a time (429, 503 with Retry-After): no attempt is used up.
 * - `permanent`: the same input will fail again (schema, 401, corrupt input): never retried.
 * - `lost`: the worker died with the claim.
 */
export type ErrorClass = 'transient' | 'postponed' | 'permanent' | 'lost';

export interface CodedErrorOptions {
  readonly cause?: unknown;
  /** Codes and numbers that help to find the place; never content, names or addresses. */
  readonly detail?: Readonly<Record<string, unknown>>;
  /** With class `postponed`: how long to wait at least, in seconds. */
  readonly retryAfterSeconds?: number;
}

/** A failure with a stable code (`room.what`) and a class that decides what happens next. */
export class CodedError extends Error {
  readonly code: string;
  readonly errorClass: ErrorClass;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: string, errorClass: ErrorClass, message: string, options: CodedErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'CodedError';
    this.code = code;
    this.errorClass = errorClass;
    this.detail = options.detail ?? {};
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
