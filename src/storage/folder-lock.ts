import { createHash } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CodedError } from '../errors/coded-error.ts';

export const FOLDER_LOCKED = 'storage.folder_locked';

/** What the process that holds a data folder tells others about itself. */
export interface FolderHolder {
  readonly pid: number;
  /** When the process started, in clock ticks since boot: a recycled process id does not match. */
  readonly started: string | null;
  /** Where it listens, once it does. */
  readonly address?: string;
  /** What a command of the same user must present there. */
  readonly token?: string;
}

export interface FolderLock {
  /** Publishes the address and token beside the lock (readable by the owner of the folder only). */
  announce(address: string, token: string): void;
  release(): void;
}

const lockFile = (folder: string) => join(folder, 'signalbox.lock');

/**
 * Takes the folder for this process. A lock left by a process that is gone is taken over.
 * Throws `storage.folder_locked` (permanent; detail: pid, address) when a living process holds it.
 */
export function lockFolder(folder: string): FolderLock {
  const path = lockFile(folder);
  mkdirSync(folder, { recursive: true });
  const self: FolderHolder = { pid: process.pid, started: readProcess(process.pid)?.started ?? null };
  for (let attempt = 0; !take(path, self); attempt += 1) {
    const holder = readHolder(folder);
    // After some tries somebody else is about to take it.
    if (holder || attempt >= 5) {
      throw new CodedError(FOLDER_LOCKED, 'permanent', `${folder} is in use by process ${holder?.pid ?? 'unknown'}`, {
        detail: { folder, pid: holder?.pid ?? null, address: holder?.address ?? null },
      });
    }
  }
  let released = false;
  return {
    announce: (address, token) => replace(path, { ...self, address, token }),
    release: () => {
      if (!released && parse(readText(path))?.pid === process.pid) rmSync(path, { force: true });
      released = true;
    },
  };
}

/** The living process that holds the folder, or null. */
export function readHolder(folder: string): FolderHolder | null {
  const holder = parse(readText(lockFile(folder)));
  return holder && alive(holder) ? holder : null;
}

/**
 * Makes the file ours: as a new one, or in place of a dead process's. Several may find the same dead holder: the turn
 * to replace its lock is a file named after its content, which one process only can take. Whoever has the turn looks
 * again, and replaces the lock without a moment in which there is none.
 */
function take(path: string, self: FolderHolder): boolean {
  if (create(path, self)) return true;
  const found = readText(path);
  if (found === null) return false;
  const holder = parse(found);
  if (holder && alive(holder)) return false;
  const turn = `${path}.${createHash('sha256').update(found).digest('hex').slice(0, 12)}`;
  if (!take(turn, self)) return false;
  try {
    if (readText(path) !== found) return false;
    replace(path, self);
    return true;
  } finally {
    rmSync(turn, { force: true });
  }
}

/** Linked into place with its content, so that nobody ever reads half a lock. */
function create(path: string, content: FolderHolder): boolean {
  const draft = `${path}.${process.pid}.draft`;
  writeFileSync(draft, JSON.stringify(content), { mode: 0o600 });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function replace(path: string, content: FolderHolder): void {
  const next = `${path}.${process.pid}.new`;
  writeFileSync(next, JSON.stringify(content), { mode: 0o600 });
  renameSync(next, path);
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** What a lock says; null when it says nothing that names a process. */
function parse(text: string | null): FolderHolder | null {
  if (text === null) return null;
  try {
    const holder = JSON.parse(text) as FolderHolder | null;
    return Number.isInteger(holder?.pid) && holder!.pid > 0 ? holder : null;
  } catch {
    return null;
  }
}

function alive(holder: FolderHolder): boolean {
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const now = readProcess(holder.pid);
  // A process that has ended stays in the list until its parent asks; in a container, that may be never.
  if (now?.state === 'Z' || now?.state === 'X') return false;
  return now === null || holder.started === null || now.started === holder.started;
}

/** Fields 3 and 22 of /proc/PID/stat; null where there is no /proc. */
function readProcess(pid: number): { readonly state: string; readonly started: string } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0]!, started: fields[19]! };
  } catch {
    return null;
  }
}
