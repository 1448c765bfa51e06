import { Readable } from 'node:stream';
import * as zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { toNetError } from './net-errors.ts';
import { readBody } from './read-body.ts';

const TEXT = Buffer.from('Signalbox 信号楼 '.repeat(5000));
const KIB = 1024;
const MIB = 1024 * KIB;

const inParts = (bytes: Uint8Array, size: number) =>
  Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += size) yield Buffer.from(bytes.subarray(at, at + size));
    })(),
  );
const read = (source: Readable, contentEncoding?: string, limits = {}, contentLength?: string) =>
  readBody(
    source,
    { contentEncoding, contentLength },
    { maxBytes: MIB, maxWireBytes: MIB, signal: new AbortController().signal, ...limits },
  );
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no error',
    (error) => toNetError(error).code,
  );

const CODINGS: readonly (readonly [string | undefined, (bytes: Buffer) => Buffer])[] = [
  [undefined, (bytes) => bytes],
  ['identity', (bytes) => bytes],
  ['gzip', zlib.gzipSync],
  ['X-GZIP', zlib.gzipSync],
  ['deflate', zlib.deflateSync],
  ['deflate', zlib.deflateRawSync],
  ['br', zlib.brotliCompressSync],
  ['zstd', zlib.zstdCompressSync],
  ['gzip, br', (bytes) => zlib.brotliCompressSync(zlib.gzipSync(bytes))],
];

describe('reading a body', () => {
  it.each(CODINGS)('decodes %s', async (coding, encode) => {
    const encoded = encode(TEXT);
    for (const size of [encoded.length, 13]) {
      const result = await read(inParts(encoded, size), coding);
      expect(Buffer.from(result.body).equals(TEXT)).toBe(true);
      expect(result.bytes).toEqual({ wire: encoded.length, decoded: TEXT.length });
    }
  });

  it('takes an empty body for empty in every coding', async () => {
    for (const [coding] of CODINGS) {
      expect((await read(Readable.from([]), coding)).bytes).toEqual({ wire: 0, decoded: 0 });
    }
  });

  it('reads members that follow each other', async () => {
    const two = Buffer.concat([zlib.gzipSync('one '), zlib.gzipSync('two')]);
    expect(Buffer.from((await read(inParts(two, 5), 'gzip')).body).toString()).toBe('one two');
  });

  it('tells a cut body from a wrong one', async () => {
    expect(await codeOf(read(inParts(zlib.gzipSync(TEXT).subarray(0, 90), 20), 'gzip'))).toBe('net.truncated');
    for (const coding of ['gzip', 'br', 'zstd']) {
      expect(await codeOf(read(inParts(TEXT, 100), coding))).toBe('net.bad_encoding');
    }
  });

  it('refuses unknown codings and towers of known ones', async () => {
    expect(await codeOf(read(inParts(TEXT, 100), 'rot13'))).toBe('net.bad_encoding');
    expect(await codeOf(read(inParts(TEXT, 100), 'constructor'))).toBe('net.bad_encoding');
    expect(await codeOf(read(inParts(TEXT, 100), 'gzip, gzip, gzip, gzip'))).toBe('net.bad_encoding');
  });

  it('keeps what fits to the byte', async () => {
    const limits = { maxBytes: TEXT.length, maxWireBytes: TEXT.length };
    expect((await read(inParts(TEXT, 1000), undefined, limits)).bytes.decoded).toBe(TEXT.length);
    expect((await read(inParts(zlib.gzipSync(TEXT), 50), 'gzip', limits)).bytes.decoded).toBe(TEXT.length);
    const less = { ...limits, maxBytes: TEXT.length - 1 };
    expect(await codeOf(read(inParts(TEXT, 1000), undefined, less))).toBe('net.too_large');
    expect(await codeOf(read(inParts(zlib.gzipSync(TEXT), 50), 'gzip', less))).toBe('net.too_large');
  });

  it('reads nothing of a body that declares too much', async () => {
    let pulled = 0;
    const source = new Readable({
      read() {
        pulled += 1;
        this.push(Buffer.alloc(10));
      },
    });
    expect(await codeOf(read(source, undefined, {}, String(MIB + 1)))).toBe('net.too_large');
    expect(pulled).toBe(0);
    expect(source.destroyed).toBe(true);
  });

  it('stops an endless body at the wire cap, whatever it decodes to', async () => {
    // Empty members: bytes on the wire for ever, not one decoded.
    const member = zlib.gzipSync('');
    let sent = 0;
    const source = new Readable({
      read() {
        sent += member.length;
        this.push(member);
      },
    });
    expect(await codeOf(read(source, 'gzip', { maxWireBytes: 64 * KIB }))).toBe('net.too_large');
    expect(sent).toBeLessThan(256 * KIB);
  });

  it.each([
    ['gzip', zlib.gzipSync],
    ['gzip, gzip', (bytes: Buffer) => zlib.gzipSync(zlib.gzipSync(bytes))],
  ])('stops a bomb of 2 GiB in %s early, in flat memory', async (coding, encode) => {
    const member = encode(Buffer.alloc(4 * MIB));
    let members = 0;
    const source = new Readable({
      read() {
        members += 1;
        this.push(members > 512 ? null : member);
      },
    });
    const before = process.memoryUsage().rss;
    const limits = { maxBytes: 8 * MIB, maxWireBytes: 64 * MIB };
    expect(await codeOf(read(source, coding, limits))).toBe('net.too_large');
    expect(process.memoryUsage().rss - before).toBeLessThan(96 * MIB);
    // The buffers between the streams may hold some more than what fills the cap, never the rest.
    expect(members * member.length).toBeLessThan(512 * KIB);
  });

  it('ends with the signal even when everything has arrived', async () => {
    const controller = new AbortController();
    const source = new Readable({ read() {} });
    const reading = codeOf(read(source, 'gzip', { signal: controller.signal }));
    controller.abort();
    expect(await reading).not.toBe('no error');
    expect(source.destroyed).toBe(true);
  });
});
