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
  return {
    house,
    api: (method, path, body) =>
      send((url, init) => Promise.resolve(house.app.app.request(url, init)), BASE, localKey, method, path, body),
    close: () => house.stop(),
  };
}

function remote(address: string, key: string): Station {
  const base = `${address.replace(/\/$/, '')}${BASE}`;
  return {
    house: null,
    api: (method, path, body) => send(fetch, base, key, method, path, body),
    close: async () => {},
  };
}

async function send<Answer>(
  fetcher: (url: string, init: RequestInit) => Promise<Response>,
  base: string,
  key: string,
  method: string,
  path: string,
  body: unknown,
): Promise<Answer> {
  const headers: Record<string, string> = { authorization: `Bearer ${key}` };
  if (body !== undefined) headers['content-type'] = 'application/json';
  let response: Response;
  try {
    response = await fetcher(`${base}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch (cause) {
    throw new CodedError('cli.server_unreachable', 'transient', `${base} does not answer`, { cause });
  }
  const text = await response.text();
  const answer = text
    ? (JSON.parse(text) as Answer & { error?: { code: string; message: string; detail: Record<string, unknown> } })
    : ({} as Answer);
  if (response.ok) return answer;
  const {
    code = 'server.unexpected',
    message = `status ${response.status}`,
    detail = {},
  } = (answer as { error?: { code: string; message: string; detail: Record<string, unknown> } }).error ?? {};
  throw new CodedError(code, response.status >= 500 ? 'transient' : 'permanent', message, { detail });
}
