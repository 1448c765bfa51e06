import ipaddr from 'ipaddr.js';
import { CodedError } from '../errors/coded-error.ts';
import { type ReadAddress, rangeOf, readAddress } from './refused-address.ts';

/** Decides which addresses a client may reach. */
export interface AddressPolicy {
  /** Why a host name is refused before it is looked up, or null. */
  refusedName(host: string): string | null;
  /** Why this address, which `host` is or stands for, is refused, or null. */
  refusedAddress(host: string, address: string): string | null;
}

// What people mean by "private". Link-local is not among them: it holds the metadata services of the clouds, and an
// operator who wants it can name it.
const PRIVATE_RANGES = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat']);

type Network = readonly [ReadAddress, number];

/**
 * @param allow false: public addresses only. true: private ranges too (loopback, RFC 1918, unique-local, CGNAT), yet
 *   neither link-local nor reserved ones. A list: public addresses, the CIDRs and addresses in it whatever their range,
 *   and for the host names in it the private ranges.
 * @throws CodedError `net.bad_option` when an entry of the list is neither
 */
export function createAddressPolicy(allow: boolean | readonly string[]): AddressPolicy {
  const networks: Network[] = [];
  const hosts = new Set<string>();
  for (const entry of typeof allow === 'boolean' ? [] : allow) {
    const network = readNetwork(entry);
    if (network !== null) networks.push(network);
    else hosts.add(readHost(entry));
  }

  return {
    refusedName(host) {
      const name = plainHost(host);
      if (name === '') return 'no_host';
      const local = name === 'localhost' || name.endsWith('.localhost');
      // With any allowance the addresses decide: a listed 127.0.0.0/8 admits this name too.
      return local && allow === false ? 'loopback' : null;
    },
    refusedAddress(host, text) {
      const address = readAddress(text);
      if (address === null) return 'not_an_address';
      const range = rangeOf(address);
      if (range === null) return null;
      if (PRIVATE_RANGES.has(range) && (allow === true || hosts.has(plainHost(host)))) return null;
      return networks.some((network) => contains(network, address)) ? null : range;
    },
  };
}

/** A host as it is compared: lower case, without the dot that marks it as absolute. */
function plainHost(host: string): string {
  return host.toLowerCase().replace(/\.+$/, '');
}

function readNetwork(entry: string): Network | null {
  if (ipaddr.isValidCIDR(entry)) return ipaddr.parseCIDR(entry);
  const address = readAddress(entry);
  return address === null ? null : [address, address.kind() === 'ipv4' ? 32 : 128];
}

function readHost(entry: string): string {
  if (!/^[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?$/i.test(entry)) {
    throw new CodedError('net.bad_option', 'permanent', 'An allowed host must be a host name, an address or a CIDR');
  }
  return plainHost(entry);
}

function contains([base, bits]: Network, address: ReadAddress): boolean {
  // The library throws when kinds differ.
  return base.kind() === address.kind() && address.match([base, bits] as [ipaddr.IPv4, number]);
}
