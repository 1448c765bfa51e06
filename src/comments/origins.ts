import type { Context } from 'hono';
import { CodedError } from '../errors/coded-error.ts';
import type { Site } from './site.ts';

export const ORIGIN_REFUSED = 'comments.origin_refused';

const METHODS = 'GET, POST, PATCH, DELETE';
const HEADERS = 'authorization, content-type, idempotency-key';
const PREFLIGHT_SECONDS = 86_400;

/** A page of ours (its host is the one that was called) needs no permission. */
function isOwn(c: Context, origin: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === c.req.header('host');
}

/** Lets a page of the site read the answer; says nothing to others, whose browsers then keep it from them. */
export function letRead(c: Context, site: Site): void {
  c.header('vary', 'Origin', { append: true });
  const origin = c.req.header('origin');
  if (origin !== undefined && site.origins.includes(origin)) c.header('access-control-allow-origin', origin);
}

/**
 * Lets a page of the site write. What carries no origin was sent by no browser's page.
 * @throws CodedError `comments.origin_refused`
 */
export function letWrite(c: Context, site: Site): void {
  letRead(c, site);
  const origin = c.req.header('origin');
  if (origin === undefined || site.origins.includes(origin) || isOwn(c, origin)) return;
  throw new CodedError(ORIGIN_REFUSED, 'permanent', `pages of this origin may not write on site '${site.id}'`);
}

/** Answers a browser that asks before it sends: the request itself says for which site it is, and is checked then. */
export function preflight(c: Context, sites: ReadonlyMap<string, Site>): Response {
  const origin = c.req.header('origin');
  c.header('vary', 'Origin');
  if (origin !== undefined && [...sites.values()].some(({ origins }) => origins.includes(origin))) {
    c.header('access-control-allow-origin', origin);
    c.header('access-control-allow-methods', METHODS);
    c.header('access-control-allow-headers', HEADERS);
    c.header('access-control-max-age', String(PREFLIGHT_SECONDS));
  }
  return c.body(null, 204);
}
