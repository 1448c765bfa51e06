import { randomBytes } from 'node:crypto';
import { CodedError } from '../errors/coded-error.ts';
import { BASE } from '../server/base.ts';
import type { House } from '../server/house.ts';
import { readHolder } from '../storage/folder-lock.ts';
import { reportError } from './report-error.ts';

/**
 * What a command talks to: a house opened in this process, or one that runs elsewhere. Both are asked the same way,
 * so a command behaves the same.
 */
export interface Station {
  /** The house, when it is in this process. */
  readonly house: House | null;
  /** Sends a request below /api/v1. Throws the error that the answer carries, with its code. */
  api<Answer = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<Answer>;
  /**
   * Sends files as one upload. An answer that tells of each file is one, also where all of them were refused or known.
   * Throws as `api` does.
   */
  upload<Answer>(path: string, files: readonly { name: string; bytes: Uint8Array<ArrayBuffer> }[]): Promise<Answer>;
  /** Asks for JSON Lines and gives one after the other as they come. Throws as `api` does. */
  lines<Line>(path: string): AsyncIterable<Line>;
  close(): Promise<void>;
}

export interface StationOptions {
  /** `--server URL`, with the key in SIGNALBOX_API_KEY. */
  readonly server?: string | undefined;
  /** `--data DIR`; null: a database in memory. */
  readonly folder: string | null;
  readonly workers: boolean;
  readonly env?: NodeJS.ProcessEnv;
}

/** Opens what the command is to talk to. A data folder that a running server holds is reached through that server. */
export async function openStation(options: StationOptions): Promise<Station> {
  const env = options.env ?? process.env;
  if (options.server) return remote(options.server, env.SIGNALBOX_API_KEY ?? '');
  const holder = options.folder === null ? null : readHolder(options.folder);
  if (holder?.address && holder.token) return remote(holder.address, holder.token);
  const localKey = randomBytes(32).toString('base64url');
  const { openHouse } = await import('../server/house.ts');
  const house = await openHouse({
    folder: options.folder,
    databaseUrl: env.DATABASE_URL,
    workers: options.workers,
    anyFile: true,
    env,
    localKey,
    onError: reportError,
    pollSeconds: 0.5,
  });
  // The embedded database is closed on every signal; what was claimed is settled first.
  for (const [signal, number] of [
    ['SIGINT', 2],
    ['SIGTERM', 15],
    ['SIGHUP', 1],
  ] as const) {
    process.once(signal, () => void house.stop().finally(() => process.exit(128 + number)));
  }
  return overHouse(house, localKey);
}

/** A house in this process, asked through its own application. */
export function overHouse(house: House, localKey: string): Station {
  const ask: Ask = {
    fetcher: (url, init) => Promise.resolve(house.app.app.request(url, init)),
    base: BASE,
    key: localKey,
  };
  return {
    house,
    api: (method, path, body) => sendForJson(ask, method, path, body),
    upload: (path, files) => sendFiles(ask, path, files),
    lines: (path) => sendForLines(ask, path),
    close: () => house.stop(),
  };
}

function remote(address: string, key: string): Station {
  const ask: Ask = { fetcher: fetch, base: `${address.replace(/\/$/, '')}${BASE}`, key };
  return {
    house: null,
    api: (method, path, body) => sendForJson(ask, method, path, body),
    upload: (path, files) => sendFiles(ask, path, files),
    lines: (path) => sendForLines(ask, path),
    close: async () => {},
  };
}

interface Ask {
  readonly fetcher: (url: string, init: RequestInit) => Promise<Response>;
  readonly base: string;
  readonly key: string;
}

async function sendFiles<Answer>(
  { fetcher, base, key }: Ask,
  path: string,
  files: readonly { name: string; bytes: Uint8Array<ArrayBuffer> }[],
): Promise<Answer> {
  const body = new FormData();
  for (const { name, bytes } of files) body.append('file', new Blob([bytes]), name);
  const headers = { authorization: `Bearer ${key}` };
  const response = await reach(base, () => fetcher(`${base}${path}`, { method: 'POST', headers, body }));
  const answer = (await response.json()) as { items?: unknown };
  if (response.ok || answer.items !== undefined) return answer as Answer;
  throw errorOf(response.status, answer);
}

async function sendForJson<Answer>(ask: Ask, method: string, path: string, body: unknown): Promise<Answer> {
  const text = await (await send(ask, method, path, body)).text();
  return (text ? JSON.parse(text) : {}) as Answer;
}

async function* sendForLines<Line>(ask: Ask, path: string): AsyncGenerator<Line> {
  const { body } = await send(ask, 'GET', path);
  let rest = '';
  for await (const text of (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    for (const line of lines) if (line) yield JSON.parse(line) as Line;
  }
}

/** @returns the answer of a request that was granted; throws the error that any other carries */
async function send({ fetcher, base, key }: Ask, method: string, path: string, body?: unknown): Promise<Response> {
  const headers: Record<string, string> = { authorization: `Bearer ${key}` };
  if (body !== undefined) headers['content-type'] = 'application/json';
  const response = await reach(base, () =>
    fetcher(`${base}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );
  if (response.ok) return response;
  const text = await response.text();
  throw errorOf(response.status, text ? JSON.parse(text) : {});
}

async function reach(base: string, send: () => Promise<Response>): Promise<Response> {
  try {
    return await send();
  } catch (cause) {
    throw new CodedError('cli.server_unreachable', 'transient', `${base} does not answer`, { cause });
  }
}

function errorOf(status: number, answer: unknown): CodedError {
  const { error } = answer as { error?: { code: string; message: string; detail: Record<string, unknown> } };
  const { code = 'server.unexpected', message = `status ${status}`, detail = {} } = error ?? {};
  return new CodedError(code, status >= 500 ? 'transient' : 'permanent', message, { detail });
}
