import { pino } from 'pino';

/** Logs go to standard error as JSON lines; results alone go to standard output. */
export const log = pino(
  { level: process.env.SIGNALBOX_LOG ?? 'warn', base: null },
  pino.destination({ dest: 2, sync: true }),
);

export function reportError(error: unknown, where: string): void {
  log.warn({
    where,
    err: error instanceof Error ? { code: (error as { code?: unknown }).code, message: error.message } : String(error),
  });
}
