import { lookup as systemLookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { CodedError } from '../errors/coded-error.ts';
import type { AddressPolicy } from './address-policy.ts';
import { addressRefused } from './check-url.ts';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** Looks a host name up. Fails as `dns.lookup` does, with `ENOTFOUND`, `EAI_AGAIN` and so on in `code`. */
export type Resolver = (hostname: string) => Promise<readonly ResolvedAddress[]>;

/** The look-up of the operating system, hosts file included. */
export const systemResolver: Resolver = (hostname) => systemLookup(hostname, { all: true });

/**
 * Makes the function by which undici opens sockets. The addresses that are checked are the very ones that are connected
 * to: a check before the request would look up once, the connection again, and a rebinding name server answers each
 * differently.
 *
 * One refused address refuses the whole name. A public name with an address inside is an attack or a mistake, and to
 * go on with the rest would leave the choice to whoever ordered the list.
 */
export function createGuardedConnect(
  policy: AddressPolicy,
  resolver: Resolver,
  connectTimeoutMs: number,
): buildConnector.connector {
  const lookup: LookupFunction = (hostname, options, callback) => {
    resolver(hostname).then(
      (addresses) => {
        for (const { address } of addresses) {
          const reason = policy.refusedAddress(hostname, address);
          if (reason !== null) return callback(addressRefused(reason), '', 0);
        }
        const first = addresses[0];
        if (first === undefined) return callback(Object.assign(new Error('no address'), { code: 'ENODATA' }), '', 0);
        if (options.all) return callback(null, [...addresses]);
        return callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    );
  };
  // HTTP/1.1 only: one socket for one request, so that a cut, a cap or a time limit ends that request and no other.
  const connect = buildConnector({ lookup, allowH2: false, timeout: connectTimeoutMs });

  return (options, callback) => {
    connect(options, (error, socket) => {
      if (error !== null) return callback(error, null);
      // The second lock: whatever way led here, nothing is written to a peer that the policy refuses.
      const peer = socket.remoteAddress;
      const failure =
        peer === undefined
          ? new CodedError('net.reset', 'transient', 'The connection was closed')
          : refusedPeer(policy, options.hostname, peer);
      if (failure === null) return callback(null, socket);
      socket.destroy();
      return callback(failure, null);
    });
  };
}

function refusedPeer(policy: AddressPolicy, hostname: string, peer: string): CodedError | null {
  const reason = policy.refusedAddress(hostname, peer);
  return reason === null ? null : addressRefused(reason);
}
