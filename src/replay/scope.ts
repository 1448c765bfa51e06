import { z } from '@hono/zod-openapi';
import { CodedError } from '../errors/coded-error.ts';

/** Which items a replay is about. There is no default: all of them has to be said. */
export const scopeSchema = z.union([
  z.strictObject({ ids: z.array(z.string().min(1).max(200)).min(1).max(10_000) }),
  z.strictObject({ type: z.string().min(1).max(100) }),
  z.strictObject({ all: z.literal(true) }),
  z.strictObject({ review_queue: z.literal(true) }),
  z.strictObject({ failed: z.literal(true) }),
  z.strictObject({ filter: z.record(z.string(), z.unknown()) }),
]);

export type Scope = z.infer<typeof scopeSchema>;

export const SCOPE_UNSUPPORTED = 'replay.scope_unsupported';

/** An action says no to a scope that means nothing to it. */
export const scopeUnsupported = (scope: Scope, known: string): CodedError =>
  new CodedError(
    SCOPE_UNSUPPORTED,
    'permanent',
    `scope '${Object.keys(scope)[0]}' is not one of this action: ${known}`,
  );
