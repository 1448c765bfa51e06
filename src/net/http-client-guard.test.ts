import { Agent } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGuardedConnect, type ResolvedAddress } from './guarded-connect.ts';
import { createHttpClient } from './http-client.ts';
import { type LoopbackServer, startLoopbackServer } from './loopback-server.ts';

const cleanups: (() => Promise<unknown>)[] = [];
let server: LoopbackServer;
beforeEach(async () => {
  server = await startLoopbackServer(
    (_, response) => response.setHeader('connection', 'close').end('secret'),
    '0.0.0.0',
  );
  cleanups.push(() => server.close());
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const v4 = (address: string): ResolvedAddress => ({ address, family: 4 });
const v6 = (address: string): ResolvedAddress => ({ address, family: 6 });
function clientFor(answers: readonly (readonly ResolvedAddress[])[], allowPrivate: boolean | string[] = false) {
  const asked: string[] = [];
  const client = createHttpClient({
    userAgent: 'signalbox-test',
    allowPrivate,
    resolver: async (hostname) => answers[asked.push(hostname) - 1] ?? [],
  });
  cleanups.push(() => client.close());
  return { client, asked };
}
const REFUSED = { code: 'net.address_refused', errorClass: 'permanent' };

describe('the guard', () => {
  it.each([
    '127.0.0.1',
    'localhost',
    '127.1',
    '0x7f000001',
    '017700000001',
    '2130706433',
    '[::ffff:127.0.0.1]',
    '[::1]',
    '0.0.0.0',
  ])('refuses %s before anything is looked up or sent', async (host) => {
    const { client, asked } = clientFor([[v4('127.0.0.1')]]);
    await expect(client.request({ url: `http://${host}:${server.port}/` })).rejects.toMatchObject(REFUSED);
    expect(asked).toEqual([]);
    expect(server.connections()).toBe(0);
  });

  it.each<readonly [string, readonly ResolvedAddress[]]>([
    ['loopback', [v4('127.0.0.1')]],
    ['a public address and loopback', [v4('8.8.8.8'), v4('127.0.0.1')]],
    ['a public address and mapped loopback', [v4('8.8.8.8'), v6('::ffff:127.0.0.1')]],
    ['NAT64 of loopback', [v6('64:ff9b::7f00:1')]],
    ['no address at all', [v4('nonsense')]],
  ])('refuses a name that stands for %s', async (_, addresses) => {
    const { client, asked } = clientFor([addresses]);
    await expect(client.request({ url: `http://inside.example:${server.port}/` })).rejects.toMatchObject(REFUSED);
    expect(asked).toEqual(['inside.example']);
    expect(server.connections()).toBe(0);
  });

  it('judges the addresses that it connects to: a rebinding name server gains nothing', async () => {
    const { client, asked } = clientFor([[v4('127.0.0.1')], [v4('127.0.0.2')]], ['127.0.0.1']);
    const url = `http://rebind.example:${server.port}/`;
    expect((await client.request({ url })).status).toBe(200);
    // One look-up a connection: there is no second answer to be fooled by.
    expect(asked.length).toBe(1);
    await expect(client.request({ url })).rejects.toMatchObject({ ...REFUSED, detail: { reason: 'loopback' } });
    expect(asked.length).toBe(2);
    expect(server.connections()).toBe(1);
  });

  it('checks the name again on a redirect', async () => {
    const front = await startLoopbackServer((_, response) => {
      response.writeHead(302, { location: `http://inside.example:${server.port}/` }).end();
    });
    cleanups.push(() => front.close());
    const { client } = clientFor([[v4('10.0.0.1')]], ['127.0.0.1']);
    await expect(client.request({ url: front.origin })).rejects.toMatchObject({
      ...REFUSED,
      detail: { reason: 'private' },
    });
    expect(front.requests.length).toBe(1);
    expect(server.connections()).toBe(0);
  });

  it('admits what the operator listed and nothing beside it', async () => {
    const { client } = clientFor([[v4('127.0.0.1')], [v4('127.0.0.1')]], ['intranet.example']);
    expect((await client.request({ url: `http://intranet.example:${server.port}/` })).status).toBe(200);
    await expect(client.request({ url: `http://other.example:${server.port}/` })).rejects.toMatchObject(REFUSED);
    expect(server.connections()).toBe(1);
  });

  it('looks at the peer before it writes, should a refused address get past the look-up', async () => {
    let asked = 0;
    const forgetful = { refusedName: () => null, refusedAddress: () => (asked++ === 0 ? null : 'loopback') };
    const agent = new Agent({ connect: createGuardedConnect(forgetful, async () => [v4('127.0.0.1')], 1000) });
    cleanups.push(() => agent.destroy());
    await expect(
      agent.request({ origin: `http://name.example:${server.port}`, path: '/', method: 'GET' }),
    ).rejects.toMatchObject(REFUSED);
    expect(server.requests).toEqual([]);
  });

  it('tells no address in its errors', async () => {
    const { client } = clientFor([[v4('10.11.12.13')]]);
    const error = await client.request({ url: 'http://inside.example/' }).catch((thrown) => thrown);
    expect(`${error.message} ${JSON.stringify(error.detail)}`).not.toMatch(/10\.11|inside/);
  });
});
