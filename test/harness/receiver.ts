import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What a receiver answers to the n-th request (from 1) on a path. */
export interface Reaction {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Somebody's webhook endpoint on loopback: remembers what it is sent, answers as it is told. */
export interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly received: Received[];
  /** Of one path, in the order of arrival. */
  at(path: string): Received[];
  /** Answers a path so from now on; the default is 204. */
  react(path: string, reaction: (n: number) => Reaction): void;
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const reactions = new Map<string, (n: number) => Reaction>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = request.url ?? '/';
    received.push({ path, headers: request.headers, body: Buffer.concat(chunks).toString('utf8') });
    const n = received.filter((one) => one.path === path).length;
    const { status, headers = {}, body = '' } = reactions.get(path)?.(n) ?? { status: 204 };
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    at: (path) => received.filter((one) => one.path === path),
    react: (path, reaction) => reactions.set(path, reaction),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
