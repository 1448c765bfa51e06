import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, inject, vi } from 'vitest';
import { listen } from '../../src/cli/start.ts';
import { type House, openHouse } from '../../src/server/house.ts';
import { openPostgres } from '../../src/storage/postgres.ts';
import { quoteIdentifier } from '../../src/storage/quote.ts';
import { newDataFolder, newFolder } from './data-folder.ts';

/** The owner's key of every site. */
export const OWNER_KEY = 'the-owners-key-of-a-test-0123456789';

export interface Reply<Body = Record<string, unknown>> {
  readonly status: number;
  readonly headers: Headers;
  /** The JSON of the answer, or its text where it is none. */
  readonly body: Body;
}

export interface CallOptions {
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it stands. */
  readonly raw?: string;
  readonly type?: string;
  /** null: no key at all. Default: the owner's. */
  readonly key?: string | null;
}

/** A running house with its HTTP server on loopback. */
export interface Site {
  readonly house: House;
  readonly address: string;
  /** The data folder; null on PostgreSQL. Commands that are given it talk to this site. */
  readonly folder: string | null;
  /** The folder below which raw objects may be read. */
  readonly rawFolder: string;
  /** What the house reported as unexpected. */
  readonly reported: { readonly error: unknown; readonly where: string }[];
  /** Sends a request; paths that begin with `/api` or name no service are below the address, others below /api/v1. */
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of a body by expecting it
  call<Body = any>(method: string, path: string, options?: CallOptions): Promise<Reply<Body>>;
}

export interface SiteOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly workers?: boolean;
}

const OUTSIDE = /^\/(healthz|readyz|metrics|api\/)/;
let schemas = 0;

/** Opens a site of its own: on a copy of the prepared data folder, or in a schema of the run's PostgreSQL. */
export async function openSite(
  kind: 'pglite' | 'postgres',
  options: SiteOptions = {},
): Promise<Site & { close(): Promise<void> }> {
  const folder = kind === 'pglite' ? newDataFolder() : null;
  const rawFolder = newFolder('raw');
  const schema = kind === 'pglite' ? 'signalbox' : `s${process.pid}_${Date.now().toString(36)}_${schemas++}`;
  const reported: { error: unknown; where: string }[] = [];
  const house = await openHouse({
    folder,
    ...(kind === 'postgres' ? { databaseUrl: inject('postgresUrl') } : {}),
    schema,
    workers: options.workers ?? true,
    anyFile: false,
    env: { SIGNALBOX_RAW_FOLDER: rawFolder, SIGNALBOX_POOL: '4', ...options.env },
    localKey: OWNER_KEY,
    pollSeconds: 0.5,
    onError: (error, where) => reported.push({ error, where }),
  });
  const server = await listen(house, 0, '127.0.0.1', OWNER_KEY);
  const { address } = server;
  return {
    house,
    address,
    folder,
    rawFolder,
    reported,
    call: (method, path, call) => send(`${address}${OUTSIDE.test(path) ? '' : '/api/v1'}${path}`, method, call),
    close: async () => {
      await server.close();
      await house.stop();
      if (kind === 'postgres') await dropSchemas([schema, `${schema}_jobs`]);
      for (const gone of [folder, rawFolder]) if (gone) rmSync(gone, { recursive: true, force: true });
    },
  };
}

async function dropSchemas(names: readonly string[]): Promise<void> {
  const database = openPostgres({ url: inject('postgresUrl'), schema: 'public', poolSize: 1 });
  await database.script(names.map((name) => `drop schema ${quoteIdentifier(name)} cascade`).join('; '));
  await database.close();
}

async function send<Body>(url: string, method: string, options: CallOptions = {}): Promise<Reply<Body>> {
  const { json, key = OWNER_KEY, type = 'application/json' } = options;
  const body = json === undefined ? options.raw : JSON.stringify(json);
  const response = await fetch(url, {
    method,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': type }),
    },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return { status: response.status, headers: response.headers, body: (isJson ? JSON.parse(text) : text) as Body };
}

/** Runs the same tests against a site on the embedded database and against one on PostgreSQL. */
export function onBothSites(name: string, tests: (site: () => Site) => void, options?: SiteOptions): void {
  for (const kind of ['pglite', 'postgres'] as const) {
    describe(`${name} on ${kind}`, () => {
      let site: Awaited<ReturnType<typeof openSite>>;
      beforeAll(async () => {
        site = await openSite(kind, options);
      });
      afterAll(() => site?.close());
      tests(() => site);
    });
  }
}

/** Asks again and again until nothing is thrown, and gives what came of it. */
export function until<T>(check: () => Promise<T> | T): Promise<T> {
  return vi.waitFor(check, { timeout: 25_000, interval: 50 });
}
