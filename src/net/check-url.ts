import { isIP } from 'node:net';
import { CodedError } from '../errors/coded-error.ts';
import type { AddressPolicy } from './address-policy.ts';

/**
 * Reads an absolute URL, or one relative to `base`.
 *
 * @throws CodedError `net.bad_url` when it is none; `net.address_refused` when parsers are known to disagree about its
 *   host (a backslash or a control character before the query)
 */
export function readUrl(text: string | URL, base?: URL): URL {
  if (typeof text !== 'string') return new URL(text.href);
  // `http://h\@10.0.0.1/` is host h to some readers and 10.0.0.1 to others; refusing it needs no opinion.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\\\u0000-\u001f\u007f]/.test(text.trim().split(/[?#]/, 1)[0] ?? '')) throw addressRefused('ambiguous_url');
  const url = URL.parse(text.trim(), base?.href);
  if (url === null) throw new CodedError('net.bad_url', 'permanent', 'The URL cannot be read');
  return url;
}

/**
 * Checks everything about a URL that can be judged without a look-up. Runs on every hop, because undici asks `lookup`
 * for names only and connects to literal addresses at once.
 *
 * @throws CodedError `net.address_refused`, with `detail.reason`
 */
export function checkUrl(url: URL, policy: AddressPolicy): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw addressRefused('scheme');
  if (url.username !== '' || url.password !== '') throw addressRefused('credentials');
  const literal = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
  const reason = isIP(literal) === 0 ? policy.refusedName(url.hostname) : policy.refusedAddress(url.hostname, literal);
  if (reason !== null) throw addressRefused(reason);
}

/** The error of every refusal. `reason` is a code (`loopback`, `linkLocal`, `scheme`, …), never the address itself. */
export function addressRefused(reason: string): CodedError {
  return new CodedError('net.address_refused', 'permanent', `Refused to connect: ${reason}`, { detail: { reason } });
}
