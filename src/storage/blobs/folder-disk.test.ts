import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openBlobStore } from './open-blob-store.ts';
import { removeStalePartials } from './write-atomically.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'blobs-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const filesOf = async (folder: string) => (await readdir(folder, { recursive: true })).sort();
const collect = async (keys: AsyncIterable<string>) => {
  const all: string[] = [];
  for await (const key of keys) all.push(key);
  return all;
};
const BIG = 4 * 1024 * 1024;

/** A process of its own, for what cannot be done to this one. `code` sees `store`. */
function inChild(code: string, before = '') {
  const module = new URL('./open-blob-store.ts', import.meta.url).href;
  const script = `import { openBlobStore } from ${JSON.stringify(module)};
    const store = openBlobStore({ kind: 'folder', path: ${JSON.stringify(root)} }); ${code}`;
  return spawn('sh', ['-c', `${before} exec "$0" --input-type=module -e "$1"`, process.execPath, script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

describe('a folder of blobs', () => {
  it('keeps the old blob and leaves nothing when a write fails half-way', async () => {
    const store = openBlobStore({ kind: 'folder', path: root });
    await store.put('a/b', 'old');
    // The limit stops the write after 50 KiB, as a full disk would.
    const child = inChild(
      `await store.put('a/b', new Uint8Array(${BIG})).catch((e) => process.stdout.write(e.code + ' ' + e.detail.native));`,
      'ulimit -f 100;',
    );
    let said = '';
    child.stdout.on('data', (part) => {
      said += part;
    });
    await once(child, 'close');
    expect(said).toBe('blob.unavailable EFBIG');
    expect(await filesOf(root)).toEqual(['a', 'a/b']);
    expect(await store.getText('a/b')).toBe('old');
  });

  it('leaves nothing when the name is taken by a folder', async () => {
    const store = openBlobStore({ kind: 'folder', path: root });
    await store.put('a/b', 'x');
    const conflict = { code: 'blob.key_conflict', errorClass: 'permanent' };
    await expect(store.put('a', 'y')).rejects.toMatchObject(conflict);
    await expect(store.put('a/b/c', 'y')).rejects.toMatchObject(conflict);
    expect(await filesOf(root)).toEqual(['a', 'a/b']);
  });

  it('shows whole blobs only, wherever kill -9 strikes', async () => {
    const store = openBlobStore({ kind: 'folder', path: root });
    for (let kills = 0; kills < 3; kills += 1) {
      const child = inChild(`for (let n = 0; ; n++) {
        await store.put('x/blob', Buffer.alloc(${BIG}, n % 2 ? 'a' : 'b'));
        process.stdout.write('.');
      }`);
      const dead = once(child, 'close');
      for (let writes = 0; writes <= kills; writes += 1) await once(child.stdout, 'data');
      child.kill('SIGKILL');
      await dead;
      const text = await store.getText('x/blob');
      expect([text.length, text.replaceAll(text[0] ?? '', '')]).toEqual([BIG, '']);
      expect(await collect(store.list())).toEqual(['x/blob']);
    }
    await removeStalePartials(root, -1, Date.now());
    expect(await filesOf(root)).toEqual(['x', 'x/blob']);
  });

  it('shows nobody a partial file, and clears old ones only', async () => {
    const store = openBlobStore({ kind: 'folder', path: root });
    await store.put('d/k', 'x');
    await writeFile(join(root, 'd', 'k~0123456789abcdef'), 'half');
    await writeFile(join(root, 'd', 'new~0123456789abcdef'), 'half');
    await writeFile(join(root, 'd', 'not~ours'), 'x');
    const now = Date.now();
    await utimes(join(root, 'd', 'k~0123456789abcdef'), new Date(now), new Date(now - 7_200_000));
    expect(await collect(store.list())).toEqual(['d/k']);
    expect(await removeStalePartials(root, 3_600_000, now)).toBe(1);
    expect(await filesOf(join(root, 'd'))).toEqual(['k', 'new~0123456789abcdef', 'not~ours']);
  });

  it('lists in the order of bytes, as S3 does', async () => {
    const store = openBlobStore({ kind: 'folder', path: root });
    const keys = ['B', 'a-b/x', 'a.txt', 'a/b/c', 'a/b/d', 'a/bc', 'a/c', 'aa', 'z'];
    for (const key of [...keys].reverse()) await store.put(key, key);
    expect(await collect(store.list())).toEqual(keys);
    expect(await collect(store.list('a'))).toEqual(keys.slice(1, 8));
  });

  it('lets the last of two writers win, whole', async () => {
    const store = openBlobStore({ kind: 'folder', path: root });
    await Promise.all(['a', 'b', 'c', 'd'].map((letter) => store.put('k', letter.repeat(100_000))));
    const text = await readFile(join(root, 'k'), 'utf8');
    expect(text).toBe((text[0] ?? '').repeat(100_000));
    expect(await filesOf(root)).toEqual(['k']);
  });

  it.skipIf(process.getuid?.() === 0)('says that it may not write', async () => {
    const folder = join(root, 'locked');
    await mkdir(folder);
    await chmod(folder, 0o500);
    const store = openBlobStore({ kind: 'folder', path: folder });
    await expect(store.put('k', 'x')).rejects.toMatchObject({ code: 'blob.denied', errorClass: 'permanent' });
  });
});
