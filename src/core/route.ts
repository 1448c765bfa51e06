import type { RouteConfig, RouteHandler } from '@hono/zod-openapi';
import { z } from '@hono/zod-openapi';
import { CodedError } from '../errors/coded-error.ts';
import type { Permission } from './permission.ts';

/** Whoever called, as routes see it. */
export interface Caller {
  readonly id: string;
  readonly name: string;
}

export interface RouteEnv {
  Variables: { caller: Caller };
}

/** A route, who may call it, and what it does. The server refuses to mount a route without a rule. */
export interface Endpoint {
  readonly route: RouteConfig;
  readonly access: Permission | 'public';
  readonly handler: RouteHandler<RouteConfig, RouteEnv>;
  /** The largest body, in bytes; default: the server's. */
  readonly maxBytes?: number;
}

export function endpoint<R extends RouteConfig>(
  access: Permission | 'public',
  route: R,
  handler: (c: Parameters<RouteHandler<R, RouteEnv>>[0]) => Response | Promise<Response>,
  options: Pick<Endpoint, 'maxBytes'> = {},
): Endpoint {
  return { route, access, handler: handler as unknown as Endpoint['handler'], ...options };
}

export const errorSchema = z
  .object({
    error: z.object({ code: z.string(), message: z.string(), detail: z.record(z.string(), z.unknown()) }),
  })
  .openapi('Error');

/** The shape of every list: `limit` (default 50, at most 500) and `cursor` in, items and the next cursor out. */
export const pageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(500).default(50),
  cursor: z.string().optional(),
});

export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), next_cursor: z.string().nullable() });
}

export const jsonBody = <S extends z.ZodType>(schema: S) => ({
  required: true,
  content: { 'application/json': { schema } },
});

export const jsonAnswer = <S extends z.ZodType>(schema: S, description: string) => ({
  description,
  content: { 'application/json': { schema } },
});

/** A cursor is opaque to callers: what stands in it may change. */
export const encodeCursor = (parts: readonly (string | number)[]): string =>
  Buffer.from(JSON.stringify(parts)).toString('base64url');

export const BAD_CURSOR = 'request.bad_cursor';

/**
 * @param shape of the parts that `encodeCursor` was given
 * @returns null without a cursor. Throws `request.bad_cursor` for one that this list never gave out.
 */
export function decodeCursor<Parts>(cursor: string | undefined, shape: z.ZodType<Parts>): Parts | null {
  if (cursor === undefined) return null;
  try {
    return shape.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
  } catch (cause) {
    const detail = { field: 'cursor' };
    throw new CodedError(BAD_CURSOR, 'permanent', 'the cursor is not one of this list', { cause, detail });
  }
}
