import { describe, expect, it } from 'vitest';
import { createAddressPolicy } from './address-policy.ts';

describe('address policy', () => {
  it.each(['127.0.0.1', '10.1.2.3', '100.64.0.1', '::1', 'fd00::1', '::ffff:10.0.0.1'])(
    'allowPrivate: true admits %s',
    (address) => {
      expect(createAddressPolicy(true).refusedAddress('h', address)).toBeNull();
      expect(createAddressPolicy(false).refusedAddress('h', address)).not.toBeNull();
    },
  );

  it.each([
    '169.254.169.254',
    'fe80::1',
    '0.0.0.0',
    '224.0.0.1',
    '240.0.0.1',
    '::ffff:169.254.169.254',
    '2002:7f00:1::',
  ])('allowPrivate: true still refuses %s', (address) =>
    expect(createAddressPolicy(true).refusedAddress('h', address)).not.toBeNull(),
  );

  it('admits exactly the listed networks, addresses and hosts', () => {
    const policy = createAddressPolicy([
      '10.2.0.0/16',
      '192.168.1.7',
      'fd12::/16',
      'Intranet.Example.',
      '169.254.169.254',
    ]);
    expect(policy.refusedAddress('h', '10.2.255.1')).toBeNull();
    expect(policy.refusedAddress('h', '::ffff:10.2.0.1')).toBeNull();
    expect(policy.refusedAddress('h', '10.3.0.1')).toBe('private');
    expect(policy.refusedAddress('h', '192.168.1.7')).toBeNull();
    expect(policy.refusedAddress('h', '192.168.1.8')).toBe('private');
    expect(policy.refusedAddress('h', 'fd12::9')).toBeNull();
    expect(policy.refusedAddress('h', 'fd13::9')).toBe('uniqueLocal');
    expect(policy.refusedAddress('h', '169.254.169.254')).toBeNull();
    expect(policy.refusedAddress('intranet.example', '127.0.0.1')).toBeNull();
    expect(policy.refusedAddress('INTRANET.example.', '127.0.0.1')).toBeNull();
    expect(policy.refusedAddress('x.intranet.example', '127.0.0.1')).toBe('loopback');
    // A listed host names a machine inside, not the metadata service.
    expect(policy.refusedAddress('intranet.example', '169.254.0.1')).toBe('linkLocal');
    expect(policy.refusedAddress('h', '8.8.8.8')).toBeNull();
  });

  it.each(['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', ''])('refuses the name "%s" unasked', (name) => {
    expect(createAddressPolicy(false).refusedName(name)).not.toBeNull();
  });

  it('leaves names to their addresses otherwise', () => {
    expect(createAddressPolicy(false).refusedName('localhost.example')).toBeNull();
    expect(createAddressPolicy(true).refusedName('localhost')).toBeNull();
    expect(createAddressPolicy(['127.0.0.0/8']).refusedName('localhost')).toBeNull();
  });

  it.each(['http://h/', 'a b', '10.0.0.0/99', '*.corp', ''])('refuses the entry "%s"', (entry) => {
    expect(() => createAddressPolicy([entry])).toThrow(expect.objectContaining({ code: 'net.bad_option' }));
  });
});
