import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';

// No key holds a tilde, so that a partial file is never taken for a blob, and no blob for a partial file.
const PARTIAL = /~[0-9a-f]{16}$/;

export function isPartialFile(name: string): boolean {
  return PARTIAL.test(name);
}

/**
 * Writes a file whole or not at all: beside its place, synced, then renamed over it, then the folder synced. After a
 * failure nothing of it is left; after a kill -9 at most a partial file, which no reader sees and
 * {@link removeStalePartials} clears.
 *
 * @throws file system errors as they are
 */
export async function writeAtomically(path: string, content: Uint8Array | string): Promise<void> {
  const folder = dirname(path);
  const topmostMade = await mkdir(folder, { recursive: true });
  const partial = `${path}~${randomBytes(8).toString('hex')}`;
  try {
    const file = await open(partial, 'wx');
    try {
      await file.writeFile(content);
      // Without this a power cut may keep the name and lose the bytes.
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(partial, path);
  } catch (error) {
    await unlink(partial).catch(() => {});
    throw error;
  }
  await syncFolders(folder, topmostMade === undefined ? folder : dirname(topmostMade));
}

/** A new name lasts when its folder is synced; a new folder is a name in the one above. */
async function syncFolders(from: string, upTo: string): Promise<void> {
  for (let folder = from; ; folder = dirname(folder)) {
    const handle = await open(folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (folder === upTo || folder === dirname(folder)) return;
  }
}

/**
 * Removes what killed writers left below `root`.
 *
 * @param olderThanMs spare younger files, in milliseconds: their writers may be alive
 * @returns how many were removed
 */
export async function removeStalePartials(root: string, olderThanMs: number, nowMs: number): Promise<number> {
  let removed = 0;
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !isPartialFile(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const found = await stat(path).catch(() => null);
    if (found === null || nowMs - found.mtimeMs <= olderThanMs) continue;
    await unlink(path).catch(() => {});
    removed += 1;
  }
  return removed;
}
