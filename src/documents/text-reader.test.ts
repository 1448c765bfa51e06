import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { newFolder } from '../../test/harness/data-folder.ts';
import { makePdf } from '../../test/harness/make-documents.ts';
import { exampleDocument, makeScannedPdf } from '../../test/harness/make-scans.ts';
import { DEFAULT_BUDGETS } from './budgets.ts';
import { openTextReader, type TextReader, type TextReaderOptions } from './text-reader.ts';

const readers: TextReader[] = [];
afterEach(async () => {
  await Promise.all(readers.splice(0).map((reader) => reader.close()));
});

const open = (options: TextReaderOptions = {}) => {
  const reader = openTextReader(options);
  readers.push(reader);
  return reader;
};
const script = join(import.meta.dirname, '../../test/harness/faulty-reader-child.ts');
/** A reader whose children do what the file says, with limits that are over soon. */
const faulty = ({ limits, ...options }: TextReaderOptions = {}) =>
  open({
    script,
    budgets: { ...DEFAULT_BUDGETS, milliseconds: 3000 },
    limits: { graceMilliseconds: 0, recognitionMilliseconds: 1000, ...limits },
    ...options,
  });
const file = (...pages: string[]) => Buffer.from(JSON.stringify(pages));
const permanent = (code: string, detail = {}) =>
  expect.objectContaining({ code, errorClass: 'permanent', detail: expect.objectContaining(detail) });
const pidsIn = (text: string) => [...text.matchAll(/ by (\d+)/g)].map(([, pid]) => Number(pid));
const isAlive = (pid: number) => existsSync(`/proc/${pid}`);

describe('a process that is lost while it recognises a page', () => {
  test.each(['Pdie', 'Phang', 'Pspin', 'Pmemory'])(
    '%s: that page has failed, and the others are read',
    async (fault) => {
      const reader = faulty({
        limits: { residentBytes: 300 * 2 ** 20, recognitionMilliseconds: fault === 'Pmemory' ? 20_000 : 1000 },
      });
      const { pages, markdown } = await reader.read(file('one', 'Ptwo', fault, 'Pfour', 'five'), 'a');
      expect(pages.map(({ page, method, warnings }) => [page, method, ...warnings])).toEqual([
        [1, 'text'],
        [2, 'ocr'],
        [3, 'none', 'ocr_failed'],
        [4, 'ocr'],
        [5, 'text'],
      ]);
      const pids = pidsIn(markdown);
      expect(markdown.match(/\w+(?= by)/g)).toEqual(['one', 'Ptwo', 'Pfour', 'five']);
      expect([pids[0] === pids[1], pids[1] === pids[2], pids[2] === pids[3]]).toEqual([true, false, true]);
    },
  );

  test('three times in a row: no more pictures of this file are tried', async () => {
    const pages = ['Pdie', 'Pdie', 'Pdie', 'Pfine', 'text'];
    const read = await faulty().read(file(...pages), 'a');
    expect(read.pages.map(({ method }) => method)).toEqual(['none', 'none', 'none', 'none', 'text']);
  });

  test('a document of which nothing was recognised has failed', async () => {
    await expect(faulty().read(file('Pdie'), 'a')).rejects.toEqual(permanent('ocr.failed'));
  });
});

describe('a process that is lost while it parses', () => {
  test.each([
    ['die', 'file.reader_died', {}],
    ['throw', 'file.reader_died', {}],
    ['hang', 'file.too_slow', {}],
    ['spin', 'file.too_slow', {}],
    ['memory', 'file.too_large', { budget: 'memory' }],
    ['heap', 'file.too_large', { budget: 'memory' }],
  ])('%s: %s', async (fault, code, detail) => {
    const isMemory = code === 'file.too_large';
    const reader = faulty({
      budgets: { ...DEFAULT_BUDGETS, milliseconds: isMemory ? 20_000 : 3000 },
      limits: { residentBytes: 300 * 2 ** 20, heapMegabytes: fault === 'heap' ? 64 : 512 },
    });
    await expect(reader.read(file('one', fault), 'a')).rejects.toEqual(permanent(code, detail));
    expect((await reader.read(file('next'), 'b')).markdown).toMatch(/^next by/);
  });

  test('once: a second process reads it, and begins where the first was lost', async () => {
    const { markdown } = await faulty().read(file('one', 'dieOnce'), 'a');
    const [first, second] = pidsIn(markdown);
    expect([markdown.match(/\w+(?= by)/g), first === second]).toEqual([['one', 'dieOnce'], false]);
  });
});

