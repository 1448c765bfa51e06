import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { uuid5, uuid7 } from './ids.ts';

const V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const V5 = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const times = fc.nat({ max: 2 ** 48 - 1 });
const chance = fc.uint8Array({ minLength: 10, maxLength: 10 }).map((bytes) => Buffer.from(bytes));

const timeOf = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);

describe('uuid7', () => {
  test('has the shape of RFC 9562 and carries its time and its chance', () => {
    fc.assert(
      fc.property(times, chance, (ms, random) => {
        const id = uuid7(ms, random);
        expect(id).toMatch(V7);
        expect(timeOf(id)).toBe(ms);
        const tail = id.replaceAll('-', '').slice(12);
        const given = random.toString('hex');
        expect(tail.slice(1, 4)).toBe(given.slice(1, 4));
        expect(tail.slice(5)).toBe(given.slice(5));
        expect(Number.parseInt(tail[4]!, 16) & 3).toBe(Number.parseInt(given[4]!, 16) & 3);
      }),
    );
  });

  test('sorts by time, whatever the chance', () => {
    fc.assert(
      fc.property(times, times, chance, chance, (one, other, a, b) => {
        fc.pre(one !== other);
        expect(uuid7(one, a) < uuid7(other, b)).toBe(one < other);
      }),
    );
  });

  test('the example of RFC 9562, appendix A.6', () => {
    expect(uuid7(0x017f22e279b0, Buffer.from('0cc318c4dc0c0c07398f', 'hex'))).toBe(
      '017f22e2-79b0-7cc3-98c4-dc0c0c07398f',
    );
  });

  test('takes the time of now, and no id twice', () => {
    const before = Date.now();
    const ids = Array.from({ length: 5_000 }, () => uuid7());
    const after = Date.now();
    expect(new Set(ids).size).toBe(ids.length);
    const late = ids.filter((id) => timeOf(id) < before || timeOf(id) > after);
    expect(late).toEqual([]);
  });
});

describe('uuid5', () => {
  const DNS = '6ba7b810-9dad-11d1-80b4-00c04fd430c8';

  test('the example of RFC 9562, appendix A.4', () => {
    expect(uuid5(DNS, 'www.example.com')).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2');
  });

  test('is the same for the same parts, however the namespace is spelt', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.array(fc.string(), { minLength: 1 }), (namespace, parts) => {
        const id = uuid5(namespace, ...parts);
        expect(id).toMatch(V5);
        expect(uuid5(namespace.toUpperCase(), ...parts)).toBe(id);
      }),
    );
  });

  test('differs when a part, its place, the border between two or the namespace differs', () => {
    const part = fc.string().filter((text) => !text.includes('\0'));
    const parts = fc.array(part, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.uuid(), parts, parts, (namespace, one, other) => {
        fc.pre(JSON.stringify(one) !== JSON.stringify(other));
        expect(uuid5(namespace, ...one)).not.toBe(uuid5(namespace, ...other));
      }),
    );
    expect(uuid5(DNS, 'a', 'bc')).not.toBe(uuid5(DNS, 'ab', 'c'));
    expect(uuid5(DNS, 'a', 'b')).not.toBe(uuid5(DNS, 'b', 'a'));
    expect(uuid5(DNS, 'a')).not.toBe(uuid5(uuid5(DNS, 'a'), 'a'));
  });
});
