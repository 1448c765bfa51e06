import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BlobStore, BlobStoreOptions } from './blob-store.ts';
import { openBlobStore } from './open-blob-store.ts';

// s3rver brings no types.
interface S3Rver {
  configureBuckets(): Promise<unknown>;
  listen(port: number, address: string): Promise<Server>;
}
const S3rver = createRequire(import.meta.url)('s3rver') as new (options: object) => S3Rver;

let folder: string;
let s3: Server;
const s3Options = (bucket: string): BlobStoreOptions => ({
  kind: 's3',
  endpoint: `http://127.0.0.1:${(s3.address() as AddressInfo).port}`,
  region: 'us-east-1',
  bucket,
  accessKeyId: 'S3RVER',
  secretAccessKey: 'S3RVER',
  forcePathStyle: true,
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blobs-'));
  const server = new S3rver({ silent: true, directory: join(folder, 's3'), configureBuckets: [{ name: 'blobs' }] });
  await server.configureBuckets();
  s3 = await server.listen(0, '127.0.0.1');
  if (!s3.listening) await once(s3, 'listening');
});
afterAll(async () => {
  s3.closeAllConnections();
  await new Promise((resolve) => s3.close(resolve));
  await rm(folder, { recursive: true });
});

const KINDS: readonly (readonly [string, () => BlobStoreOptions])[] = [
  ['a folder', () => ({ kind: 'folder', path: join(folder, 'deep', 'store') })],
  ['S3', () => s3Options('blobs')],
];

const collect = async (keys: AsyncIterable<string>) => {
  const all: string[] = [];
  for await (const key of keys) all.push(key);
  return all;
};

describe.each(KINDS)('blobs in %s', (_, options) => {
  let store: BlobStore;
  beforeAll(() => {
    store = openBlobStore({ ...options(), maxGetBytes: 8_000_000 });
  });
  beforeEach(async () => {
    for (const key of await collect(store.list())) await store.delete(key);
  });
  afterAll(() => store.close());

  it('finds nothing in an empty store', async () => {
    expect(await collect(store.list())).toEqual([]);
    expect(await store.exists('a')).toBe(false);
  });

  it('keeps bytes and text as they are', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, value) => value);
    await store.put('raw/bytes.bin', bytes);
    await store.put('raw/part.bin', bytes.subarray(3, 7));
    await store.put('raw/text.json', '{"答案":"豆包 🚂"}', { contentType: 'application/json' });
    await store.put('empty', '');
    expect(await store.get('raw/bytes.bin')).toEqual(bytes);
    expect(await store.get('raw/part.bin')).toEqual(Uint8Array.of(3, 4, 5, 6));
    expect(await store.getText('raw/text.json')).toBe('{"答案":"豆包 🚂"}');
    expect(await store.get('empty')).toEqual(new Uint8Array(0));
    expect(await store.stat('raw/bytes.bin')).toEqual({ bytes: 256 });
    expect(await store.stat('empty')).toEqual({ bytes: 0 });
  });

  it('keeps six million bytes and not one more', async () => {
    const bytes = Buffer.alloc(6_000_000, 'signalbox');
    await store.put('big', bytes);
    expect(await store.stat('big')).toEqual({ bytes: 6_000_000 });
    expect(Buffer.from(await store.get('big')).equals(bytes)).toBe(true);
  });

  it('replaces and deletes, twice if asked', async () => {
    await store.put('k', 'a long first text');
    await store.put('k', 'short');
    expect(await store.getText('k')).toBe('short');
    await store.delete('k');
    await store.delete('k');
    expect(await store.exists('k')).toBe(false);
  });

  it('says what is not there', async () => {
    await store.put('dir/file', 'x');
    for (const key of ['nope', 'no/pe', 'dir', 'dir/file/x']) {
      const missing = { code: 'blob.not_found', errorClass: 'permanent' };
      await expect(store.get(key), key).rejects.toMatchObject(missing);
      await expect(store.getText(key), key).rejects.toMatchObject(missing);
      await expect(store.stat(key), key).rejects.toMatchObject(missing);
      expect(await store.exists(key), key).toBe(false);
      await store.delete(key);
    }
    expect(await store.getText('dir/file')).toBe('x');
  });

  it('caps what it reads', async () => {
    await store.put('ten', '0123456789');
    const tooLarge = { code: 'blob.too_large', errorClass: 'permanent', detail: { limit_bytes: 9 } };
    await expect(store.get('ten', { maxBytes: 9 })).rejects.toMatchObject(tooLarge);
    await expect(store.getText('ten', { maxBytes: 9 })).rejects.toMatchObject(tooLarge);
    expect((await store.get('ten', { maxBytes: 10 })).length).toBe(10);
    await store.put('over', Buffer.alloc(8_000_001));
    await expect(store.get('over')).rejects.toMatchObject({ code: 'blob.too_large' });
  });

  it('takes no bytes for text', async () => {
    await store.put('latin', Uint8Array.of(0x63, 0x61, 0x66, 0xe9));
    await expect(store.getText('latin')).rejects.toMatchObject({ code: 'blob.not_text', errorClass: 'permanent' });
    await store.put('bom', '\ufefftext');
    expect(await store.getText('bom')).toBe('text');
  });

  it('lists by the beginning of the key', async () => {
    const keys = ['B', 'a-b/x', 'a.txt', 'a/b/c', 'a/b/d', 'a/bc', 'a/c', 'aa', 'z'];
    for (const key of [...keys].reverse()) await store.put(key, key);
    // S3 lists in the order of bytes; s3rver, in the order of its folders.
    expect((await collect(store.list())).sort()).toEqual(keys);
    expect(await collect(store.list('a/b'))).toEqual(['a/b/c', 'a/b/d', 'a/bc']);
    expect(await collect(store.list('a/b/'))).toEqual(['a/b/c', 'a/b/d']);
    expect((await collect(store.list('a'))).sort()).toEqual(keys.slice(1, 8));
    expect(await collect(store.list('nothing/here'))).toEqual([]);
  });

  it.each([
    '',
    '/',
    '/a',
    'a/',
    'a//b',
    '.',
    '..',
    '../a',
    'a/../b',
    'a..b',
    './a',
    '.a',
    'a.',
    'a/.b',
    'a b',
    '文.txt',
    'a\\b',
    'a\0',
    'a~b',
    'C:x',
    'a?b',
    'x'.repeat(201),
    'x/'.repeat(500),
  ])('refuses the key %j', async (key) => {
    const bad = { code: 'blob.bad_key', errorClass: 'permanent' };
    await expect(store.put(key, 'x')).rejects.toMatchObject(bad);
    await expect(store.get(key)).rejects.toMatchObject(bad);
    await expect(store.exists(key)).rejects.toMatchObject(bad);
    await expect(store.stat(key)).rejects.toMatchObject(bad);
    await expect(store.delete(key)).rejects.toMatchObject(bad);
  });

  it('serves many at once', async () => {
    const keys = Array.from({ length: 40 }, (_, n) => `many/${n % 4}/${n}`);
    await Promise.all(keys.map((key) => store.put(key, key)));
    expect(await Promise.all(keys.map((key) => store.getText(key)))).toEqual(keys);
  });
});

it('names a bucket that is missing', async () => {
  const store = openBlobStore(s3Options('nobody'));
  await expect(store.put('k', 'x')).rejects.toMatchObject({ code: 'blob.bucket_missing', errorClass: 'permanent' });
  await expect(store.get('k')).rejects.toMatchObject({ code: 'blob.bucket_missing', errorClass: 'permanent' });
  await store.close();
});
