import type { RunError } from '../core/run.ts';
import { CodedError } from '../errors/coded-error.ts';

/** SQLSTATE classes and codes after which the same statement may succeed. */
const TRANSIENT_SQLSTATE = /^(08|53|55P03|57P|57014|40001|40P01|58)/;
const TRANSIENT_SYSTEM = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EMFILE',
  'ENOSPC',
]);

/** node-postgres reports a connection that went away, or that never came about in time, without any code. */
const TRANSIENT_MESSAGE = /Connection terminated|connection timeout|timeout expired|timeout exceeded|is not queryable/i;

/** Whether a failure of the database itself may pass. Looks through wrappers (`cause`). */
export function isDatabaseBlip(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    const code = (at as { code?: unknown }).code;
    if (typeof code === 'string' && (TRANSIENT_SYSTEM.has(code) || TRANSIENT_SQLSTATE.test(code))) return true;
    if (code === undefined && TRANSIENT_MESSAGE.test(at.message)) return true;
  }
  return false;
}

export function sqlState(error: unknown): string | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    const code = (at as { code?: unknown }).code;
    if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) return code;
  }
  return null;
}

/**
 * Gives any thrown value a code and a class. What nobody classified is permanent: retrying a mistake of ours
 * only hides it.
 */
export function classifyError(error: unknown): RunError & { readonly retryAfterSeconds?: number } {
  if (error instanceof CodedError) {
    const { code, errorClass, message, detail, retryAfterSeconds } = error;
    return { code, errorClass, message, detail, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
  }
  const message = error instanceof Error ? error.message : String(error);
  if (isDatabaseBlip(error)) return { code: 'storage.unavailable', errorClass: 'transient', message };
  return { code: 'core.unexpected', errorClass: 'permanent', message };
}
