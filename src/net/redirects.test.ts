import { describe, expect, it } from 'vitest';
import { type Hop, nextHop, redirectTarget } from './redirects.ts';

const HEADERS = {
  accept: '*/*',
  authorization: 'Bearer x',
  cookie: 'a=b',
  'content-type': 'application/json',
  'if-none-match': '"e"',
  'user-agent': 'ua',
  'x-api-key': 'secret',
};
const hop = (over: Partial<Hop> = {}): Hop => ({
  url: new URL('https://a.example/one?x=1'),
  method: 'GET',
  headers: HEADERS,
  body: undefined,
  ...over,
});
const names = (next: Hop) => Object.keys(next.headers).sort();

describe('redirects', () => {
  it.each([
    [301, 'POST', 'GET'],
    [302, 'POST', 'GET'],
    [303, 'POST', 'GET'],
    [303, 'PUT', 'GET'],
    [303, 'DELETE', 'GET'],
    [303, 'HEAD', 'HEAD'],
    [301, 'PUT', 'PUT'],
    [302, 'HEAD', 'HEAD'],
    [307, 'POST', 'POST'],
    [308, 'POST', 'POST'],
    [307, 'GET', 'GET'],
  ])('%i turns %s into %s', (status, method, expected) => {
    const body = method === 'POST' || method === 'PUT' ? new Uint8Array([1]) : undefined;
    const next = nextHop(hop({ method, body }), status, '/two', false);
    expect(next.method).toBe(expected);
    expect(next.body).toBe(expected === method ? body : undefined);
    expect(names(next).includes('content-type')).toBe(expected === method);
  });

  it('keeps all headers within an origin', () => {
    expect(names(nextHop(hop(), 302, '/two', false))).toEqual(Object.keys(HEADERS).sort());
    expect(names(nextHop(hop(), 302, 'https://a.example:443/', false))).toEqual(Object.keys(HEADERS).sort());
  });

  it.each([
    'https://b.example/',
    'http://a.example/',
    'https://a.example:8443/',
    'https://sub.a.example/',
    '//b.example/',
  ])('lets no secret go to %s, nor back', (location) => {
    const next = nextHop(hop(), 307, location, false);
    expect(names(next)).toEqual(['accept', 'content-type', 'if-none-match', 'user-agent']);
    const back = nextHop(next, 307, 'https://a.example/', false);
    expect(names(back)).toEqual(names(next));
  });

  it.each([
    ['two', 'https://a.example/two'],
    ['?y=2', 'https://a.example/one?y=2'],
    ['/t#frag', 'https://a.example/t'],
    ['//b.example/z', 'https://b.example/z'],
    [Buffer.from('/文章/1').toString('latin1'), 'https://a.example/%E6%96%87%E7%AB%A0/1'],
    ['/caf\u00e9', 'https://a.example/caf%C3%A9'],
  ])('reads Location %j', (location, url) => expect(nextHop(hop(), 302, location, false).url.href).toBe(url));

  it('refuses what cannot be read and, when asked, a downgrade', () => {
    expect(() => nextHop(hop(), 302, 'http://', false)).toThrow(expect.objectContaining({ code: 'net.bad_url' }));
    expect(() => nextHop(hop(), 302, 'http://a.example/', true)).toThrow(
      expect.objectContaining({ code: 'net.downgrade_refused', errorClass: 'permanent' }),
    );
    expect(nextHop(hop({ url: new URL('http://a.example/') }), 302, 'https://a.example/', true).url.protocol).toBe(
      'https:',
    );
  });

  it('knows redirects from other answers', () => {
    for (const status of [301, 302, 303, 307, 308]) expect(redirectTarget(status, '/x')).toBe('/x');
    for (const status of [200, 300, 304, 305, 404]) expect(redirectTarget(status, '/x')).toBeNull();
    expect(redirectTarget(302, undefined)).toBeNull();
  });
});
