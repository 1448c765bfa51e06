/**
 * Stands in for the few calls of `node:fs` that a lock makes, for paths below /memory: the same rules, no disk, and a
 * place before each step where a test lets somebody else act.
 */
export const memory = {
  files: new Map<string, string>(),
  before: null as (() => void) | null,
};

const fail = (code: string, path: string): never => {
  throw Object.assign(new Error(`${code}: ${path}`), { code });
};

const contentOf = (path: string): string => memory.files.get(path) ?? fail('ENOENT', path);

const calls: Readonly<Record<string, (path: string, second?: unknown) => unknown>> = {
  mkdirSync: () => undefined,
  readFileSync: contentOf,
  writeFileSync: (path, content) => memory.files.set(path, String(content)),
  linkSync: (from, to) => {
    if (memory.files.has(String(to))) fail('EEXIST', String(to));
    memory.files.set(String(to), contentOf(from));
  },
  renameSync: (from, to) => {
    memory.files.set(String(to), contentOf(from));
    memory.files.delete(from);
  },
  rmSync: (path, options) => memory.files.delete(path) || (options as { force?: boolean })?.force || contentOf(path),
};

/** `node:fs` with the paths below /memory held here; all others go to the disk. */
export function withMemoryDisk<Fs extends object>(real: Fs): Fs {
  const stands = Object.entries(calls).map(([name, call]) => [
    name,
    (path: string, ...others: unknown[]) => {
      const onDisk = Reflect.get(real, name) as (...args: unknown[]) => unknown;
      if (!String(path).startsWith('/memory/')) return onDisk(path, ...others);
      memory.before?.();
      return call(path, others[0]);
    },
  ]);
  return { ...real, ...Object.fromEntries(stands) };
}
