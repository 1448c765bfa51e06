import type { IncomingMessage, ServerResponse } from 'node:http';
import { CodedError } from '../../errors/coded-error.ts';
import { type ChatRequest, readChatRequest } from './chat-request.ts';
import type { FaultChooser } from './choose-fault.ts';
import type { MockClock } from './clock.ts';
import { latencyMs } from './latency.ts';
import { readBody } from './read-body.ts';
import type { Outcome, RequestLog } from './request-log.ts';
import { type Exchange, refuse, respond } from './respond.ts';
import type { Script } from './script.ts';

/** What one server serves by; a new script replaces all of it but the log. */
export interface Serving {
  readonly script: Script;
  readonly chooseFault: FaultChooser;
  readonly log: RequestLog;
  readonly clock: MockClock;
}

/** Serves POST /chat/completions and keeps its entry in the log. Never throws. */
export async function serveCompletion(
  incoming: IncomingMessage,
  response: ServerResponse,
  { script, chooseFault, log, clock }: Serving,
): Promise<void> {
  const givenKey = incoming.headers['x-request-key'];
  const { entry, end } = log.arrive(typeof givenKey === 'string' ? givenKey : '');
  const gone = new AbortController();
  const exchange: Exchange = { response, gone: gone.signal, entry, clock };
  let failure: Outcome | null = null;
  response.on('finish', () => end(entry.fault ?? failure ?? 'answered'));
  response.on('close', () => {
    end(entry.fault ?? failure ?? 'client_gone');
    gone.abort();
  });
  try {
    const request = readChatRequest(await readBody(incoming));
    note(entry, request);
    const fault = chooseFault(request, entry.n, entry.in_flight);
    entry.fault = fault?.kind ?? null;
    const latency = latencyMs(script, entry.n);
    if (latency > 0 && fault?.kind !== 'hang') await clock.sleep(latency, gone.signal);
    await respond(exchange, request, script, fault);
  } catch (error) {
    // The client left: there is nobody to tell, and the log has it.
    if (gone.signal.aborted || response.destroyed) return;
    failure = error instanceof CodedError ? 'invalid' : 'failed';
    const message = error instanceof Error ? error.message : String(error);
    if (response.headersSent) response.destroy();
    else if (error instanceof CodedError) {
      const status = error.code === 'mock_model.too_large' ? 413 : 400;
      // What is left of a body that was not read to its end must not be taken for the next request.
      response.shouldKeepAlive = incoming.complete;
      refuse(exchange, status, message, 'invalid_request_error', error.code);
    } else refuse(exchange, 500, message, 'server_error', 'mock_model.failed');
  }
}

function note(entry: Exchange['entry'], request: ChatRequest): void {
  entry.model = request.model;
  entry.stream = request.stream;
  if (entry.key === '') entry.key = request.messagesHash;
}
