import ipaddr from 'ipaddr.js';

/** An address in the form in which it is judged: never an IPv6 wrapping of an IPv4 address that the network unwraps. */
export type ReadAddress = ipaddr.IPv4 | ipaddr.IPv6;

const NAT64 = ipaddr.parseCIDR('64:ff9b::/96');
const GLOBAL_UNICAST_6 = ipaddr.parseCIDR('2000::/3');

/**
 * Reads an address in any spelling (dotted, decimal, octal, hexadecimal, IPv6 with or without brackets and zone).
 * IPv4-mapped and NAT64 addresses come back as the IPv4 address that packets would reach.
 *
 * @returns null when the text is no address
 */
export function readAddress(text: string): ReadAddress | null {
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  if (!ipaddr.isValid(bare)) return null;
  const address = ipaddr.parse(bare);
  if (address.kind() === 'ipv4') return address;
  const six = address as ipaddr.IPv6;
  if (six.isIPv4MappedAddress()) return six.toIPv4Address();
  // IPv6-only hosts behind DNS64 see every IPv4 site under this prefix: judge the address inside.
  if (six.match(NAT64)) return new ipaddr.IPv4(six.toByteArray().slice(12));
  return six;
}

/**
 * Tells why an address must not be reached from a server that fetches what strangers name.
 *
 * Only global unicast passes. 6to4 and Teredo are refused whole: they wrap an IPv4 address, have no public use left
 * (RFC 7526), and refusing them needs no list of what they may wrap. The same goes for IPv4-compatible and local-use
 * NAT64 addresses.
 *
 * @param text an address in any spelling
 * @returns the name of the refused range (`loopback`, `private`, `linkLocal`, …), `not_an_address`, or null: allowed
 */
export function refusedRange(text: string): string | null {
  const address = readAddress(text);
  return address === null ? 'not_an_address' : rangeOf(address);
}

/** As {@link refusedRange}, for an address that was already read. */
export function rangeOf(address: ReadAddress): string | null {
  const range: string = address.range();
  if (range !== 'unicast') return range;
  // The library calls unicast whatever it has no name for; the world routes 2000::/3 only.
  if (address.kind() === 'ipv6' && !address.match(GLOBAL_UNICAST_6)) return 'unassigned';
  return null;
}
