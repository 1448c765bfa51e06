import { lstat, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DEFAULT_BUDGETS } from './budgets.ts';
import { type TakeInDeps, type TakenIn, takeIn } from './take-in.ts';

/** Where files go that were taken in, and those that were not, each with a note that says why. */
const TAKEN = 'taken-in';
const REFUSED = 'refused';

/**
 * Takes in what is put into a folder. A file is taken when it looks the same on two looks, so that none is read while it is
 * being written; it is moved only after it is stored, so that a crash between the two leads to nothing but a known content.
 * Hidden files, links and folders stay where they are.
 * @returns one look at the folder, to be called again and again; it says how many files it moved
 */
export function watchFolder(folder: string, deps: TakeInDeps): () => Promise<number> {
  let seen = new Map<string, string>();
  return async () => {
    for (const name of ['', TAKEN, REFUSED]) await mkdir(join(folder, name), { recursive: true });
    const now = new Map<string, string>();
    let moved = 0;
    for (const name of (await readdir(folder)).sort()) {
      const path = join(folder, name);
      const file = await lstat(path).catch(() => null);
      if (name.startsWith('.') || !file?.isFile()) continue;
      const look = `${file.size} ${file.mtimeMs}`;
      now.set(name, look);
      if (seen.get(name) !== look) continue;
      await moveAway(folder, name, await take(path, name, file.size, deps));
      moved += 1;
    }
    seen = now;
    return moved;
  };
}

async function take(path: string, name: string, size: number, deps: TakeInDeps): Promise<TakenIn> {
  // One byte too many is enough to be refused for its size.
  const bytes = size > DEFAULT_BUDGETS.bytes ? new Uint8Array(DEFAULT_BUDGETS.bytes + 1) : await readFile(path);
  const [taken] = await takeIn(deps, [{ name, bytes }], { source: 'folder', actorId: 'folder' });
  return taken!;
}

async function moveAway(folder: string, name: string, { outcome, id, error }: TakenIn): Promise<void> {
  const to = join(folder, outcome === 'refused' ? REFUSED : TAKEN);
  const free = await freeName(to, name);
  if (error) await writeFile(join(to, `${free}.txt`), `${error.code}: ${error.message}\n`);
  else if (outcome === 'known')
    await writeFile(join(to, `${free}.txt`), `documents.known: the same content is ${id}\n`);
  await rename(join(folder, name), join(to, free));
}

/** The name, or with a number where a file is called so already. */
async function freeName(folder: string, name: string): Promise<string> {
  const taken = new Set(await readdir(folder));
  if (!taken.has(name)) return name;
  const dot = name.lastIndexOf('.');
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  for (let n = 2; ; n += 1) if (!taken.has(`${stem} (${n})${ending}`)) return `${stem} (${n})${ending}`;
}
