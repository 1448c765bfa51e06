import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HttpClient } from './client-types.ts';
import { createHttpClient } from './http-client.ts';
import { type LoopbackServer, startLoopbackServer } from './loopback-server.ts';

let server: LoopbackServer;
let client: HttpClient;

// Three names for one server: origins without a second machine.
beforeEach(async () => {
  server = await startLoopbackServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://x');
    const to = url.searchParams.get('to');
    if (to === null) return response.end('end');
    return response.writeHead(Number(url.searchParams.get('status') ?? 302), { location: to }).end('moved');
  });
  client = createHttpClient({
    userAgent: 'signalbox-test',
    allowPrivate: true,
    resolver: async () => [{ address: '127.0.0.1', family: 4 }],
  });
});
afterEach(async () => {
  await client.close();
  await server.close();
});

const at = (host: string, to?: string, status = 302) =>
  `http://${host}.example:${server.port}/${to === undefined ? 'end' : `?status=${status}&to=${encodeURIComponent(to)}`}`;

describe('following redirects', () => {
  it('names every stop', async () => {
    const second = at('b', at('c'), 301);
    const first = at('a', second, 308);
    const answer = await client.request({ url: first });
    expect(answer).toMatchObject({
      status: 200,
      url: at('c'),
      redirects: [
        { url: first, status: 308 },
        { url: second, status: 301 },
      ],
    });
    expect(Buffer.from(answer.body).toString()).toBe('end');
  });

  it('leaks no credentials to another origin, nor on the way back', async () => {
    await client.request({
      url: at('a', at('a', at('b', at('a')))),
      headers: { Authorization: 'Bearer s3cret', Cookie: 'sid=s3cret', 'X-Api-Key': 's3cret', Accept: 'text/xml' },
    });
    const leaked = server.requests.map(({ headers }) => JSON.stringify(headers).includes('s3cret'));
    expect(leaked).toEqual([true, true, false, false]);
    expect(server.requests.map(({ headers }) => headers.accept)).toEqual(Array(4).fill('text/xml'));
    expect(server.requests.map(({ headers }) => headers['user-agent'])).toEqual(Array(4).fill('signalbox-test'));
  });

  it('keeps the body on 307 and drops it on 303', async () => {
    await client.request({
      url: at('a', at('a', at('a'), 303), 307),
      method: 'POST',
      body: 'x',
      headers: { 'content-type': 'a/b' },
    });
    expect(server.requests.map(({ method, body, headers }) => [method, body, headers['content-type']])).toEqual([
      ['POST', 'x', 'a/b'],
      ['POST', 'x', 'a/b'],
      ['GET', '', undefined],
    ]);
  });

  it('returns the redirect itself when told not to follow', async () => {
    const answer = await client.request({ url: at('a', at('b')), followRedirects: false });
    expect([answer.status, answer.headers.location, Buffer.from(answer.body).toString()]).toEqual([
      302,
      at('b'),
      'moved',
    ]);
    expect(server.requests.length).toBe(1);
  });

  it('stops at its cap', async () => {
    let url = at('a');
    for (let i = 0; i < 6; i += 1) url = at('a', url);
    const expected = { code: 'net.too_many_redirects', errorClass: 'permanent' };
    await expect(client.request({ url })).rejects.toMatchObject(expected);
    expect(server.requests.length).toBe(6);
    expect((await client.request({ url, maxRedirects: 6 })).status).toBe(200);
    await expect(client.request({ url, maxRedirects: 0 })).rejects.toMatchObject(expected);
  });

  it('sees a loop at its first turn', async () => {
    const loop = `http://a.example:${server.port}/?to=${encodeURIComponent('?to=%2F%3Fto%3D')}`;
    const self = `http://a.example:${server.port}/loop?to=`;
    await expect(client.request({ url: self })).rejects.toMatchObject({
      code: 'net.redirect_loop',
      errorClass: 'permanent',
    });
    expect(server.requests.length).toBe(1);
    await expect(client.request({ url: loop })).rejects.toMatchObject({ code: 'net.redirect_loop' });
  });

  it.each([
    ['http://169.254.169.254/latest/meta-data/', 'net.address_refused', 'linkLocal'],
    ['http://[::ffff:169.254.169.254]/', 'net.address_refused', 'linkLocal'],
    ['http://0.0.0.0/', 'net.address_refused', 'unspecified'],
    ['file:///etc/passwd', 'net.address_refused', 'scheme'],
    ['gopher://b.example/', 'net.address_refused', 'scheme'],
    ['http://user:pass@b.example/', 'net.address_refused', 'credentials'],
    ['http://b.example\\@127.0.0.1/', 'net.address_refused', 'ambiguous_url'],
    ['http://', 'net.bad_url', undefined],
  ])('refuses to go on to %s', async (to, code, reason) => {
    await expect(client.request({ url: at('a', to) })).rejects.toMatchObject({
      code,
      errorClass: 'permanent',
      detail: reason === undefined ? {} : { reason },
    });
    expect(server.requests.length).toBe(1);
  });
});
