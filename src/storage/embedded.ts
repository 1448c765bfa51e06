import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite, type Transaction } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import type { Database, Orm, QueryResult, Tx } from './database.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';
import { quoteIdentifier } from './quote.ts';
import { TransactionScope } from './transaction-scope.ts';

export interface EmbeddedOptions {
  /** The data folder; without one the database lives in memory and ends with the process. */
  readonly folder?: string;
  readonly schema: string;
  /** A dump of a prepared data folder to begin with; saves the 2 s that creating one takes. */
  readonly seed?: Blob;
}

/** The embedded database, with the handle that the queue needs. */
export interface EmbeddedDatabase extends Database {
  readonly kind: 'pglite';
  readonly pglite: PGlite;
  /** Present when the database lies in a folder: where the running process says how to reach it. */
  readonly lock: FolderLock | undefined;
  /** True when no statement has run for the given time, so that house-keeping disturbs nobody. */
  idleFor(ms: number): boolean;
}

const BIGINT = 20;

/**
 * Opens PGlite. A folder is locked first (`storage.folder_locked` if another process holds it): two processes
 * on one folder are not refused by PGlite and lose rows silently.
 */
export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const { folder, schema } = options;
  let lock: FolderLock | undefined;
  if (folder !== undefined) {
    mkdirSync(folder, { recursive: true });
    lock = lockFolder(folder);
  }
  let pglite: PGlite;
  try {
    pglite = await PGlite.create({
      ...(folder === undefined ? {} : { dataDir: join(folder, 'database') }),
      ...(options.seed === undefined ? {} : { loadDataDir: options.seed }),
      parsers: { [BIGINT]: Number },
      relaxedDurability: false,
    });
    // The plans are those of the server's connections (see postgres.ts).
    await pglite.exec(
      `set search_path to ${quoteIdentifier(schema)}; set timezone to 'UTC'; set jit to off; set random_page_cost to 1.1`,
    );
  } catch (error) {
    lock?.release();
    throw error;
  }
  const scope = new TransactionScope();
  let lastUsed = performance.now();
  let closing: Promise<void> | undefined;
  const used = () => {
    lastUsed = performance.now();
  };

  return {
    kind: 'pglite',
    schema,
    pglite: guarded(pglite, scope, used),
    lock,
    orm: drizzle(guarded(pglite, scope, used)) as unknown as Orm,
    idleFor: (ms) => performance.now() - lastUsed >= ms,
    query: async (text, params) => {
      scope.refuseInside('a statement');
      used();
      return send(pglite, text, params);
    },
    script: async (text) => {
      scope.refuseInside('a script');
      used();
      await pglite.exec(text);
    },
    transaction: (work) =>
      scope.run(async () => {
        used();
        // PGlite's own transaction() swallows nothing but returns undefined after an explicit rollback.
        return (await pglite.transaction((tx) => work(transactionOn(tx)))) as Awaited<ReturnType<typeof work>>;
      }),
    close: () => {
      closing ??= pglite.close().finally(() => lock?.release());
      return closing;
    },
  };
}

/** The outer handle for other libraries: they too must not wait on a transaction that waits for them. */
function guarded(pglite: PGlite, scope: TransactionScope, used: () => void): PGlite {
  const watched = new Set<PropertyKey>(['query', 'exec', 'sql', 'transaction', 'runExclusive', 'execProtocol']);
  return new Proxy(pglite, {
    get(target, property) {
      const value = Reflect.get(target, property, target);
      if (typeof value !== 'function') return value;
      if (!watched.has(property)) return value.bind(target);
      return (...args: unknown[]) => {
        scope.refuseInside(`PGlite.${String(property)}`);
        used();
        return value.apply(target, args);
      };
    },
  });
}

function transactionOn(tx: Transaction): Tx {
  let orm: Orm | undefined;
  return {
    inTransaction: true,
    get orm() {
      orm ??= drizzle(tx as unknown as PGlite) as unknown as Orm;
      return orm;
    },
    query: (text, params) => send(tx, text, params),
  };
}

async function send<Row>(
  on: Pick<PGlite, 'query'> | Transaction,
  text: string,
  params: readonly unknown[] = [],
): Promise<QueryResult<Row>> {
  const result = await on.query<Row>(text, params as unknown[]);
  // A SELECT reports 0 affected rows here, where PostgreSQL's driver reports the rows returned.
  return { rows: result.rows, rowCount: Math.max(result.affectedRows ?? 0, result.rows.length) };
}
