import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';

/** Rows and the number of rows that a statement touched. */
export interface QueryResult<Row> {
  readonly rows: Row[];
  readonly rowCount: number;
}

/** The query builder for lists and small edits; hot statements go through `query`. */
export type Orm = PgDatabase<PgQueryResultHKT, Record<string, never>>;

/** Something that SQL can be sent to: the database itself or one open transaction. */
export interface Queryable {
  /**
   * Runs one statement with `$1`-parameters. Arrays are bound whole (`= any($1::uuid[])`), JSON is passed
   * as text and cast (`$1::jsonb`). Both databases return: int and bigint as number, timestamptz as Date,
   * jsonb parsed, numeric as string.
   */
  query<Row = Record<string, unknown>>(text: string, params?: readonly unknown[]): Promise<QueryResult<Row>>;
  readonly orm: Orm;
}

/** One open transaction. Functions that must be part of somebody's transaction ask for this type. */
export interface Tx extends Queryable {
  readonly inTransaction: true;
}

export interface Database extends Queryable {
  readonly kind: 'pglite' | 'postgres';
  /** The schema that all of Signalbox's tables live in; the queue's tables live in `${schema}_jobs`. */
  readonly schema: string;
  /**
   * Commits when `work` resolves, rolls back when it throws. While `work` runs, a statement sent to the
   * database itself (not to `tx`) throws `storage.outside_transaction`: on PGlite it would wait for ever,
   * on PostgreSQL with a pool of one too.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Runs a script of several statements without parameters (migrations, the queue's own DDL). */
  script(text: string): Promise<void>;
  close(): Promise<void>;
}