describe('processes', () => {
  test('one reads file after file, and is replaced after so many recognised pages, in the middle of a file too', async () => {
    const reader = faulty({ limits: { recyclePages: 2 } });
    const texts = [await reader.read(file('a', 'b'), 'a'), await reader.read(file('Pc', 'd', 'Pe', 'afresh'), 'b')];
    const [a, b, c, d, e, f] = texts.flatMap(({ markdown }) => pidsIn(markdown));
    expect([b, c, d, e]).toEqual([a, a, a, a]);
    expect(f).not.toBe(a);
  });

  test('several files at once, each by its own process, never mix; more than that wait', async () => {
    const reader = faulty({ children: 2, budgets: DEFAULT_BUDGETS });
    const words = Array.from({ length: 12 }, (_, at) => [`x${at}`, `Py${at}`, `z${at}`]);
    const read = await Promise.all(words.map((pages) => reader.read(file(...pages), 'a')));
    expect(read.map(({ markdown }) => markdown.match(/\w+(?= by)/g))).toEqual(words);
    expect(read.map(({ markdown }) => new Set(pidsIn(markdown)).size)).toEqual(words.map(() => 1));
    expect(new Set(read.flatMap(({ markdown }) => pidsIn(markdown))).size).toBeLessThanOrEqual(2);
  });

  test('who gives up waits no longer, whether at work or in the queue, and leaves no process', async () => {
    const reader = faulty({ budgets: DEFAULT_BUDGETS });
    const { markdown } = await reader.read(file('one'), 'a');
    const [atWork, waiting] = [new AbortController(), new AbortController()];
    const both = [
      reader.read(file('hang'), 'a', { signal: atWork.signal }),
      reader.read(file('two'), 'b', { signal: waiting.signal }),
    ].map((one) => one.catch((error: unknown) => error));
    waiting.abort(new Error('later'));
    atWork.abort(new Error('now'));
    expect(await Promise.all(both)).toEqual([new Error('now'), new Error('later')]);
    expect(isAlive(pidsIn(markdown)[0]!)).toBe(false);
    await expect(reader.read(file('two'), 'b', { signal: waiting.signal })).rejects.toEqual(new Error('later'));
    expect((await reader.read(file('three'), 'c')).markdown).toMatch(/^three/);
  });

  test('closing ends what is at work; afterwards nothing is read', async () => {
    const reader = faulty({ budgets: DEFAULT_BUDGETS });
    const closed = { code: 'file.reader_closed', errorClass: 'transient' };
    const reading = expect(reader.read(file('hang'), 'a')).rejects.toMatchObject(closed);
    await reader.close();
    await reading;
    await expect(reader.read(file('one'), 'a')).rejects.toMatchObject(closed);
  });

  test('one without work ends', async () => {
    const reader = faulty({ limits: { idleMilliseconds: 1 } });
    const [pid] = pidsIn((await reader.read(file('one'), 'a')).markdown);
    await vi.waitFor(() => expect(isAlive(pid!)).toBe(false), 5000);
    expect(pidsIn((await reader.read(file('one'), 'a')).markdown)).not.toEqual([pid]);
  });

  test('a parent that is killed takes its process along, idle or for ever busy', async () => {
    const parent: ChildProcess = fork(join(import.meta.dirname, '../../test/harness/reading-parent.ts'), [script]);
    const pids = await new Promise<number[]>((resolve) => parent.once('message', (sent) => resolve(sent as number[])));
    expect(pids.map(isAlive)).toEqual([true, true]);
    parent.kill('SIGKILL');
    await vi.waitFor(() => expect(pids.map(isAlive)).toEqual([false, false]), { timeout: 10_000, interval: 100 });
  });

  test('one sees no keys and passwords of the environment, writes no file and starts no program', async () => {
    vi.stubEnv('SIGNALBOX_API_KEY', 'secret');
    const { markdown } = await faulty().read(file('what it may'), join(newFolder('reader'), 'written'));
    vi.unstubAllEnvs();
    expect(markdown).toContain('with ERR_ACCESS_DENIED,ERR_ACCESS_DENIED,PATH');
    expect(markdown).not.toContain('SIGNALBOX');
  });

  test('a file that is too large starts none', async () => {
    const reader = open({ script: '/nowhere', budgets: { ...DEFAULT_BUDGETS, bytes: 4 } });
    await expect(reader.read(Buffer.from('12345'), 'a')).rejects.toEqual(
      permanent('file.too_large', { budget: 'bytes' }),
    );
  });
});

describe('real files', () => {
  test('case 38: of three pages the second is a picture, and only it is recognised; the order stays', async () => {
    const jpeg = exampleDocument('d12.jpg');
    const { markdown, pages } = await open().read(
      await makeScannedPdf([{ text: 'first page' }, { jpeg }, { text: 'third page' }]),
      'a.pdf',
    );
    expect(pages.map(({ method }) => method)).toEqual(['text', 'ocr', 'text']);
    expect(markdown).toMatch(/^first page\n\nElm Street Garage[\s\S]*\n\nthird page$/);
    expect(markdown.slice(pages[1]!.start!)).toMatch(/^Elm Street/);
  });

  test('what a reader refuses is refused with its code; a blank page is no failure, and no text', async () => {
    const reader = open();
    await expect(reader.read(Buffer.from(''), 'a.pdf')).rejects.toEqual(permanent('file.empty'));
    await expect(reader.read(makePdf([[]]), 'a.pdf')).rejects.toEqual(permanent('text.none'));
    expect((await reader.read(makePdf([[{ x: 50, y: 700, text: 'Hi' }], []]), 'a.pdf')).pages[1]).toEqual({
      ...{ page: 2, start: null, method: 'ocr', characters: 0, score: null },
      warnings: ['blank_page'],
    });
  });
});
