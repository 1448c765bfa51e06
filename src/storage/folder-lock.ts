import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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
  mkdirSync(dirname(path), { recursive: true });
  const self: FolderHolder = { pid: process.pid, started: startTicks(process.pid) };
  for (let attempt = 0; !create(path, self); attempt += 1) {
    const holder = readHolder(folder);
    if (holder || attempt >= 5) {
      throw new CodedError(FOLDER_LOCKED, 'permanent', `${folder} is in use by process ${holder?.pid ?? 'unknown'}`, {
        detail: { folder, pid: holder?.pid ?? null, address: holder?.address ?? null },
      });
    }
    takeAside(path);
  }
  return {
    announce: (address, token) => {
      const next = `${path}.${process.pid}.new`;
      writeFileSync(next, JSON.stringify({ ...self, address, token }), { mode: 0o600 });
      renameSync(next, path);
    },
    release: () => {
      if (readRaw(path)?.pid === process.pid) rmSync(path, { force: true });
    },
  };
}

/** The living process that holds the folder, or null. */
export function readHolder(folder: string): FolderHolder | null {
  const holder = readRaw(lockFile(folder));
  if (!holder || !alive(holder)) return null;
  return holder;
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

/**
 * Removes the lock of a dead process. Of two processes that both saw the dead holder, the later one may take
 * the earlier one's fresh lock aside: it notices, and puts it back.
 */
function takeAside(path: string): void {
  const aside = `${path}.${process.pid}.stale`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const taken = readRaw(aside);
  if (taken && alive(taken)) linkSync(aside, path);
  rmSync(aside, { force: true });
}

function readRaw(path: string): FolderHolder | null {
  if (!existsSync(path)) return null;
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as FolderHolder;
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
  const started = startTicks(holder.pid);
  return started === null || holder.started === null || started === holder.started;
}

/** Field 22 of /proc/PID/stat; null where there is no /proc. */
function startTicks(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}
