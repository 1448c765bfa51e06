import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { backendOf, untilBlocked } from '../../test/harness/blocked.ts';
import { onBothDatabases } from '../../test/harness/databases.ts';
import { findBreaches } from '../../test/harness/invariants.ts';
import { insertParcels, PARCEL_TABLES, parcelMachine } from '../../test/harness/parcel.ts';
import { uuid7 } from './ids.ts';
import { readHistory } from './journal.ts';
import type { Machine } from './machine.ts';
import { type Move, move } from './move.ts';

const machine = parcelMachine as unknown as Machine;
const RUN = '018f0000-0000-7000-8000-00000000000a';

onBothDatabases('a batch of moves', (ground, kind) => {
  beforeAll(() => ground().database.script(PARCEL_TABLES));

  async function born(count: number): Promise<string[]> {
    const ids = Array.from({ length: count }, () => uuid7());
    await ground().database.transaction((tx) =>
      insertParcels(
        tx,
        ids,
        ids.map(() => 'x'),
      ),
    );
    return ids;
  }

  const toChecking = (item: string, version: number): Move => ({
    item,
    version,
    steps: [{ from: 'new', to: 'checking' }],
    actor: 'system',
  });

  const run = (moves: readonly Move[]) => ground().database.transaction((tx) => move(tx, machine, moves));

  async function look(ids: readonly string[]) {
    const { rows } = await ground().database.query<{
      id: string;
      state: string;
      version: number;
      revision: number;
      content_version: number;
      reached: string | null;
      state_since: Date;
    }>(
      `select id, state, version, revision, content_version, reached, state_since from parcel where id = any($1::uuid[])`,
      [ids],
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  test('moves what is still at the version and in the state given, and names the rest', async () => {
    // Each item went on by so many edges meanwhile; the caller believes it to be at a version and in a state.
    const way = [
      { from: 'new', to: 'checking', actor: 'system' },
      { from: 'checking', to: 'passed', actor: 'system' },
      { from: 'passed', to: 'rejected', actor: 'human' },
    ] as const;
    const places = fc.record({
      ahead: fc.nat(2),
      version: fc.integer({ min: 0, max: 4 }),
      state: fc.nat(2),
      right: fc.boolean(),
      known: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(places, { maxLength: 12 }), fc.nat(), async (items, turn) => {
        const ids = await born(items.length);
        await run(
          ids.map((item, n) => ({ item, version: 1, steps: way.slice(0, items[n]!.ahead), actor: 'system' as const })),
        );
        const before = await look(ids);
        const beliefs = items.map((one) => (one.right ? { ...one, version: one.ahead + 1, state: one.ahead } : one));
        const wanted = beliefs.map(({ known, version, state }, n): Move => {
          const { actor, ...step } = way[state]!;
          return { item: known ? ids[n]! : uuid7(), version, steps: [step], actor };
        });
        const start = turn % (wanted.length || 1);
        const batch = [...wanted.slice(start), ...wanted.slice(0, start)];
        const { moved, refused } = await run(batch);

        const fits = beliefs.map(
          ({ known, ahead, version, state }) => known && version === ahead + 1 && state === ahead,
        );
        const right = wanted.filter((_, n) => fits[n]);
        expect(moved).toEqual(new Map(right.map(({ item, version }) => [item, version + 1])));
        expect(refused).toEqual(batch.filter((one) => !right.includes(one)).map(({ item }) => item));
        const after = await look(ids);
        for (const [n, id] of ids.entries()) {
          const { version, state } = beliefs[n]!;
          if (fits[n]) expect(after.get(id)).toMatchObject({ state: way[state]!.to, version: version + 1 });
          else expect(after.get(id)).toEqual(before.get(id));
        }
      }),
      { numRuns: 25 },
    );
  });

  test('writes one journal row an edge, each with its own time', async () => {
    const [walker, single] = (await born(2)) as [string, string];
    await run([
      {
        item: walker,
        version: 1,
        steps: [
          { from: 'new', to: 'checking', ageMs: 90_000 },
          { from: 'checking', to: 'failed', ageMs: 1_500.5 },
        ],
        actor: 'system',
        actorId: 'worker-1',
        reason: 'test.broken',
        run: RUN,
      },
      toChecking(single, 1),
    ]);
    const histories = await readHistory(ground().database, [walker, single]);
    const [birth, first, second, ...more] = histories.get(walker)!;
    expect(more).toEqual([]);
    expect(birth).toMatchObject({ version: 1, from: null, to: 'new' });
    const shared = {
      kind: 'move',
      actor: 'system',
      actorId: 'worker-1',
      reason: 'test.broken',
      run: RUN,
      remark: null,
    };
    expect(first).toMatchObject({ ...shared, machine: 'test.parcel', version: 2, from: 'new', to: 'checking' });
    expect(second).toMatchObject({ ...shared, machine: 'test.parcel', version: 3, from: 'checking', to: 'failed' });
    const now = (await look([walker])).get(walker)!.state_since.getTime();
    expect(now - first!.at.getTime()).toBe(90_000);
    expect(Math.abs(now - second!.at.getTime() - 1_500.5)).toBeLessThanOrEqual(1);
    expect(second!.seq).toBeGreaterThan(first!.seq);
    const own = histories.get(single)![1]!;
    expect(own).toMatchObject({ version: 2, actor: 'system', actorId: null, reason: null, run: null });
    expect(own.at.getTime()).toBe(now);
  });

  test('touches neither revision nor content version, and remembers where an item was given up', async () => {
    const [id] = (await born(1)) as [string];
    const take = (version: number, from: string, to: string, actor: Move['actor'] = 'system') =>
      run([{ item: id, version, steps: [{ from, to }], actor }]);
    await take(1, 'new', 'checking');
    expect((await look([id])).get(id)).toMatchObject({ reached: null, revision: 1, content_version: 1 });
    await take(2, 'checking', 'failed');
    expect((await look([id])).get(id)).toMatchObject({ state: 'failed', reached: 'checking' });
    await take(3, 'failed', 'checking', 'human');
    expect((await look([id])).get(id)).toMatchObject({ state: 'checking', version: 4, reached: 'checking' });
    await take(4, 'checking', 'passed');
    expect((await look([id])).get(id)).toMatchObject({ revision: 1, content_version: 1, reached: 'checking' });
  });

  test('an empty walk says whether the item is as expected and changes nothing, its time included', async () => {
    const [there, gone] = (await born(2)) as [string, string];
    await run([toChecking(gone, 1)]);
    const before = await look([there, gone]);
    const empty = (item: string): Move => ({ item, version: 1, steps: [], actor: 'system' });
    const { moved, refused } = await run([empty(there), empty(gone)]);
    expect(moved).toEqual(new Map([[there, 1]]));
    expect(refused).toEqual([gone]);
    expect(await look([there, gone])).toEqual(before);
    expect((await readHistory(ground().database, [there])).get(there)).toHaveLength(1);
  });

  test('of nothing asks nothing', async () => {
    const none = { query: () => Promise.reject(new Error('asked')) } as never;
    expect(await move(none, machine, [])).toEqual({ moved: new Map(), refused: [] });
  });

  test.each([
    ['an edge that is none', [{ from: 'new', to: 'passed' }], 'system'],
    ["an edge of somebody else's", [{ from: 'new', to: 'checking' }], 'human'],
    ['a state that is none', [{ from: 'nowhere', to: 'checking' }], 'system'],
    [
      'a walk with a gap',
      [
        { from: 'new', to: 'checking' },
        { from: 'new', to: 'checking' },
      ],
      'system',
    ],
  ] as const)('refuses %s as a mistake of the programmer, before anything is written', async (_, steps, actor) => {
    const ids = await born(2);
    const [fine, wrong] = ids as [string, string];
    const failing = run([toChecking(fine, 1), { item: wrong, version: 1, steps, actor }]);
    await expect(failing).rejects.toThrow(`machine test.parcel: ${actor} may not take ${wrong}`);
    await expect(failing).rejects.not.toHaveProperty('code');
    for (const row of (await look(ids)).values()) expect(row).toMatchObject({ state: 'new', version: 1 });
  });

  test('refuses the same item twice', async () => {
    const [id] = (await born(1)) as [string];
    await expect(run([toChecking(id, 1), toChecking(id, 2)])).rejects.toThrow(`${id} stands twice in one batch`);
    expect((await readHistory(ground().database, [id])).get(id)).toHaveLength(1);
  });

  describe.runIf(kind === 'postgres')('and another at once', () => {
    const begin = (moves: readonly Move[]) => {
      const pid = Promise.withResolvers<number>();
      const end = Promise.withResolvers<void>();
      const written = Promise.withResolvers<void>();
      const done = ground().database.transaction(async (tx) => {
        pid.resolve(await backendOf(tx));
        const result = await move(tx, machine, moves);
        written.resolve();
        await end.promise;
        return result;
      });
      done.catch(written.reject);
      return { pid: pid.promise, written: written.promise, done, end };
    };

    test.each([
      ['commits', true],
      ['gives up', false],
    ])('waits for it, and wins only what it left: when it %s', async (_, commits) => {
      const { database } = ground();
      const ids = await born(3);
      const first = begin(ids.slice(0, 2).map((id) => toChecking(id, 1)));
      await first.written;
      const second = begin(ids.slice(1).map((id) => toChecking(id, 1)));
      await untilBlocked(database, await second.pid);
      second.end.resolve();
      if (commits) first.end.resolve();
      else first.end.reject(new Error('given up'));
      await first.done.catch(() => {});
      const { moved, refused } = await second.done;
      expect([...moved.keys()].toSorted()).toEqual(commits ? [ids[2]] : ids.slice(1).toSorted());
      expect(refused).toEqual(commits ? [ids[1]] : []);
      const states = [...(await look(ids)).values()].map(({ version }) => version).toSorted();
      expect(states).toEqual(commits ? [2, 2, 2] : [1, 2, 2]);
    });

    test('locks in the order of ids, whatever the order of the batch', async () => {
      const { database } = ground();
      const [a, b, c] = (await born(3)).toSorted() as [string, string, string];
      const held = Promise.withResolvers<void>();
      const letGo = Promise.withResolvers<void>();
      const holder = database.transaction(async (tx) => {
        await tx.query('select from parcel where id = $1 for update', [b]);
        held.resolve();
        await letGo.promise;
      });
      await held.promise;
      const up = begin([toChecking(a, 1), toChecking(b, 1), toChecking(c, 1)]);
      up.end.resolve();
      await untilBlocked(database, await up.pid);
      // It holds the first and will want the last. Were the next to begin with the last, each would wait for the other.
      const down = begin([toChecking(c, 1), toChecking(a, 1)]);
      down.end.resolve();
      await untilBlocked(database, await down.pid);
      letGo.resolve();
      await holder;
      expect((await up.done).moved.size).toBe(3);
      expect((await down.done).refused).toEqual([c, a]);
    });

    test('wins each item once, with sets that overlap in any order', async () => {
      const ids = await born(40);
      const rounds = fc.array(fc.shuffledSubarray(ids, { minLength: 10 }), { minLength: 4, maxLength: 4 });
      await fc.assert(
        fc.asyncProperty(rounds, async (sets) => {
          const before = await look(ids);
          const results = await Promise.all(
            sets.map((set) => {
              const steps = [{ from: 'new', to: 'new' }];
              return run(
                set.map((item) => ({ item, version: before.get(item)!.version, steps, actor: 'author' as const })),
              );
            }),
          );
          const wanted = new Set(sets.flat());
          const after = await look(ids);
          for (const id of ids) {
            const winners = results.filter(({ moved }) => moved.has(id)).length;
            expect(winners).toBe(wanted.has(id) ? 1 : 0);
            expect(after.get(id)!.version - before.get(id)!.version).toBe(winners);
          }
          for (const [n, { moved, refused }] of results.entries())
            expect(moved.size + refused.length).toBe(sets[n]!.length);
        }),
        { numRuns: 15 },
      );
    });
  });

  test('leaves histories that are paths without a gap', async () => {
    const breaches = await findBreaches(ground().database, machine, []);
    expect(breaches.filter((breach) => !breach.endsWith('has no outstanding job'))).toEqual([]);
  });
});
