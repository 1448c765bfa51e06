import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface LoopbackServer extends AsyncDisposable {
  readonly port: number;
  readonly origin: string;
  /** What arrived, in order: a refused request must not be among it. */
  readonly requests: SeenRequest[];
  readonly connections: () => number;
  close(): Promise<void>;
}

/** A real HTTP server on loopback for tests; keeps what it was sent. */
export async function startLoopbackServer(answer: RequestListener, address = '127.0.0.1'): Promise<LoopbackServer> {
  const requests: SeenRequest[] = [];
  let connections = 0;
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const { method = '', url: path = '', headers } = request;
    requests.push({ method, path, headers, body: Buffer.concat(parts).toString() });
    answer(request, response);
  });
  server.on('connection', () => {
    connections += 1;
  });
  server.listen(0, address);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    port,
    origin: `http://${address}:${port}`,
    requests,
    connections: () => connections,
    close,
    [Symbol.asyncDispose]: close,
  };
}
