import { CodedError } from '../errors/coded-error.ts';
import { readUrl } from './check-url.ts';

/** One request of a chain. Header names are in lower case. */
export interface Hop {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

const BODY_HEADERS = new Set(['content-type', 'content-encoding', 'content-language', 'content-location']);

// What may follow to another origin. A list of what must not would miss the next X-Api-Key or Private-Token.
const CARRIED_HEADERS = new Set([
  ...BODY_HEADERS,
  'accept',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'pragma',
  'range',
  'user-agent',
]);

/** Where an answer sends the client, or null when it is no redirect (a 3xx without Location is a plain answer). */
export function redirectTarget(status: number, location: string | undefined): string | null {
  return REDIRECTS.has(status) && location !== undefined ? location : null;
}

/**
 * The request that follows a redirect.
 * - 303 turns everything but HEAD into GET, 301 and 302 turn POST into GET (as browsers do); the body then goes, and
 *   the headers about it. 307 and 308 keep both.
 * - At another origin (scheme, host or port) only headers that carry no secret go along: neither Authorization nor
 *   Cookie nor any name that the client does not know. They do not come back if the chain returns.
 *
 * @throws CodedError `net.bad_url`, `net.address_refused`, and `net.downgrade_refused` when `refuseDowngrade` is set
 */
export function nextHop(hop: Hop, status: number, location: string, refuseDowngrade: boolean): Hop {
  const url = readUrl(utf8Location(location), hop.url);
  url.hash = '';
  if (refuseDowngrade && hop.url.protocol === 'https:' && url.protocol === 'http:') {
    throw new CodedError('net.downgrade_refused', 'permanent', 'Refused a redirect from https to http');
  }
  const becomesGet =
    status === 303 ? hop.method !== 'HEAD' : (status === 301 || status === 302) && hop.method === 'POST';
  const keep = (name: string) =>
    (url.origin === hop.url.origin || CARRIED_HEADERS.has(name)) && !(becomesGet && BODY_HEADERS.has(name));
  return {
    url,
    method: becomesGet ? 'GET' : hop.method,
    headers: Object.fromEntries(Object.entries(hop.headers).filter(([name]) => keep(name))),
    body: becomesGet ? undefined : hop.body,
  };
}

/** Servers put raw UTF-8 into Location; headers arrive as Latin-1, and taking those at their word breaks such paths. */
function utf8Location(location: string): string {
  const bytes = Buffer.from(location, 'latin1');
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') ? location : text;
}
