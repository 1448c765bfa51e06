import type { Queryable } from '../storage/database.ts';

/** Tells of comments that changed: one statement for all that are watched, none while nobody watches. */
export interface VersionWatch {
  /** @returns how to end it */
  watch(id: string, version: number, changed: () => void): () => void;
  close(): void;
}

interface Watcher {
  readonly id: string;
  version: number;
  readonly changed: () => void;
}

/** @param everyMs how often the database is asked while anybody watches */
export function watchVersions(database: Queryable, everyMs: number, onError: (error: unknown) => void): VersionWatch {
  const watchers = new Set<Watcher>();
  let timer: NodeJS.Timeout | undefined;
  let asking = false;

  const ask = async () => {
    if (asking) return;
    asking = true;
    try {
      const { rows } = await database.query<{ id: string; version: number }>(
        'select id, version from comments_comment where id = any($1::uuid[])',
        [[...new Set([...watchers].map(({ id }) => id))]],
      );
      const versions = new Map(rows.map(({ id, version }) => [id, version]));
      for (const watcher of [...watchers]) {
        const version = versions.get(watcher.id) ?? watcher.version;
        if (version === watcher.version) continue;
        watcher.version = version;
        watcher.changed();
      }
    } catch (error) {
      onError(error);
    } finally {
      asking = false;
    }
  };
  const rest = () => {
    clearInterval(timer);
    timer = undefined;
  };
  return {
    watch: (id, version, changed) => {
      const watcher = { id, version, changed };
      watchers.add(watcher);
      timer ??= setInterval(ask, everyMs);
      return () => {
        watchers.delete(watcher);
        if (!watchers.size) rest();
      };
    },
    close: () => {
      watchers.clear();
      rest();
    },
  };
}
