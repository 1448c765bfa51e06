import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBlobStore } from './open-blob-store.ts';
import { openRawObject } from './open-raw-object.ts';

let root: string;
let base: string;
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'raw-')));
  base = join(root, 'base');
  await mkdir(join(base, 'in'), { recursive: true });
  await mkdir(join(root, 'base-two'));
  await writeFile(join(base, 'in', 'a 豆.json'), 'inside');
  await writeFile(join(root, 'secret'), 'outside');
  await writeFile(join(root, 'base-two', 'secret'), 'outside');
  await symlink(join(root, 'secret'), join(base, 'link-out'));
  await symlink(join(root, 'nothing'), join(base, 'link-nowhere'));
  await symlink(root, join(base, 'up'));
  await symlink(join(base, 'in'), join(base, 'link-in'));
  await symlink('loop', join(base, 'loop'));
  await symlink(base, join(root, 'alias'));
  execFileSync('mkfifo', [join(base, 'pipe')]);
});
afterAll(() => rm(root, { recursive: true }));

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();
const none = new Map();
const server = (url: string, baseDir: string | undefined = base) =>
  openRawObject(url, { stores: none, allowFiles: false, ...(baseDir && { baseDir }) }).then(text);
const cli = (url: string, options = {}) =>
  openRawObject(url, { stores: none, allowFiles: true, baseDir: base, ...options }).then(text);

describe('raw objects in files', () => {
  it('are read anywhere by a command line, from its folder', async () => {
    expect(await cli('file:in/a 豆.json')).toBe('inside');
    expect(await cli('file:in/a%20%E8%B1%86.json')).toBe('inside');
    expect(await cli('file:../secret')).toBe('outside');
    expect(await cli(pathToFileURL(join(root, 'secret')).href)).toBe('outside');
    expect(await cli('file:link-out')).toBe('outside');
    expect(await cli(`file:${relative(process.cwd(), join(root, 'secret'))}`, { baseDir: undefined })).toBe('outside');
  });

  it('are read below its folder by a server', async () => {
    expect(await server('file:in/a 豆.json')).toBe('inside');
    expect(await server(pathToFileURL(join(base, 'in', 'a 豆.json')).href)).toBe('inside');
    expect(await server('file:link-in/a 豆.json')).toBe('inside');
    expect(await server('file:in/../in/a 豆.json')).toBe('inside');
    // The folder may itself be reached through a link, and the URL may name either.
    expect(await server('file:in/a 豆.json', join(root, 'alias'))).toBe('inside');
    expect(await server(pathToFileURL(join(root, 'alias', 'in', 'a 豆.json')).href, join(root, 'alias'))).toBe(
      'inside',
    );
    expect(await server(pathToFileURL(join(base, 'in', 'a 豆.json')).href, join(root, 'alias'))).toBe('inside');
  });

  it.each([
    'file:../secret',
    'file:%2e%2e/secret',
    'file:in/../../secret',
    'file:../base-two/secret',
    'file:link-out',
    'file:up/secret',
    'file:up/base-two/secret',
    'file:///etc/passwd',
    'file:///nothing/there',
    'file:.',
    'file:..',
    'file:pipe',
    'file:in',
  ])('are refused to a server: %s', async (url) => {
    await expect(server(url)).rejects.toMatchObject({ code: 'blob.path_refused', errorClass: 'permanent' });
  });

  it('are refused whole without a folder', async () => {
    for (const url of ['file:in/a', 'file:///etc/passwd']) {
      await expect(openRawObject(url, { stores: none, allowFiles: false })).rejects.toMatchObject({
        code: 'blob.path_refused',
      });
    }
  });

  it('fail with codes', async () => {
    const missing = { code: 'blob.not_found', errorClass: 'permanent' };
    await expect(server('file:nope')).rejects.toMatchObject(missing);
    await expect(server('file:link-nowhere')).rejects.toMatchObject(missing);
    await expect(server('file:loop')).rejects.toMatchObject({ code: 'blob.denied' });
    await expect(cli('file:nope')).rejects.toMatchObject(missing);
    await expect(cli('file:///dev/zero')).rejects.toMatchObject({ code: 'blob.path_refused' });
    await expect(cli('file:../secret', { maxBytes: 6 })).rejects.toMatchObject({ code: 'blob.too_large' });
    expect(await cli('file:../secret', { maxBytes: 7 })).toBe('outside');
    await expect(cli('http://example.com/')).rejects.toMatchObject({ code: 'blob.bad_url' });
  });
});

describe('raw objects in stores', () => {
  it('are found by the name of the bucket, for both schemes', async () => {
    const store = openBlobStore({ kind: 'folder', path: join(root, 'store') });
    await store.put('2026/a.json', 'raw');
    const options = { stores: new Map([['answers-125', store]]), allowFiles: false };
    expect(text(await openRawObject('cos://answers-125/2026/a.json', options))).toBe('raw');
    expect(text(await openRawObject('s3://answers-125/2026/a.json', options))).toBe('raw');
    const fails = (url: string, more = {}) => expect(openRawObject(url, { ...options, ...more })).rejects;
    await fails('cos://other/2026/a.json').toMatchObject({ code: 'blob.unknown_store', errorClass: 'permanent' });
    await fails('cos://answers-125/nope').toMatchObject({ code: 'blob.not_found' });
    await fails('cos://answers-125/../secret').toMatchObject({ code: 'blob.bad_key' });
    await fails('cos://answers-125/2026/a.json', { maxBytes: 2 }).toMatchObject({ code: 'blob.too_large' });
  });
});
