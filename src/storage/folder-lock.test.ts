import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { LockOrder } from '../../test/harness/lock-child.ts';
import { memory, withMemoryDisk } from '../../test/harness/memory-disk.ts';
import { FOLDER_LOCKED, lockFolder, readHolder } from './folder-lock.ts';

const script = join(import.meta.dirname, '../../test/harness/lock-child.ts');
const home = mkdtempSync(join(tmpdir(), 'signalbox-lock-'));
const children: ChildProcess[] = [];
let folders = 0;
let folder: string;

const newFolder = () => mkdtempSync(join(home, `${folders++}-`));
const fileIn = (where: string) => join(where, 'signalbox.lock');
const contentOf = (where: string) => JSON.parse(readFileSync(fileIn(where), 'utf8'));
const stateOf = (pid: number) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]![0];
const startOf = (pid: number) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')[19]!;

beforeEach(() => {
  folder = newFolder();
});
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true });
});

async function startChild(): Promise<ChildProcess> {
  const child = fork(script, { execArgv: [] });
  children.push(child);
  await once(child, 'message');
  return child;
}

async function tell(child: ChildProcess, order: LockOrder): Promise<unknown> {
  child.send(order);
  return (await once(child, 'message'))[0];
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

describe('a folder and two processes', () => {
  test('is held by one; the other is told by whom, and where it listens', async () => {
    const child = await startChild();
    expect(await tell(child, { take: [folder] })).toEqual(['held']);
    expect(readHolder(folder)).toMatchObject({ pid: child.pid });
    expect(() => lockFolder(folder)).toThrow(`${folder} is in use by process ${child.pid}`);
    expect(() => lockFolder(folder)).toThrow(
      expect.objectContaining({
        code: FOLDER_LOCKED,
        errorClass: 'permanent',
        detail: { folder, pid: child.pid, address: null },
      }),
    );
    await tell(child, { announce: folder, address: 'http://127.0.0.1:7', token: 'secret' });
    expect(readHolder(folder)).toMatchObject({ pid: child.pid, address: 'http://127.0.0.1:7', token: 'secret' });
    expect(statSync(fileIn(folder)).mode & 0o777).toBe(0o600);
    expect(() => lockFolder(folder)).toThrow(
      expect.objectContaining({ detail: { folder, pid: child.pid, address: 'http://127.0.0.1:7' } }),
    );
    await tell(child, { release: folder });
    expect(readHolder(folder)).toBeNull();
    lockFolder(folder).release();
    expect(readdirSync(folder)).toEqual([]);
  });

  test('is taken over from one that was killed, and only then', async () => {
    const child = await startChild();
    await tell(child, { take: [folder] });
    expect(() => lockFolder(folder)).toThrow('in use');
    await kill(child);
    expect(readHolder(folder)).toBeNull();
    const lock = lockFolder(folder);
    expect(readHolder(folder)).toMatchObject({ pid: process.pid });
    expect(readdirSync(folder)).toEqual(['signalbox.lock']);
    lock.release();
  });

  test('of many that find a dead holder at the same time one gets it', async () => {
    const crowd = await Promise.all(Array.from({ length: 4 }, startChild));
    const dead = await startChild();
    const many = Array.from({ length: 40 }, newFolder);
    expect(await tell(dead, { take: many })).toEqual(many.map(() => 'held'));
    await kill(dead);
    const answers = (await Promise.all(crowd.map((child) => tell(child, { take: many })))) as string[][];
    for (const [n, where] of many.entries()) {
      const codes = answers.map((answer) => answer[n]!);
      expect(codes.toSorted()).toEqual(['held', FOLDER_LOCKED, FOLDER_LOCKED, FOLDER_LOCKED]);
      expect(readHolder(where)?.pid).toBe(crowd[codes.indexOf('held')]!.pid);
      expect(readdirSync(where)).toEqual(['signalbox.lock']);
    }
  });
});

describe('a lock file', () => {
  test('binds its own process too, and is released once', () => {
    const lock = lockFolder(folder);
    expect(() => lockFolder(folder)).toThrow('in use');
    lock.release();
    const next = lockFolder(folder);
    lock.release();
    expect(readHolder(folder)).toMatchObject({ pid: process.pid });
    next.release();
    expect(readHolder(folder)).toBeNull();
  });

  test('of somebody else is not removed by a release', async () => {
    const child = await startChild();
    const lock = lockFolder(folder);
    writeFileSync(fileIn(folder), JSON.stringify({ pid: child.pid, started: startOf(child.pid!) }));
    lock.release();
    expect(readHolder(folder)).toMatchObject({ pid: child.pid });
  });

  test('makes the folder when there is none yet', () => {
    const deep = join(folder, 'a', 'b');
    lockFolder(deep).release();
    expect(readdirSync(join(folder, 'a'))).toEqual(['b']);
  });

  test('names a living process that began at another time: the number was used again', async () => {
    const child = await startChild();
    const started = startOf(child.pid!);
    writeFileSync(fileIn(folder), JSON.stringify({ pid: child.pid, started }));
    expect(() => lockFolder(folder)).toThrow('in use');
    // Where the time of the start is not known, the benefit of the doubt is the holder's.
    writeFileSync(fileIn(folder), JSON.stringify({ pid: child.pid, started: null }));
    expect(() => lockFolder(folder)).toThrow('in use');
    writeFileSync(fileIn(folder), JSON.stringify({ pid: child.pid, started: String(Number(started) - 1) }));
    expect(readHolder(folder)).toBeNull();
    lockFolder(folder);
    expect(contentOf(folder)).toEqual({ pid: process.pid, started: startOf(process.pid) });
  });

  test('of a process that has died and was not yet collected by its parent is stale', async () => {
    // The shell starts a child and becomes a program that never asks how its children ended.
    const parent = spawn('sh', ['-c', 'sleep 600 & echo $!; exec sleep 600'], { stdio: ['ignore', 'pipe', 'ignore'] });
    children.push(parent);
    const pid = Number(String((await once(parent.stdout, 'data'))[0]));
    await vi.waitUntil(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8') === 'sleep\n', { interval: 1 });
    process.kill(pid, 'SIGKILL');
    await vi.waitUntil(() => stateOf(pid) === 'Z', { interval: 1 });
    writeFileSync(fileIn(folder), JSON.stringify({ pid, started: startOf(pid) }));
    expect(readHolder(folder)).toBeNull();
    lockFolder(folder).release();
  });

  test.each(['', '{', 'null', '7', '{}', '{"pid":0}', '{"pid":"1"}', '{"pid":-1}'])('that says %j is stale', (text) => {
    writeFileSync(fileIn(folder), text);
    expect(readHolder(folder)).toBeNull();
    lockFolder(folder);
    expect(readHolder(folder)).toMatchObject({ pid: process.pid });
  });
});

describe('two who take over while a third is at it', () => {
  const others: number[] = [];
  let dead: { pid: number; started: string };
  /** The lock once more, on a disk in memory. */
  let lock: typeof lockFolder;

  beforeAll(async () => {
    vi.resetModules();
    vi.doMock('node:fs', async (original) => withMemoryDisk(await original<typeof import('node:fs')>()));
    lock = (await import('./folder-lock.ts')).lockFolder;
    vi.doUnmock('node:fs');
    for (let n = 0; n < 2; n += 1) others.push((await startChild()).pid!);
    const child = await startChild();
    dead = { pid: child.pid!, started: startOf(child.pid!) };
    await kill(child);
  });

  /** Takes the folder as if another of the living processes did. */
  function takeAs(pid: number): string {
    const caller = process.pid;
    Object.defineProperty(process, 'pid', { value: pid, configurable: true });
    try {
      lock('/memory/data');
      return 'held';
    } catch (error) {
      return (error as { code?: string }).code ?? String(error);
    } finally {
      Object.defineProperty(process, 'pid', { value: caller, configurable: true });
    }
  }

  /** One run: the second acts before step `first` of ours, the third before step `second`, counted over both. */
  function race(first: number, second: number): { codes: string[]; steps: number } {
    memory.files = new Map([['/memory/data/signalbox.lock', JSON.stringify(dead)]]);
    const codes = new Map<number, string>();
    const acting: [number, number][] = [
      [first, others[0]!],
      [second, others[1]!],
    ];
    let steps = 0;
    memory.before = () => {
      steps += 1;
      for (const [step, pid] of acting) {
        if (step !== steps || codes.has(pid)) continue;
        codes.set(pid, 'at it');
        codes.set(pid, takeAs(pid));
      }
    };
    codes.set(process.pid, takeAs(process.pid));
    memory.before = null;
    return { codes: [...codes.values()], steps };
  }

  test('one of the three holds the folder, wherever the others come in', () => {
    const { steps } = race(0, 0);
    const wrong: unknown[] = [];
    let met = 0;
    for (let first = 1; first <= steps; first += 1) {
      // Who of the two comes first is all the same.
      for (let second = first; second <= first + 3 * steps; second += 1) {
        const { codes } = race(first, second);
        const winners = codes.filter((code) => code !== FOLDER_LOCKED);
        const files = [...memory.files.keys()];
        if (winners.join() !== 'held' || files.join() !== '/memory/data/signalbox.lock')
          wrong.push({ first, second, codes });
        met = Math.max(met, codes.length);
      }
    }
    expect(wrong).toEqual([]);
    expect(met).toBe(3);
  });

  test('a turn that its taker died with is taken in its turn', () => {
    const { steps } = race(0, 0);
    let died = 0;
    for (let step = 1; step <= steps; step += 1) {
      memory.files = new Map([['/memory/data/signalbox.lock', JSON.stringify(dead)]]);
      let n = 0;
      memory.before = () => {
        n += 1;
        if (n >= step) throw new Error('killed');
      };
      died += Number(takeAs(dead.pid) === 'Error: killed');
      memory.before = null;
      expect(takeAs(others[0]!)).toBe('held');
      expect(takeAs(others[1]!)).toBe(FOLDER_LOCKED);
      expect(JSON.parse(memory.files.get('/memory/data/signalbox.lock')!).pid).toBe(others[0]);
    }
    expect(died).toBe(steps);
  });
});
