import { createHmac } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { CodedError } from '../errors/coded-error.ts';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Proxies of one's own, whose word about where a request came from is believed. */
export type TrustedProxies = readonly Range[];

/**
 * @param list addresses and ranges, comma separated: `10.0.0.0/8, ::1`
 * @throws CodedError `comments.bad_proxies`
 */
export function parseProxies(list: string | undefined): TrustedProxies {
  return (list ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)
    .map((one): Range => {
      try {
        if (one.includes('/')) return ipaddr.parseCIDR(one);
        const address = ipaddr.process(one);
        return [address, address.kind() === 'ipv4' ? 32 : 128];
      } catch (cause) {
        throw new CodedError('comments.bad_proxies', 'permanent', `'${one}' is no address or range`, { cause });
      }
    });
}

/**
 * The address that a request came from: that of the connection, or, where this is a proxy of one's own, the last one of
 * X-Forwarded-For that is none. What stands further to the left, anybody may have written.
 * @returns null where there is none
 */
export function clientAddress(
  connection: string | undefined,
  forwardedFor: string | undefined,
  proxies: TrustedProxies,
): string | null {
  let address = read(connection);
  const hops = (forwardedFor ?? '').split(',').map((hop) => hop.trim());
  while (address !== null && hops.length > 0 && isTrusted(address, proxies)) {
    const before = read(hops.pop());
    if (before === null) break;
    address = before;
  }
  return address?.toString() ?? null;
}

function read(text: string | undefined): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const plain = (text ?? '').replace(/^\[(.+)\](?::\d+)?$/, '$1').replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1');
  return ipaddr.isValid(plain) ? ipaddr.process(plain) : null;
}

const isTrusted = (address: ipaddr.IPv4 | ipaddr.IPv6, proxies: TrustedProxies): boolean =>
  proxies.some(([range, bits]) => range.kind() === address.kind() && address.match(range as never, bits));

const IPV6_BITS = 64;

/** A keyed hash of an address, of an IPv6 address's /64: whoever has one has the whole of it. */
export function addressHash(address: string, key: string): string {
  const read = ipaddr.process(address);
  const whose =
    read.kind() === 'ipv4'
      ? read.toString()
      : ipaddr.IPv6.networkAddressFromCIDR(`${read.toString()}/${IPV6_BITS}`).toString();
  return createHmac('sha256', key).update(`comments.address\0${whose}`).digest('base64url').slice(0, 32);
}
