import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CodedError } from '../../errors/coded-error.ts';
import { faultChooser } from './choose-fault.ts';
import { type MockClock, systemClock } from './clock.ts';
import { readBody } from './read-body.ts';
import { RequestLog } from './request-log.ts';
import { parseScript, parseScriptText, type Script, type ScriptInput } from './script.ts';
import { type Serving, serveCompletion } from './serve-completion.ts';

export interface MockModelOptions {
  /** 0 or absent: any free port. */
  readonly port?: number;
  readonly host?: string;
  readonly script?: ScriptInput;
  readonly clock?: MockClock;
}

export interface MockModel extends AsyncDisposable {
  /** What OPENAI_BASE_URL is set to: `http://127.0.0.1:PORT/v1`. */
  readonly url: string;
  readonly port: number;
  readonly log: RequestLog;
  inFlight(): number;
  /** Cuts all connections, hanging requests too, and closes the port. May be called more than once. */
  stop(): Promise<void>;
}

/**
 * Starts an OpenAI-compatible model server.
 * `POST /v1/chat/completions`, `GET /v1/models`; to steer it, `GET /mock/log[?after=n]`, `GET /mock/stats`,
 * `POST /mock/script` (JSON or YAML; fault counters start anew), `POST /mock/reset` (log, counts, fault counters).
 *
 * @throws CodedError `mock_model.bad_script` and `mock_model.listen`, both permanent
 */
export async function startMockModel(options: MockModelOptions = {}): Promise<MockModel> {
  const { port = 0, host = '127.0.0.1', clock = systemClock } = options;
  const log = new RequestLog(clock);
  let serving: Serving = servingBy(parseScript(options.script), log, clock);
  const server = createServer((incoming, response) => {
    const { pathname, searchParams } = new URL(incoming.url ?? '/', 'http://mock');
    const route = `${incoming.method} ${pathname}`;
    if (route === 'POST /v1/chat/completions') void serveCompletion(incoming, response, serving);
    else if (route === 'GET /v1/models') json(response, 200, modelList(serving.script));
    else if (route === 'GET /mock/log') json(response, 200, log.entries(Number(searchParams.get('after') ?? 0)));
    else if (route === 'GET /mock/stats') json(response, 200, log.stats());
    else if (route === 'POST /mock/script') {
      void replaceScript(incoming, response, (script) => {
        serving = servingBy(script, log, clock);
      });
    } else if (route === 'POST /mock/reset') {
      log.reset();
      serving = servingBy(serving.script, log, clock);
      json(response, 200, log.stats());
    } else
      json(response, 404, {
        error: { message: `no route ${route}`, type: 'invalid_request_error', code: 'not_found' },
      });
  });
  // The default of 5 s closes idle connections just when a client uses one again: a reset that no script ordered.
  server.keepAliveTimeout = 120_000;
  const bound = await listen(server, port, host);
  let stopping: Promise<void> | null = null;
  const stop = () => {
    stopping ??= close(server);
    return stopping;
  };
  const url = `http://${urlHost(host)}:${bound}/v1`;
  return { url, port: bound, log, inFlight: () => log.inFlight, stop, [Symbol.asyncDispose]: stop };
}

function servingBy(script: Script, log: RequestLog, clock: MockClock): Serving {
  return { script, chooseFault: faultChooser(script), log, clock };
}

async function replaceScript(incoming: IncomingMessage, response: ServerResponse, use: (script: Script) => void) {
  try {
    use(parseScriptText(await readBody(incoming)));
    json(response, 200, { ok: true });
  } catch (error) {
    if (response.destroyed) return;
    const { code, detail } = error instanceof CodedError ? error : { code: 'mock_model.failed', detail: {} };
    response.shouldKeepAlive = incoming.complete;
    json(response, 400, { error: { code, message: error instanceof Error ? error.message : String(error), detail } });
  }
}

// Any name is served; listed are those that the script speaks of.
function modelList(script: Script) {
  const named = [...script.answers, ...script.faults].flatMap((rule) => rule.when?.model ?? []);
  const ids = [...new Set(['mock-model', ...named])];
  return { object: 'list', data: ids.map((id) => ({ id, object: 'model', created: 0, owned_by: 'mock' })) };
}

function json(response: ServerResponse, status: number, body: unknown): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length });
  response.end(bytes);
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const message = `cannot listen on ${host}:${port} (${cause.code ?? cause.message})`;
      reject(new CodedError('mock_model.listen', 'permanent', message, { cause }));
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function urlHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
