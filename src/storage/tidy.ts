import type { EmbeddedDatabase } from './embedded.ts';

/**
 * The embedded database has no autovacuum and never trims its write-ahead log by itself (1.56 GB seen past a limit
 * of 1 GB): both are done here, when nobody has asked for anything for a moment.
 * @returns whether it was done
 */
export async function tidyWhenIdle(database: EmbeddedDatabase, idleMs: number): Promise<boolean> {
  if (!database.idleFor(idleMs)) return false;
  await database.script('vacuum (analyze)');
  await database.script('checkpoint');
  return true;
}
