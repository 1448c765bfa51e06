import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { FSDriver } from 'flydrive/drivers/fs';
import type { BlobDisk } from './blob-disk.ts';
import { isBlobKey } from './blob-key.ts';
import type { FolderOptions } from './blob-store.ts';
import { writeAtomically } from './write-atomically.ts';

/** flydrive's folder driver writes in place: a killed process would leave half a blob under its final name. */
class AtomicFolderDriver extends FSDriver {
  readonly #root: string;

  constructor(root: string) {
    super({ location: root, visibility: 'private' });
    this.#root = root;
  }

  override put(key: string, contents: string | Uint8Array): Promise<void> {
    return writeAtomically(join(this.#root, key), contents);
  }
}

export function openFolderDisk(options: FolderOptions): BlobDisk {
  const root = resolve(options.path);
  return {
    driver: new AtomicFolderDriver(root),
    keys: (prefix) => keysBelow(root, '', prefix),
    close: () => {},
  };
}

/** Walks folder by folder, so that a large store is never in memory at once. */
async function* keysBelow(root: string, folder: string, prefix: string): AsyncGenerator<string> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    // Not made yet, or removed since it was listed.
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  for (const { entry, path } of inKeyOrder(folder, entries)) {
    if (entry.isDirectory()) {
      if (path.startsWith(prefix) || prefix.startsWith(path)) yield* keysBelow(root, path, prefix);
    } else if (entry.isFile() && path.startsWith(prefix) && isBlobKey(path)) {
      yield path;
    }
  }
}

/** Folders sort with their slash: `a-b` before `a/b`, as S3 lists them. */
function inKeyOrder(folder: string, entries: readonly Dirent[]): { entry: Dirent; path: string }[] {
  return entries
    .map((entry) => ({ entry, path: `${folder}${entry.name}${entry.isDirectory() ? '/' : ''}` }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}
