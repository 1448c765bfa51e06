import { APICallError, NoObjectGeneratedError } from 'ai';
import { classifyStatus } from '../errors/classify-status.ts';
import { CodedError } from '../errors/coded-error.ts';

export const MODEL_ERRORS = {
  rateLimited: 'llm.rate_limited',
  unavailable: 'llm.unavailable',
  timeout: 'llm.timeout',
  refused: 'llm.request_refused',
  unauthorized: 'llm.unauthorized',
  keyMissing: 'llm.key_missing',
  invalidOutput: 'llm.invalid_output',
  truncated: 'llm.truncated',
  contentFilter: 'llm.content_filter',
} as const;

/**
 * Gives what the SDK threw a code and a class: 429 and 503 with Retry-After are postponed, other 5xx, time-outs and
 * resets transient, 4xx permanent. An answer that is not what was asked for is transient: the next one may be.
 */
export function modelError(error: unknown, nowMs: number): CodedError {
  if (error instanceof CodedError) return error;
  if (APICallError.isInstance(error)) return callError(error, nowMs);
  if (NoObjectGeneratedError.isInstance(error)) {
    const finish = error.finishReason;
    if (finish === 'content-filter')
      return coded('contentFilter', 'permanent', 'the provider withheld the answer', error);
    if (finish === 'length') return coded('truncated', 'permanent', 'the answer was cut off at its token limit', error);
    return coded('invalidOutput', 'transient', 'the answer does not have the form that was asked for', error);
  }
  const name = error instanceof Error ? error.name : '';
  if (name === 'TimeoutError' || name === 'AbortError') {
    return coded('timeout', 'transient', 'the model did not answer in time', error);
  }
  if (name === 'AI_NoOutputGeneratedError') {
    return coded('invalidOutput', 'transient', 'the model answered nothing', error);
  }
  return coded('unavailable', 'transient', `the model cannot be reached: ${innermost(error)}`, error);
}

function callError(error: APICallError, nowMs: number): CodedError {
  const { statusCode, responseHeaders = {} } = error;
  // 200 with something that is no answer at all.
  if (statusCode === undefined || statusCode < 400) {
    if (isTimeout(error.cause)) return coded('timeout', 'transient', 'the model did not answer in time', error);
    // No status, or a head and then the connection was cut inside the body.
    if (statusCode === undefined || isCut(error.cause))
      return coded('unavailable', 'transient', `the model cannot be reached: ${innermost(error)}`, error);
    const page = pageOf(error);
    return page !== null
      ? coded('unavailable', 'transient', `something before the model answered with a page: ${page}`, error)
      : coded('invalidOutput', 'transient', 'the provider answered something that is not JSON', error);
  }
  const verdict = classifyStatus(statusCode, responseHeaders, nowMs);
  const detail = { status: statusCode };
  if (statusCode === 429 || verdict?.errorClass === 'postponed') {
    return new CodedError(
      MODEL_ERRORS.rateLimited,
      'postponed',
      `the provider answered ${statusCode}: too many requests`,
      {
        cause: error,
        detail,
        retryAfterSeconds: verdict?.retryAfterSeconds ?? 5,
      },
    );
  }
  if (verdict?.errorClass === 'transient') {
    return new CodedError(MODEL_ERRORS.unavailable, 'transient', `the provider answered ${statusCode}`, {
      cause: error,
      detail,
    });
  }
  const code = statusCode === 401 || statusCode === 403 ? MODEL_ERRORS.unauthorized : MODEL_ERRORS.refused;
  return new CodedError(code, 'permanent', `the provider answered ${statusCode}`, { cause: error, detail });
}

const EXCERPT = 80;

/** The words of an HTML page, as gateways and captive portals send it with status 200; null for anything else. */
function pageOf({ responseBody = '', responseHeaders = {} }: APICallError): string | null {
  if (!/\bhtml\b/.test(responseHeaders['content-type'] ?? '') && !/^\s*<(?:!doctype|html)\b/i.test(responseBody))
    return null;
  const words = responseBody
    .replace(/<(script|style)\b.*?<\/\1>/gis, ' ')
    .replace(/<[^>]*>|\s+/g, ' ')
    .replace(/ +/g, ' ')
    .trim();
  return words.slice(0, EXCERPT) || 'an empty one';
}

function isTimeout(error: unknown): boolean {
  return (
    error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError' || isTimeout(error.cause))
  );
}

function isCut(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return /^(UND_ERR_|ECONN|EPIPE)/.test(String((error as { code?: unknown }).code)) || isCut(error.cause);
}

function innermost(error: unknown): string {
  let at = error;
  while (at instanceof Error && at.cause instanceof Error) at = at.cause;
  const code = (at as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : at instanceof Error ? at.message : String(at);
}

function coded(
  which: keyof typeof MODEL_ERRORS,
  errorClass: 'transient' | 'permanent',
  message: string,
  cause: unknown,
): CodedError {
  return new CodedError(MODEL_ERRORS[which], errorClass, message, { cause });
}
