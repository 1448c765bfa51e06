import { once } from 'node:events';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import * as zlib from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import type { HttpClientOptions } from './client-types.ts';
import { createHttpClient } from './http-client.ts';
import { type LoopbackServer, startLoopbackServer } from './loopback-server.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

type Answer = Parameters<typeof startLoopbackServer>[0];
async function serve(answer: Answer): Promise<LoopbackServer> {
  const server = await startLoopbackServer(answer);
  cleanups.push(() => server.close());
  return server;
}
function client(options: Partial<HttpClientOptions> = {}) {
  const made = createHttpClient({ userAgent: 'signalbox-test', allowPrivate: true, ...options });
  cleanups.push(() => made.close());
  return made;
}
const text = (body: Uint8Array) => Buffer.from(body).toString();

describe('a request', () => {
  it('brings status, headers, body and both counts', async () => {
    const packed = zlib.gzipSync('<rss/>'.repeat(100));
    const server = await serve((_, response) => {
      response.writeHead(404, [
        ['Content-Encoding', 'gzip'],
        ['ETag', 'W/"x"'],
        ['Link', '<a>'],
        ['Link', '<b>'],
        ['Set-Cookie', 'a=1, 2'],
        ['Set-Cookie', 'b'],
      ]);
      response.end(packed);
    });
    const answer = await client().request({ url: `${server.origin}/feed?a=1#part`, headers: { 'X-One': '1' } });
    expect(answer).toMatchObject({
      status: 404,
      url: `${server.origin}/feed?a=1`,
      redirects: [],
      bytes: { wire: packed.length, decoded: 600 },
      headers: { etag: 'W/"x"', link: '<a>, <b>', 'set-cookie': 'a=1, 2\nb' },
    });
    expect(text(answer.body)).toBe('<rss/>'.repeat(100));
    expect(server.requests[0]).toMatchObject({ method: 'GET', path: '/feed?a=1', body: '' });
    expect(server.requests[0]?.headers).toMatchObject({
      'user-agent': 'signalbox-test',
      'accept-encoding': 'gzip, deflate, br, zstd',
      'x-one': '1',
      host: `127.0.0.1:${server.port}`,
    });
  });

  it('sends bodies, text and parts of larger buffers', async () => {
    const server = await serve((_, response) => response.end());
    const http = client();
    await http.request({ url: server.origin, method: 'post', body: '信号' });
    await http.request({ url: server.origin, method: 'PUT', body: new TextEncoder().encode('xxabcxx').subarray(2, 5) });
    expect(server.requests.map(({ method, body }) => [method, body])).toEqual([
      ['POST', '信号'],
      ['PUT', 'abc'],
    ]);
  });

  it('reads no body after HEAD, 204 and 304, whatever the headers promise', async () => {
    const server = await serve((request, response) => {
      const status = Number(request.url?.slice(1));
      response.writeHead(status, {
        'content-encoding': 'gzip',
        ...(status === 200 && { 'content-length': '99999999' }),
      });
      response.end();
    });
    const http = client();
    expect((await http.request({ url: `${server.origin}/200`, method: 'HEAD', maxBytes: 10 })).bytes.wire).toBe(0);
    for (const status of [204, 304]) {
      expect((await http.request({ url: `${server.origin}/${status}` })).bytes.decoded).toBe(0);
    }
  });

  it('refuses headers that are its own or cannot be sent', async () => {
    const server = await serve((_, response) => response.end());
    for (const headers of [
      { Host: 'inside' },
      { 'Transfer-Encoding': 'chunked' },
      { 'x-a': 'b\r\nx-c: d' },
      { 'x y': 'z' },
    ]) {
      await expect(client().request({ url: server.origin, headers: headers as never })).rejects.toMatchObject({
        code: 'net.bad_request',
        errorClass: 'permanent',
      });
    }
    expect(server.requests).toEqual([]);
  });

  it('stops a gzip bomb over the wire and hangs up', async () => {
    const member = zlib.gzipSync(Buffer.alloc(1024 * 1024));
    let hungUp: Promise<unknown> | undefined;
    const server = await serve((_, response) => {
      hungUp = once(response, 'close');
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(Buffer.concat(Array.from({ length: 500 }, () => member)));
    });
    const before = process.memoryUsage().rss;
    await expect(client().request({ url: server.origin, maxBytes: 2_000_000 })).rejects.toMatchObject({
      code: 'net.too_large',
      errorClass: 'permanent',
      detail: { what: 'decoded', limit_bytes: 2_000_000 },
    });
    expect(process.memoryUsage().rss - before).toBeLessThan(96 * 1024 * 1024);
    await hungUp;
  });
});

