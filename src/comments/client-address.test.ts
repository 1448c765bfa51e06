import { describe, expect, test } from 'vitest';
import { addressHash, clientAddress, parseProxies } from './client-address.ts';

describe('the address of a client (case 42)', () => {
  const proxies = parseProxies('10.0.0.0/8, ::1');
  test.each([
    ['a header that anybody may write changes nothing', '203.0.113.7', '198.51.100.1', '203.0.113.7'],
    ['of one behind a proxy of ours', '10.1.2.3', '203.0.113.7', '203.0.113.7'],
    ['of another behind the same', '10.1.2.3', '203.0.113.8', '203.0.113.8'],
    ['what the client wrote itself stands further left', '10.1.2.3', '1.1.1.1, 203.0.113.7', '203.0.113.7'],
    ['two proxies', '::1', '203.0.113.7, 10.9.9.9', '203.0.113.7'],
    ['IPv4 in IPv6', '::ffff:10.1.2.3', '203.0.113.7:443', '203.0.113.7'],
    ['brackets and a port', '10.1.2.3', '[2001:db8::1]:443', '2001:db8::1'],
    ['nonsense', '10.1.2.3', 'unknown', '10.1.2.3'],
    ['no header', '10.1.2.3', undefined, '10.1.2.3'],
    ['no connection', undefined, '203.0.113.7', null],
  ])('%s', (_, connection, forwarded, expected) => {
    expect(clientAddress(connection, forwarded, proxies)).toBe(expected);
  });

  test('IPv6 counts by its /64, and nothing can be told from the hash without the key', () => {
    const hash = (address: string, key = 'k') => addressHash(address, key);
    expect(hash('2001:db8::1')).toBe(hash('2001:db8::ffff:1'));
    expect(hash('2001:db8::1')).not.toBe(hash('2001:db8:0:1::1'));
    expect(hash('203.0.113.7')).not.toBe(hash('203.0.113.8'));
    expect(hash('::ffff:203.0.113.7')).toBe(hash('203.0.113.7'));
    expect(hash('203.0.113.7')).not.toBe(hash('203.0.113.7', 'other'));
  });

  test('a proxy that is no address is refused', () => {
    expect(() => parseProxies('10.0.0.0/8, proxy')).toThrow(/'proxy' is no address/);
  });
});
