import { join } from 'node:path';
import { migrate as migratePostgres } from 'drizzle-orm/node-postgres/migrator';
import { migrate as migrateEmbedded } from 'drizzle-orm/pglite/migrator';
import type { Database } from './database.ts';
import { quoteIdentifier } from './quote.ts';

const folder = join(import.meta.dirname, 'migrations');

/** One number for "Signalbox is changing its tables", so that starting processes take turns. */
const MIGRATION_LOCK = 7_305_001;

/**
 * Brings the schema to the newest version: creates it, then applies the SQL files of `migrations/` that are
 * not yet recorded. Any number of processes may start at once; statements wait at most 10 s for a lock, so
 * that a migration fails loudly instead of queueing everybody behind a long reader.
 */
export async function migrate(database: Database): Promise<void> {
  const schema = quoteIdentifier(database.schema);
  const settings = { migrationsFolder: folder, migrationsSchema: database.schema, migrationsTable: 'migration' };
  if (database.kind === 'pglite') {
    await database.script(`create schema if not exists ${schema}`);
    await migrateEmbedded(database.orm as unknown as Parameters<typeof migrateEmbedded>[0], settings);
    return;
  }
  await database.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await tx.query(`set local lock_timeout = '10s'`);
    await tx.query(`create schema if not exists ${schema}`);
    await migratePostgres(tx.orm as unknown as Parameters<typeof migratePostgres>[0], settings);
  });
}
