import { Agent, type Dispatcher } from 'undici';
import { CodedError } from '../errors/coded-error.ts';
import { createAddressPolicy } from './address-policy.ts';
import { checkUrl, readUrl } from './check-url.ts';
import type { HttpClient, HttpClientOptions, HttpRequest, HttpResponse, RequestLimits } from './client-types.ts';
import { ACCEPT_ENCODING } from './decode-content.ts';
import { createGuardedConnect, systemResolver } from './guarded-connect.ts';
import { toNetError } from './net-errors.ts';
import { readBody } from './read-body.ts';
import { type Hop, nextHop, redirectTarget } from './redirects.ts';
import { requestLimits } from './request-limits.ts';
import { startTimeLimit } from './time-limit.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const HEADERS_OF_THE_CONNECTION = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Makes the one way by which this system sends HTTP requests: to public addresses only (checked at connect and on each
 * redirect), within caps on time, bytes and redirects. Feeds, pages, robots.txt, webhooks and model endpoints all take
 * it: each further way out is one more that forgets the guard.
 *
 * @throws CodedError `net.bad_option` for an entry of `allowPrivate` that cannot be read
 */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const policy = createAddressPolicy(options.allowPrivate ?? false);
  const connect = createGuardedConnect(policy, options.resolver ?? systemResolver, CONNECT_TIMEOUT_MS);
  const agent = new Agent({ connect });

  async function follow(request: HttpRequest, limits: RequestLimits, signal: AbortSignal): Promise<HttpResponse> {
    let hop = firstHop(request, options.userAgent);
    const redirects: { url: string; status: number }[] = [];
    const seen = new Set<string>();
    for (;;) {
      checkUrl(hop.url, policy);
      signal.throwIfAborted();
      seen.add(`${hop.method} ${hop.url.href}`);
      const answer = await send(agent, hop, limits, signal);
      const headers = joinHeaders(answer.headers);
      const location = limits.followRedirects ? redirectTarget(answer.statusCode, headers.location) : null;
      if (location === null) {
        const lengths = { contentEncoding: headers['content-encoding'], contentLength: headers['content-length'] };
        const bodiless = hop.method === 'HEAD' || answer.statusCode === 204 || answer.statusCode === 304;
        const read = await readBody(
          answer.body,
          bodiless ? { contentEncoding: undefined, contentLength: undefined } : lengths,
          { ...limits, signal },
        );
        return { status: answer.statusCode, headers, url: hop.url.href, redirects, ...read };
      }
      answer.body.on('error', () => {}).destroy();
      redirects.push({ url: hop.url.href, status: answer.statusCode });
      hop = nextHop(hop, answer.statusCode, location, limits.refuseDowngrade);
      if (seen.has(`${hop.method} ${hop.url.href}`)) throw redirectError('net.redirect_loop', redirects.length);
      if (redirects.length > limits.maxRedirects) throw redirectError('net.too_many_redirects', redirects.length);
    }
  }

  return {
    async request(request) {
      const limits = requestLimits(request, options.defaults);
      const limit = startTimeLimit(limits.timeoutMs, request.signal);
      try {
        return await follow(request, limits, limit.signal);
      } catch (error) {
        // Streams that are cut report the cut, not its reason.
        throw limit.signal.aborted ? limit.signal.reason : toNetError(error);
      } finally {
        limit.end();
      }
    },
    close: () => agent.destroy(),
  };
}

function send(agent: Agent, hop: Hop, limits: RequestLimits, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
  return agent.request({
    origin: hop.url.origin,
    path: hop.url.pathname + hop.url.search,
    method: hop.method as Dispatcher.HttpMethod,
    headers: hop.headers,
    body: hop.body === undefined ? null : Buffer.from(hop.body.buffer, hop.body.byteOffset, hop.body.byteLength),
    headersTimeout: limits.idleTimeoutMs,
    bodyTimeout: limits.idleTimeoutMs,
    signal,
  });
}

function firstHop(request: HttpRequest, userAgent: string): Hop {
  const headers: Record<string, string> = { 'user-agent': userAgent, 'accept-encoding': ACCEPT_ENCODING };
  for (const [name, value] of Object.entries(request.headers ?? {})) {
    const lower = name.toLowerCase();
    if (HEADERS_OF_THE_CONNECTION.has(lower)) {
      throw new CodedError('net.bad_request', 'permanent', 'A header of the connection cannot be set', {
        detail: { header: lower },
      });
    }
    headers[lower] = value;
  }
  const url = readUrl(request.url);
  url.hash = '';
  const body = typeof request.body === 'string' ? new TextEncoder().encode(request.body) : request.body;
  return { url, method: (request.method ?? 'GET').toUpperCase(), headers, body };
}

function joinHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    joined[name] = typeof value === 'string' ? value : value.join(name === 'set-cookie' ? '\n' : ', ');
  }
  return joined;
}

function redirectError(code: 'net.redirect_loop' | 'net.too_many_redirects', redirects: number): CodedError {
  return new CodedError(code, 'permanent', 'The redirects do not come to an end', { detail: { redirects } });
}
