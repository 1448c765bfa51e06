import { crc32, deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { DEFAULT_BUDGETS, startMeter } from './budgets.ts';
import { listZip, peekZip, readZip, writeZip } from './zip.ts';

const meter = (budgets = {}) => startMeter({ ...DEFAULT_BUDGETS, ...budgets }, () => 0);
const texts = (bytes: Uint8Array, budgets = {}) =>
  Object.fromEntries(
    [...readZip(bytes, meter(budgets))].map(([name, content]) => [name, Buffer.from(content).toString()]),
  );
const files = (...entries: [string, string][]) =>
  entries.map(([name, content]) => [name, Buffer.from(content)] as const);
const END_SIZE = 22;

/** The same archive with sizes and places in the fields of ZIP64 alone. */
function asZip64(bytes: Uint8Array): Uint8Array {
  const old = Buffer.from(bytes);
  const directoryAt = old.readUInt32LE(old.length - 6);
  const directory: Buffer[] = [];
  for (let at = directoryAt; old.readUInt32LE(at) === 0x02014b50; ) {
    const nameLength = old.readUInt16LE(at + 28);
    const entry = Buffer.from(old.subarray(at, at + 46 + nameLength));
    const extra = Buffer.alloc(28);
    extra.writeUInt16LE(1, 0);
    extra.writeUInt16LE(24, 2);
    extra.writeBigUInt64LE(BigInt(entry.readUInt32LE(24)), 4);
    extra.writeBigUInt64LE(BigInt(entry.readUInt32LE(20)), 12);
    extra.writeBigUInt64LE(BigInt(entry.readUInt32LE(42)), 20);
    for (const field of [20, 24, 42]) entry.writeUInt32LE(0xffffffff, field);
    entry.writeUInt16LE(extra.length, 30);
    directory.push(entry, extra);
    at += 46 + nameLength;
  }
  const record = Buffer.alloc(56);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(BigInt(directory.length / 2), 32);
  record.writeBigUInt64LE(BigInt(directoryAt), 48);
  const recordAt = directoryAt + directory.reduce((sum, one) => sum + one.length, 0);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(recordAt), 8);
  const end = Buffer.from(old.subarray(old.length - END_SIZE));
  end.writeUInt16LE(0xffff, 10);
  end.writeUInt32LE(0xffffffff, 16);
  return Buffer.concat([old.subarray(0, directoryAt), ...directory, record, locator, end]);
}

describe('archives', () => {
  test('files come back, in ZIP64 too, behind a comment too', () => {
    const bytes = writeZip(files(['a', 'one'], ['b/c', 'two']));
    const said = Buffer.concat([bytes, Buffer.from('PK a comment')]);
    said.writeUInt16LE(12, bytes.length - 2);
    for (const one of [bytes, asZip64(bytes), said]) expect(texts(one)).toEqual({ a: 'one', 'b/c': 'two' });
  });

  test('sizes that stand behind the data are taken from the directory', () => {
    const bytes = Buffer.from(writeZip(files(['a', 'one'])));
    bytes.writeUInt16LE(0x0008, 6);
    for (const field of [14, 18, 22]) bytes.writeUInt32LE(0, field);
    expect(texts(bytes)).toEqual({ a: 'one' });
  });

  test('names are names: they lead nowhere, and the last of several counts', () => {
    const bytes = writeZip(
      files(['../../etc/passwd', 'x'], ['a\\b.xml', 'y'], ['a/b.xml', 'z'], ['/a', 'w'], ['__proto__', 'v']),
    );
    expect([...readZip(bytes, meter()).keys()]).toEqual(['../../etc/passwd', 'a/b.xml', '/a', '__proto__']);
    expect(texts(bytes)['a/b.xml']).toBe('z');
  });

  test('one small file by its name', () => {
    const bytes = writeZip(files(['a', 'one'], ['b', 'x'.repeat(200)]));
    expect(['a', 'b', 'c'].map((name) => peekZip(bytes, name, 100))).toEqual(['one', null, null]);
    expect(listZip(bytes)).toEqual(['a', 'b']);
    expect(listZip(Buffer.from('PK'))).toBeNull();
  });

  test('only what is wanted is unpacked', () => {
    const bytes = Buffer.from(writeZip(files(['a.xml', 'one'], ['b.png', 'two'])));
    bytes[bytes.indexOf('two')] = 0;
    expect([...readZip(bytes, meter(), (name) => name.endsWith('.xml')).keys()]).toEqual(['a.xml']);
  });
});

describe('what is refused', () => {
  const bytes = Buffer.from(writeZip(files(['a', 'one'], ['b', 'two'])));
  const changed = (change: (bytes: Buffer) => void) => {
    const copy = Buffer.from(bytes);
    change(copy);
    return copy;
  };
  const directory = bytes.readUInt32LE(bytes.length - 6);
  test.each([
    ['no directory', bytes.subarray(0, directory), {}, 'file.invalid'],
    ['a directory that lies elsewhere', changed((one) => one.writeUInt32LE(9, one.length - 6)), {}, 'file.invalid'],
    ['an entry that is not there', changed((one) => one.writeUInt32LE(5, directory + 42)), {}, 'file.invalid'],
    ['a changed byte', changed((one) => one.write('X', one.indexOf('one'))), {}, 'file.invalid'],
    ['an unknown way of packing', changed((one) => one.writeUInt16LE(12, directory + 10)), {}, 'file.invalid'],
    ['data that is not packed as it says', changed((one) => one.writeUInt16LE(8, directory + 10)), {}, 'file.invalid'],
    ['a password', changed((one) => one.writeUInt16LE(1, directory + 8)), {}, 'file.password_required'],
    ['too many files', bytes, { archiveEntries: 1 }, 'file.too_large'],
    ['too much in it', bytes, { expandedBytes: 5 }, 'file.too_large'],
  ])('%s', (_, archive, budgets, code) => {
    expect(() => readZip(archive, meter(budgets))).toThrowError(expect.objectContaining({ code }));
  });

  test('case 46: one piece of data under many names counts as often as it is named', () => {
    const content = deflateRawSync(Buffer.alloc(100_000));
    const one = Buffer.from(writeZip([['x', content]]));
    const at = one.readUInt32LE(one.length - 6);
    const entry = Buffer.from(one.subarray(at, one.length - END_SIZE));
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(crc32(Buffer.alloc(100_000)), 16);
    entry.writeUInt32LE(100, 24);
    const end = Buffer.from(one.subarray(one.length - END_SIZE));
    end.writeUInt16LE(200, 10);
    const named = Array.from({ length: 200 }, (_, number) => {
      const copy = Buffer.from(entry);
      copy.writeUInt8(33 + (number % 90), 46);
      return copy;
    });
    const bomb = Buffer.concat([one.subarray(0, at), ...named, end]);
    expect(() => readZip(bomb, meter())).toThrowError(expect.objectContaining({ code: 'file.too_large' }));
  });

  test('case 46: archives of one document count together', () => {
    const together = meter({ expandedBytes: 8 });
    readZip(bytes, together);
    expect(() => readZip(bytes, together)).toThrowError(expect.objectContaining({ code: 'file.too_large' }));
  });
});
