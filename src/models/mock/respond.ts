import type { ServerResponse } from 'node:http';
import { answerSeed, composeAnswer } from './answer.ts';
import type { ChatRequest } from './chat-request.ts';
import type { MockClock } from './clock.ts';
import { completionBody, completionEvents } from './completion.ts';
import type { Fault } from './fault-kinds.ts';
import { pick, shortHash, wholeBetween } from './random.ts';
import type { LoggedRequest, Writable } from './request-log.ts';
import { retryAfter } from './retry-after.ts';
import type { Script } from './script.ts';
import { spoilAnswer } from './spoil-answer.ts';

/** One request on its way, and all that serving it needs. */
export interface Exchange {
  readonly response: ServerResponse;
  /** Aborts when the connection is closed, by whichever side. */
  readonly gone: AbortSignal;
  readonly entry: Writable<LoggedRequest>;
  readonly clock: MockClock;
}

/** Serves a request as the script and the fault have it. Resolves when everything is handed over or the client left. */
export async function respond(exchange: Exchange, request: ChatRequest, script: Script, fault: Fault | null) {
  switch (fault?.kind) {
    case 'hang':
      return;
    case 'reset':
      exchange.response.destroy();
      return;
    case 'rate_limited':
      return refuse(exchange, 429, 'Rate limit reached for requests', 'rate_limit_error', 'rate_limit_exceeded', fault);
    case 'server_error':
      return serverError(exchange, fault);
    case 'unauthorized':
      return refuse(exchange, 401, 'Incorrect API key provided', 'invalid_request_error', 'invalid_api_key');
    case 'bad_request':
      return refuse(exchange, 400, 'The request was not accepted', 'invalid_request_error', 'bad_request');
    default:
      return complete(exchange, request, script, fault);
  }
}

/** Sends an error in the form OpenAI's API gives it. */
export function refuse(
  exchange: Exchange,
  status: number,
  message: string,
  type: string,
  code: string,
  retry?: { readonly retry_after: number | null; readonly form: 'seconds' | 'http_date' },
): void {
  const body = JSON.stringify({ error: { message, type, param: null, code } });
  send(exchange, status, 'application/json', body, retry);
}

function serverError(exchange: Exchange, fault: Extract<Fault, { kind: 'server_error' }>): void {
  if (fault.status === 502) {
    // A 502 mostly comes from a proxy in between, which knows no JSON.
    const html = '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>\n';
    send(exchange, 502, 'text/html', html, fault);
    return;
  }
  const overloaded = fault.status === 503;
  const message = overloaded ? 'The engine is currently overloaded' : 'The server had an error processing the request';
  refuse(exchange, fault.status, message, 'server_error', overloaded ? 'overloaded' : 'server_error', fault);
}

function send(
  { response, entry, clock }: Exchange,
  status: number,
  type: string,
  body: string,
  retry?: { readonly retry_after: number | null; readonly form: 'seconds' | 'http_date' },
): void {
  const bytes = Buffer.from(body);
  const promised = retry && retry.retry_after !== null ? retryAfter(retry.retry_after, retry.form, clock) : null;
  entry.status = status;
  entry.retry_promise = promised?.promise ?? null;
  entry.bytes = bytes.length;
  response.writeHead(status, {
    'content-type': type,
    'content-length': bytes.length,
    ...(promised === null ? {} : { 'retry-after': promised.header }),
  });
  response.end(bytes);
}

async function complete(exchange: Exchange, request: ChatRequest, script: Script, fault: Fault | null): Promise<void> {
  const { response, entry, clock } = exchange;
  const seed = answerSeed(request, script);
  const answer = spoilAnswer(composeAnswer(request, script), fault, request.format, seed);
  const meta = {
    // Like real ones: another id for every request, though the answer be the same.
    id: `chatcmpl-${shortHash([seed, entry.n], 24)}`,
    created: Math.floor(clock.epochMs() / 1000),
    model: request.model,
  };
  const sound = request.stream
    ? completionEvents(answer, request, meta).join('')
    : JSON.stringify(completionBody(answer, request, meta));
  const body = fault?.kind === 'garbage' ? garbage(seed, entry.n, request.stream) : Buffer.from(sound);
  entry.status = 200;
  response.writeHead(
    200,
    request.stream
      ? { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' }
      : { 'content-type': 'application/json', 'content-length': body.length },
  );
  if (fault?.kind === 'slow_stream') return dribble(exchange, body, fault);
  if (fault?.kind === 'truncated_body') return breakOff(exchange, body, fault.keep);
  // In one piece: a hundred writes an answer are what a busy server would spend its time on. slow_stream has parts.
  entry.bytes = body.length;
  response.end(body);
}

async function dribble(
  { response, gone, entry, clock }: Exchange,
  body: Buffer,
  { interval_ms, chunk_bytes }: Extract<Fault, { kind: 'slow_stream' }>,
): Promise<void> {
  for (let at = 0; at < body.length && !gone.aborted; at += chunk_bytes) {
    if (at > 0) await clock.sleep(interval_ms, gone);
    const part = body.subarray(at, at + chunk_bytes);
    entry.bytes += part.length;
    response.write(part);
  }
  response.end();
}

function breakOff({ response, entry }: Exchange, body: Buffer, keep: number): void {
  const part = body.subarray(0, Math.min(Math.floor(body.length * keep), body.length - 1));
  entry.bytes += part.length;
  // Closed only when the part has left, or the client might see a reset and no body at all.
  if (part.length > 0) response.write(part, () => response.destroy());
  else {
    response.flushHeaders();
    response.socket?.end(() => response.destroy());
  }
}

function garbage(seed: string, number: number, stream: boolean): Buffer {
  const noise = Array.from({ length: 96 }, (_, i) => wholeBetween(0, 255, seed, 'garbage', number, i));
  const start = pick(['<<', '}{', ']'], seed, 'garbage', number);
  // Line breaks would cut an event stream's event in two.
  const bytes = Buffer.from([...Buffer.from(start), ...noise.map((b) => (b === 10 || b === 13 ? 0 : b))]);
  return stream ? Buffer.concat([Buffer.from('data: '), bytes, Buffer.from('\n\n')]) : bytes;
}
