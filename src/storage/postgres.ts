import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { CodedError } from '../errors/coded-error.ts';
import type { Database, Orm, QueryResult, Tx } from './database.ts';
import { quoteIdentifier } from './quote.ts';
import { TransactionScope } from './transaction-scope.ts';

export interface PostgresOptions {
  readonly url: string;
  readonly schema: string;
  /** Connections of this process beside the queue's own. Everything works with one. */
  readonly poolSize?: number;
  /** Told of connections that broke while idle; the pool replaces them. */
  readonly onIdleError?: (error: Error) => void;
}

export const TRANSACTION_ABORTED = 'storage.transaction_aborted';

const BIGINT = 20;

// bigint arrives as text by default; our counters stay far below 2^53.
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === BIGINT ? Number : pg.types.getTypeParser(oid, format as 'text')) as pg.CustomTypesConfig['getTypeParser'],
};

/** The server's database, with the address that the queue opens its own connections by. */
export interface PostgresDatabase extends Database {
  readonly kind: 'postgres';
  readonly url: string;
}

/** Opens a pool on a PostgreSQL server. Nothing is connected before the first statement. */
export function openPostgres(options: PostgresOptions): PostgresDatabase {
  const scope = new TransactionScope();
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize ?? 8,
    application_name: 'signalbox',
    // With the default for spinning disks (4), a batch's update joins 100 ids by reading the whole table until it
    // has some 50,000 rows: 25 ms a move instead of 9. The jit pays off for none of our statements and cost 20 to 60 ms on the first of each connection.
    options: `-c search_path=${quoteIdentifier(options.schema)} -c jit=off -c random_page_cost=1.1 -c timezone=UTC`,
    types,
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
  });
  pool.on('error', (error) => options.onIdleError?.(error));
  const orm = drizzle(guarded(pool, scope)) as unknown as Orm;
  let closing: Promise<void> | undefined;

  return {
    kind: 'postgres',
    url: options.url,
    schema: options.schema,
    orm,
    query: async (text, params) => {
      scope.refuseInside('a statement');
      return send(pool, text, params);
    },
    script: async (text) => {
      scope.refuseInside('a script');
      await pool.query(text);
    },
    transaction: (work) =>
      scope.run(async () => {
        const client = await pool.connect();
        let broken: Error | undefined;
        const onError = (error: Error) => {
          broken = error;
        };
        client.on('error', onError);
        try {
          await client.query('begin');
          const result = await work(transactionOn(client));
          const { command } = await client.query('commit');
          // A statement failed and its error was passed over: the server undoes everything and says so here only.
          if (command === 'ROLLBACK') {
            throw new CodedError(TRANSACTION_ABORTED, 'permanent', 'nothing was committed: a statement had failed');
          }
          return result;
        } catch (error) {
          await client.query('rollback').catch((failure: Error) => {
            broken = failure;
          });
          throw error;
        } finally {
          client.off('error', onError);
          client.release(broken);
        }
      }),
    close: () => {
      closing ??= pool.end();
      return closing;
    },
  };
}

/** The pool as the query builder sees it: it too must not wait for a connection that waits for it. */
function guarded(pool: pg.Pool, scope: TransactionScope): pg.Pool {
  return new Proxy(pool, {
    get(target, property) {
      if (property === 'query' || property === 'connect') scope.refuseInside(`the pool's ${property}`);
      const value = Reflect.get(target, property, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function transactionOn(client: pg.PoolClient): Tx {
  let orm: Orm | undefined;
  return {
    inTransaction: true,
    get orm() {
      orm ??= drizzle(client) as unknown as Orm;
      return orm;
    },
    query: (text, params) => send(client, text, params),
  };
}

/**
 * Statements with parameters are prepared once a connection and named after their text: parsing and planning were a
 * third of what a batch's statements cost the server (ADR 5). Statements are few and constant; should somebody build
 * them from values, those past the limit are sent as they are, so that no connection collects plans without end.
 */
const PREPARED_AT_MOST = 500;
const names = new Map<string, string>();

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= PREPARED_AT_MOST) return known;
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
}

async function send<Row>(
  on: pg.Pool | pg.PoolClient,
  text: string,
  params: readonly unknown[] = [],
): Promise<QueryResult<Row>> {
  const name = params.length > 0 ? nameOf(text) : undefined;
  const result = await on.query<pg.QueryResultRow>({ text, values: params as unknown[], ...(name && { name }) });
  return { rows: result.rows as Row[], rowCount: result.rowCount ?? 0 };
}