describe('time', () => {
  it('ends slow drips at the total limit, however steady they are', async () => {
    let hungUp: Promise<unknown> | undefined;
    const server = await serve((_, response) => {
      hungUp = once(response, 'close');
      const drip = setInterval(() => response.write('.'), 5);
      response.on('close', () => clearInterval(drip));
    });
    await expect(client().request({ url: server.origin, timeoutMs: 120, idleTimeoutMs: 5_000 })).rejects.toMatchObject({
      code: 'net.timeout',
      errorClass: 'transient',
      detail: { limit_ms: 120 },
    });
    await hungUp;
  });

  it('ends idle answers before and within the body', async () => {
    const server = await serve((request, response) => {
      if (request.url === '/body') response.write('.');
    });
    const http = client({ defaults: { timeoutMs: 8_000, idleTimeoutMs: 60 } });
    await Promise.all(
      ['/headers', '/body'].map((path) =>
        expect(http.request({ url: server.origin + path })).rejects.toMatchObject({
          code: 'net.timeout',
          errorClass: 'transient',
          detail: { native: path === '/body' ? 'UND_ERR_BODY_TIMEOUT' : 'UND_ERR_HEADERS_TIMEOUT' },
        }),
      ),
    );
  });

  it('counts the look-up', async () => {
    const resolver = () => new Promise<never>(() => {});
    await expect(
      client({ resolver, defaults: { timeoutMs: 60 } }).request({ url: 'http://slow.example/' }),
    ).rejects.toMatchObject({ code: 'net.timeout' });
  });

  it('counts all redirects together', async () => {
    const server = await serve((request, response) => {
      const next = Number(request.url?.slice(1)) + 1;
      setTimeout(() => response.writeHead(302, { location: `/${next}` }).end(), 30);
    });
    await expect(
      client().request({ url: `${server.origin}/1`, timeoutMs: 100, maxRedirects: 1000 }),
    ).rejects.toMatchObject({ code: 'net.timeout' });
    expect(server.requests.length).toBeLessThan(6);
  });

  it('ends with the caller', async () => {
    const controller = new AbortController();
    const server = await serve(() => controller.abort(new Error('stopping')));
    const http = client();
    const expected = { code: 'net.aborted', errorClass: 'transient' };
    await expect(http.request({ url: server.origin, signal: controller.signal })).rejects.toMatchObject(expected);
    await expect(http.request({ url: server.origin, signal: controller.signal })).rejects.toMatchObject(expected);
    expect(server.requests.length).toBe(1);
  });

  it('ends with the client', async () => {
    const http = client();
    const server = await serve(() => void http.close());
    await expect(http.request({ url: server.origin })).rejects.toMatchObject({ code: 'net.closed' });
    await expect(http.request({ url: server.origin })).rejects.toMatchObject({ code: 'net.closed' });
  });
});

describe('failures', () => {
  async function serveRaw(raw: string | null): Promise<string> {
    const server = createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => (raw === null ? socket.resetAndDestroy() : socket.end(raw)));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanups.push(() => new Promise((resolve) => server.close(resolve)));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }

  it.each<readonly [string, string | null, string, string]>([
    ['a reset', null, 'net.reset', 'transient'],
    ['silence', '', 'net.reset', 'transient'],
    ['a cut body', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc', 'net.reset', 'transient'],
    ['a missing chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n', 'net.reset', 'transient'],
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n', 'net.bad_response', 'permanent'],
    ['a broken chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', 'net.bad_response', 'permanent'],
    ['huge headers', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`, 'net.too_large', 'permanent'],
  ])('of %s', async (_, raw, code, errorClass) => {
    await expect(client().request({ url: await serveRaw(raw) })).rejects.toMatchObject({ code, errorClass });
  });

  it('of TLS', async () => {
    const server = await serve((_, response) => response.end());
    await expect(client().request({ url: `https://127.0.0.1:${server.port}/` })).rejects.toMatchObject({
      code: 'net.tls',
      errorClass: 'permanent',
    });
  });

  it('of a closed port', async () => {
    const server = await serve(() => {});
    await server.close();
    await expect(client().request({ url: server.origin })).rejects.toMatchObject({
      code: 'net.unreachable',
      errorClass: 'transient',
    });
  });

  it.each(['ENOTFOUND', 'EAI_AGAIN', 'ENODATA'])('of a look-up: %s', async (code) => {
    const resolver = async () => {
      if (code === 'ENODATA') return [];
      throw Object.assign(new Error(code), { code });
    };
    await expect(client({ resolver }).request({ url: 'http://gone.example/' })).rejects.toMatchObject({
      code: 'net.dns',
      errorClass: 'transient',
      detail: { native: code },
    });
  });
});
