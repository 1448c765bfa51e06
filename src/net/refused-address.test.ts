import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAddressPolicy } from './address-policy.ts';
import { checkUrl, readUrl } from './check-url.ts';
import { readAddress, refusedRange } from './refused-address.ts';

const REFUSED_4: readonly (readonly [base: string, bits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['255.255.255.255', 32],
];

const REFUSED_6: readonly (readonly [groups: readonly number[], bits: number])[] = [
  [[0, 0, 0, 0, 0, 0, 0, 0], 96], // unspecified, loopback, IPv4-compatible
  [[0x64, 0xff9b, 1], 48], // local-use NAT64
  [[0x100], 64], // discard
  [[0x2001, 0], 32], // Teredo
  [[0x2001, 2, 0], 48], // benchmarking
  [[0x2001, 0xdb8], 32], // documentation
  [[0x2002], 16], // 6to4
  [[0x3fff], 20], // documentation
  [[0x5f00], 16], // segment routing
  [[0x4000], 3], // not assigned
  [[0xfc00], 7], // unique-local
  [[0xfe80], 10], // link-local
  [[0xfec0], 10], // site-local
  [[0xff00], 8], // multicast
];

const toNumber = (dotted: string) => dotted.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
const bytesOf = (n: number) => [n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255] as const;
const dotted = (n: number) => bytesOf(n).join('.');
const hex4 = (n: number) => `${(n >>> 16).toString(16)}:${(n & 0xffff).toString(16)}`;
const inside4 = ([base, bits]: readonly [string, number]) =>
  fc.integer({ min: 0, max: 2 ** (32 - bits) - 1 }).map((offset) => toNumber(base) + offset);

/** Every way in which an IPv4 address is written as the host of a URL. */
const SPELLINGS: readonly ((n: number) => string)[] = [
  dotted,
  (n) => `${dotted(n)}.`,
  (n) => String(n),
  (n) => `0x${n.toString(16)}`,
  (n) => `0X${n.toString(16).toUpperCase()}`,
  (n) => `0${n.toString(8)}`,
  (n) =>
    bytesOf(n)
      .map((b) => `0x${b.toString(16)}`)
      .join('.'),
  (n) =>
    bytesOf(n)
      .map((b) => `000${b.toString(8)}`)
      .join('.'),
  (n) => `${n >>> 24}.${n & 0xffffff}`,
  (n) => `${n >>> 24}.${(n >>> 16) & 255}.${n & 0xffff}`,
  (n) => dotted(n).replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  (n) => dotted(n).replaceAll('.', '。'),
  (n) => dotted(n).replace(/\d/g, (digit) => `%3${digit}`),
  (n) => `[::ffff:${dotted(n)}]`,
  (n) => `[::ffff:${hex4(n)}]`,
  (n) => `[0:0:0:0:0:FFFF:${hex4(n).toUpperCase()}]`,
  (n) => `[64:ff9b::${hex4(n)}]`,
  (n) => `[64:ff9b::${dotted(n)}]`,
];
const WRAPPINGS_REFUSED_WHOLE: readonly ((n: number) => string)[] = [
  (n) => `[::${dotted(n)}]`,
  (n) => `[2002:${hex4(n)}::1]`,
  (n) => `[2001:0:4136:e378:8000:63bf:${hex4(~n >>> 0)}]`,
  (n) => `[::ffff:0:${hex4(n)}]`,
];

const strict = createAddressPolicy(false);
const refusedAsUrl = (host: string) => {
  try {
    checkUrl(readUrl(`http://${host}/`), strict);
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('refused addresses', () => {
  it.each([
    ['127.0.0.1', 'loopback'],
    ['0.0.0.0', 'unspecified'],
    ['169.254.169.254', 'linkLocal'],
    ['100.64.0.1', 'carrierGradeNat'],
    ['198.18.0.1', 'reserved'],
    ['255.255.255.255', 'broadcast'],
    ['::1', 'loopback'],
    ['::', 'unspecified'],
    ['::ffff:7f00:1', 'loopback'],
    ['64:ff9b::a9fe:a9fe', 'linkLocal'],
    ['fe80::1%eth0', 'linkLocal'],
    ['fd00::1', 'uniqueLocal'],
    ['4000::1', 'unassigned'],
    ['example.com', 'not_an_address'],
    ['', 'not_an_address'],
  ])('%s is %s', (address, range) => expect(refusedRange(address)).toBe(range));

  it.each(['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '172.15.255.255'])(
    '%s is public',
    (address) => expect(refusedRange(address)).toBeNull(),
  );
  it.each(['172.32.0.0', '192.167.255.255', '223.255.255.255', '2606:4700::1111', '240e::1', '::ffff:8.8.8.8'])(
    '%s is public',
    (address) => expect(refusedRange(address)).toBeNull(),
  );

  it('reads wrapped addresses as the ones inside', () => {
    expect(readAddress('[::ffff:127.0.0.1]')?.toString()).toBe('127.0.0.1');
    expect(readAddress('64:ff9b::808:808')?.toString()).toBe('8.8.8.8');
  });

  it.each(REFUSED_4)('every address in %s/%i is refused in every spelling', (base, bits) => {
    fc.assert(
      fc.property(inside4([base, bits]), (n) => {
        expect(refusedRange(dotted(n))).not.toBeNull();
        for (const spell of [...SPELLINGS, ...WRAPPINGS_REFUSED_WHOLE]) {
          expect(refusedAsUrl(spell(n)), spell(n)).toBe('net.address_refused');
        }
      }),
      { numRuns: 20 },
    );
  });

  it('every other IPv4 address passes in every spelling that the network unwraps', () => {
    const refused = REFUSED_4.map(([base, bits]) => [toNumber(base), toNumber(base) + 2 ** (32 - bits)] as const);
    // AS112 and AMT: routed, and no site's.
    for (const base of ['192.31.196.0', '192.52.193.0', '192.175.48.0'])
      refused.push([toNumber(base), toNumber(base) + 256]);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), (n) => {
        fc.pre(!refused.some(([from, to]) => n >= from && n < to));
        for (const spell of SPELLINGS) expect(refusedAsUrl(spell(n)), spell(n)).toBeNull();
        for (const wrap of WRAPPINGS_REFUSED_WHOLE) expect(refusedAsUrl(wrap(n)), wrap(n)).toBe('net.address_refused');
      }),
      { numRuns: 100 },
    );
  });

  it.each(REFUSED_6)('every address in %j/%i is refused', (groups, bits) => {
    const group = fc.integer({ min: 0, max: 0xffff });
    fc.assert(
      fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (random) => {
        const address = random.map((value, index) => {
          const kept = Math.min(Math.max(bits - index * 16, 0), 16);
          const mask = (0xffff << (16 - kept)) & 0xffff;
          return ((groups[index] ?? 0) & mask) | (value & ~mask & 0xffff);
        });
        const text = address.map((value) => value.toString(16)).join(':');
        expect(refusedRange(text), text).not.toBeNull();
        expect(refusedAsUrl(`[${text}]`), text).toBe('net.address_refused');
        expect(refusedAsUrl(`[${text.toUpperCase()}]`), text).toBe('net.address_refused');
      }),
      { numRuns: 20 },
    );
  });
});
