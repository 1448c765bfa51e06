import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { BlobStore } from './blob-store.ts';
import { openBlobStore } from './open-blob-store.ts';

let server: Server | undefined;
let store: BlobStore | undefined;
afterEach(async () => {
  await store?.close();
  server?.closeAllConnections();
  await new Promise((resolve) => server?.close(resolve) ?? resolve(null));
});

async function storeBehind(
  answer: RequestListener,
  timeoutMs = 20_000,
): Promise<{ store: BlobStore; asked: () => number }> {
  let asked = 0;
  server = createServer((request, response) => {
    asked += 1;
    request.resume();
    request.on('end', () => answer(request, response));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  store = openBlobStore({
    kind: 's3',
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'r',
    bucket: 'b',
    accessKeyId: 'id',
    secretAccessKey: 'key',
    forcePathStyle: true,
    timeoutMs,
  });
  return { store, asked: () => asked };
}

describe('an S3 store in trouble', () => {
  it.each([
    [500, 'InternalError', 'blob.unavailable', 'transient'],
    [503, 'SlowDown', 'blob.unavailable', 'transient'],
    [429, 'TooManyRequests', 'blob.unavailable', 'transient'],
    [403, 'AccessDenied', 'blob.denied', 'permanent'],
    [401, 'Unauthorized', 'blob.denied', 'permanent'],
  ])('answers %i %s: %s, %s, after one attempt', async (status, name, code, errorClass) => {
    const { store, asked } = await storeBehind((_, response) => {
      response.writeHead(status, { 'content-type': 'application/xml' });
      response.end(`<?xml version="1.0"?><Error><Code>${name}</Code><Message>no</Message></Error>`);
    });
    const expected = { code, errorClass, detail: { status } };
    await expect(store.get('k')).rejects.toMatchObject(expected);
    await expect(store.put('k', 'x')).rejects.toMatchObject(expected);
    await expect(store.stat('k')).rejects.toMatchObject(expected);
    await expect(store.exists('k')).rejects.toMatchObject(expected);
    await expect(store.delete('k')).rejects.toMatchObject(expected);
    await expect(store.list()[Symbol.asyncIterator]().next()).rejects.toMatchObject(expected);
    expect(asked()).toBe(6);
  });

  const LOST = { code: 'blob.unavailable', errorClass: 'transient' };

  it('cuts the connection', async () => {
    const { store } = await storeBehind((request) => request.socket.destroy());
    await expect(store.get('k')).rejects.toMatchObject(LOST);
    await expect(store.put('k', 'x')).rejects.toMatchObject(LOST);
  });

  it('cuts the body: half a blob is none', async () => {
    const { store } = await storeBehind((request, response) => {
      response.writeHead(200, { 'content-length': '10' });
      response.write('half', () => request.socket.destroy());
    });
    await expect(store.get('k')).rejects.toMatchObject(LOST);
  });

  it('says nothing, or nothing more', async () => {
    const { store } = await storeBehind((request, response) => {
      if (request.url?.includes('more')) response.writeHead(200, { 'content-length': '10' }).write('half');
    }, 100);
    await expect(store.get('k')).rejects.toMatchObject(LOST);
    await expect(store.get('more')).rejects.toMatchObject(LOST);
  });

  it('is sent nothing that only AWS knows', async () => {
    let headers = {};
    const { store } = await storeBehind((request, response) => {
      headers = request.headers;
      response.end();
    });
    await store.put('k.json', 'x', { contentType: 'text/plain' });
    expect(headers).toMatchObject({ 'content-length': '1', 'content-type': 'text/plain' });
    expect(Object.keys(headers).filter((name) => /checksum|trailer|acl|content-encoding/.test(name))).toEqual([]);
  });

  it('answers a list page by page', async () => {
    const page = (keys: string[], next?: string) =>
      `<?xml version="1.0"?><ListBucketResult>${keys.map((key) => `<Contents><Key>${key}</Key><Size>1</Size></Contents>`).join('')}
        <IsTruncated>${next !== undefined}</IsTruncated>${next ? `<NextContinuationToken>${next}</NextContinuationToken>` : ''}</ListBucketResult>`;
    const { store, asked } = await storeBehind((request, response) => {
      const query = new URL(request.url ?? '', 'http://x').searchParams;
      response.setHeader('content-type', 'application/xml');
      response.end(
        query.get('continuation-token') === 't/1=' ? page(['a/2', 'a/3']) : page(['a/0', 'a/文', 'a/1'], 't/1='),
      );
    });
    const keys: string[] = [];
    for await (const key of store.list('a/')) keys.push(key);
    expect(keys).toEqual(['a/0', 'a/1', 'a/2', 'a/3']);
    expect(asked()).toBe(2);
  });

  it('is not there', async () => {
    const { store } = await storeBehind(() => {});
    await new Promise((resolve) => server?.close(resolve));
    await expect(store.get('k')).rejects.toMatchObject({ ...LOST, detail: { native: 'ECONNREFUSED' } });
  });
});
