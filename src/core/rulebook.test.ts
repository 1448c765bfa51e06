import { beforeEach, describe, expect, test } from 'vitest';
import { backendOf, untilBlocked } from '../../test/harness/blocked.ts';
import { onBothDatabases } from '../../test/harness/databases.ts';
import type { Queryable, Tx } from '../storage/database.ts';
import { followRulebook, listVersions, publish, readRulebook, VERSION_UNKNOWN } from './rulebook.ts';

const section = 'test.colours';

onBothDatabases('the rulebook', (ground, kind) => {
  beforeEach(() => ground().database.script('truncate rulebook'));

  const edit = (content: unknown, changes: { author?: string; note?: string | null; section?: string } = {}) => ({
    section,
    author: 'editor',
    ...changes,
    content,
  });
  const put = (...given: Parameters<typeof edit>) => ground().database.transaction((tx) => publish(tx, edit(...given)));
  const read = (version?: number) => readRulebook(ground().database, section, ['nothing'], version);

  test('is empty before the first edit: version 0', async () => {
    const empty = { section, version: 0, at: null, author: null, note: null, content: ['nothing'] };
    expect(await read()).toEqual(empty);
    await put(['red']);
    expect(await read(0)).toEqual(empty);
  });

  test('gives each edit a version, and keeps those before', async () => {
    const contents = [{ 色: ['红'] }, ['blue', null], 'text', 7, null];
    for (const [n, content] of contents.entries()) expect(await put(content, { note: `edit ${n + 1}` })).toBe(n + 1);
    for (const [n, content] of contents.entries()) {
      expect(await read(n + 1)).toEqual({
        section,
        version: n + 1,
        at: expect.any(Date),
        author: 'editor',
        note: `edit ${n + 1}`,
        content,
      });
    }
    expect((await read()).version).toBe(5);
    expect(await listVersions(ground().database, section)).toEqual(
      [5, 4, 3, 2, 1].map((version) => ({ version, at: expect.any(Date), author: 'editor', note: `edit ${version}` })),
    );
  });

  test('answers the current version again when the content is the same, in whatever order its keys stand', async () => {
    await put({ a: 1, b: [2] });
    expect(await put({ b: [2], a: 1 }, { author: 'another', note: 'no change' })).toBe(1);
    expect(await put({ a: 1, b: [3] })).toBe(2);
    expect(await put({ a: 1, b: [2] }, { note: null })).toBe(3);
    expect(await listVersions(ground().database, section)).toMatchObject([
      { version: 3, note: null },
      { version: 2 },
      { version: 1, author: 'editor' },
    ]);
  });

  test('counts each section for itself', async () => {
    await put(['red']);
    await put(['blue']);
    expect(await put(['red'], { section: 'test.sounds' })).toBe(1);
    expect((await listVersions(ground().database, 'test.sounds')).length).toBe(1);
  });

  test.each([3, -1])('knows no version that never was: %i', async (version) => {
    await put(['red']);
    await expect(read(version)).rejects.toMatchObject({ code: VERSION_UNKNOWN, errorClass: 'permanent' });
  });

  test.runIf(kind === 'postgres').each([
    ['other content', ['blue'], 2],
    ['the same content', ['red'], 1],
  ])('takes two editors at once one after the other: with %s', async (_, content, version) => {
    const { database } = ground();
    const written = Promise.withResolvers<void>();
    const commit = Promise.withResolvers<void>();
    const one = database.transaction(async (tx) => {
      const first = await publish(tx, edit(['red']));
      written.resolve();
      await commit.promise;
      return first;
    });
    await written.promise;
    // Who edits another section does not wait.
    expect(await put(['loud'], { section: 'test.sounds' })).toBe(1);
    const pid = Promise.withResolvers<number>();
    const other = database.transaction(async (tx: Tx) => {
      pid.resolve(await backendOf(tx));
      return publish(tx, edit(content));
    });
    await untilBlocked(database, await pid.promise);
    commit.resolve();
    expect(await one).toBe(1);
    expect(await other).toBe(version);
    expect((await read()).content).toEqual(content);
  });

  describe('followed by a worker', () => {
    function follow(maxAgeMs = 2_000) {
      let now = 0;
      let asked = 0;
      const compiled: unknown[] = [];
      const follower = followRulebook<string[], string>({
        section,
        empty: ['nothing'],
        compile: (content) => {
          compiled.push(content);
          return content.join('+');
        },
        maxAgeMs,
        monotonicMs: () => now,
      });
      const { database } = ground();
      const on: Queryable = {
        orm: database.orm,
        query: (text, params) => {
          asked += 1;
          return database.query(text, params);
        },
      };
      return {
        current: () => follower(on),
        passes: (ms: number) => {
          now += ms;
        },
        get asked() {
          return asked;
        },
        compiled,
      };
    }

    test('is known in its newest version within the age allowed, and not asked for before', async () => {
      const worker = follow();
      expect(await worker.current()).toEqual({ version: 0, compiled: 'nothing' });
      await put(['red', 'blue']);
      const { asked } = worker;
      worker.passes(1_999);
      expect(await worker.current()).toEqual({ version: 0, compiled: 'nothing' });
      expect(worker.asked).toBe(asked);
      worker.passes(1);
      expect(await worker.current()).toEqual({ version: 1, compiled: 'red+blue' });
      expect(worker.asked).toBeGreaterThan(asked);
    });

    test('is compiled once a version', async () => {
      await put(['red']);
      const worker = follow();
      for (let n = 0; n < 4; n += 1) {
        expect(await worker.current()).toEqual({ version: 1, compiled: 'red' });
        worker.passes(5_000);
      }
      await put(['blue']);
      expect(await worker.current()).toEqual({ version: 2, compiled: 'blue' });
      expect(worker.compiled).toEqual([['red'], ['blue']]);
    });

    test('is asked for again when the first answer failed', async () => {
      await put(['red']);
      const worker = follow();
      const broken = followRulebook({ section, empty: [], compile: () => 1, maxAgeMs: 1_000, monotonicMs: () => 0 });
      const down = { orm: ground().database.orm, query: () => Promise.reject(new Error('down')) };
      await expect(broken(down)).rejects.toThrow('down');
      expect(await broken(ground().database)).toEqual({ version: 1, compiled: 1 });
      expect(await worker.current()).toEqual({ version: 1, compiled: 'red' });
    });
  });
});
