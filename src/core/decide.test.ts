import { beforeAll, describe, expect, test } from 'vitest';
import { backendOf, untilBlocked } from '../../test/harness/blocked.ts';
import { onBothDatabases } from '../../test/harness/databases.ts';
import { findBreaches } from '../../test/harness/invariants.ts';
import { insertParcels, PARCEL_TABLES, parcelMachine } from '../../test/harness/parcel.ts';
import type { Tx } from '../storage/database.ts';
import { type Decision, decide, EDGE_MISSING, ITEM_UNKNOWN, REVISION_STALE } from './decide.ts';
import { uuid7 } from './ids.ts';
import { readHistory } from './journal.ts';
import type { Machine } from './machine.ts';
import { move } from './move.ts';

const machine = parcelMachine as unknown as Machine;

onBothDatabases('a decision', (ground, kind) => {
  beforeAll(() => ground().database.script(PARCEL_TABLES));

  async function born(): Promise<string> {
    const id = uuid7();
    await ground().database.transaction((tx) => insertParcels(tx, [id], ['x']));
    return id;
  }

  const decision = (item: string, changes: Partial<Decision> = {}): Decision => ({
    item,
    expectedRevision: 1,
    to: 'rejected',
    actor: 'human',
    actorId: 'moderator-1',
    reason: 'test.spam',
    ...changes,
  });

  const make = (item: string, changes: Partial<Decision> = {}) =>
    ground().database.transaction((tx) => decide(tx, machine, decision(item, changes)));

  const machineMoves = (item: string, version: number, from = 'new', to = 'checking') =>
    ground().database.transaction((tx) =>
      move(tx, machine, [{ item, version, steps: [{ from, to }], actor: 'system' }]),
    );

  async function look(item: string) {
    const { rows } = await ground().database.query<Record<string, unknown>>(
      `select state, version, revision, content_version as "contentVersion", reached, state_since from parcel where id = $1`,
      [item],
    );
    return rows[0]!;
  }

  const last = async (item: string) => (await readHistory(ground().database, [item])).get(item)!.at(-1);

  test('moves the item, counts a version and a revision, and is journalled with its author', async () => {
    const item = await born();
    const decided = await make(item, { remark: 'buys followers' });
    expect(decided).toEqual({ from: 'new', state: 'rejected', version: 2, revision: 2, contentVersion: 1 });
    expect(await look(item)).toMatchObject({ state: 'rejected', version: 2, revision: 2, contentVersion: 1 });
    expect(await last(item)).toMatchObject({
      kind: 'move',
      version: 2,
      from: 'new',
      to: 'rejected',
      actor: 'human',
      actorId: 'moderator-1',
      reason: 'test.spam',
      remark: 'buys followers',
      run: null,
    });
    expect((await look(item)).state_since).toEqual((await last(item))!.at);
  });

  test('supersedes what a machine computed before it', async () => {
    const item = await born();
    await make(item);
    const { moved, refused } = await machineMoves(item, 1);
    expect([...moved]).toEqual([]);
    expect(refused).toEqual([item]);
    expect(await look(item)).toMatchObject({ state: 'rejected', version: 2 });
  });

  test('is not refused because a machine went on meanwhile', async () => {
    const item = await born();
    await machineMoves(item, 1);
    expect(await make(item)).toMatchObject({ from: 'checking', state: 'rejected', version: 3, revision: 2 });
  });

  test('may concern an item without moving it: a note that supersedes as well', async () => {
    const item = await born();
    const before = await look(item);
    expect(await make(item, { to: null, reason: 'test.seen' })).toMatchObject({
      from: 'new',
      state: 'new',
      version: 2,
    });
    expect(await look(item)).toEqual({ ...before, version: 2, revision: 2 });
    expect(await last(item)).toMatchObject({ kind: 'note', version: 2, from: 'new', to: null, reason: 'test.seen' });
    expect((await machineMoves(item, 1)).refused).toEqual([item]);
  });

  test('of an author who changed the content begins a content version', async () => {
    const item = await born();
    const edit = { actor: 'author', to: 'new', newContent: true } as const;
    expect(await make(item, edit)).toMatchObject({ state: 'new', version: 2, revision: 2, contentVersion: 2 });
    expect(await make(item, { ...edit, to: null, expectedRevision: 2 })).toMatchObject({ contentVersion: 3 });
    expect(await look(item)).toMatchObject({ version: 3, revision: 3, contentVersion: 3 });
  });

  test('into a failed state remembers where the item was', async () => {
    const item = await born();
    await machineMoves(item, 1);
    await machineMoves(item, 2, 'checking', 'failed');
    await make(item, { to: 'new' });
    expect(await look(item)).toMatchObject({ state: 'new', reached: 'checking' });
    const closing = { ...machine, edges: { ...machine.edges, new: { failed: ['human'] } } } as Machine;
    await ground().database.transaction((tx) =>
      decide(tx, closing, decision(item, { to: 'failed', expectedRevision: 2 })),
    );
    expect(await look(item)).toMatchObject({ state: 'failed', reached: 'new' });
  });

  describe('is refused, and the refusal journalled', () => {
    test.each([
      ['when somebody decided since', { expectedRevision: 0 }, REVISION_STALE],
      ['when it was made for a revision to come', { expectedRevision: 2 }, REVISION_STALE],
      ['when no edge leads there', { to: 'checking' }, EDGE_MISSING],
      ["when the edge is somebody else's", { actor: 'author' }, EDGE_MISSING],
      ['when the state is none', { to: 'nowhere' }, EDGE_MISSING],
    ] as const)('%s', async (_, changes, code) => {
      const item = await born();
      const before = await look(item);
      const refusal = await make(item, { remark: 'why not', ...changes });
      expect(refusal).toMatchObject({ code, errorClass: 'permanent', detail: { state: 'new', revision: 1 } });
      expect(refusal).toBeInstanceOf(Error);
      expect(await look(item)).toEqual(before);
      expect(await last(item)).toMatchObject({
        kind: 'refused',
        version: 1,
        from: 'new',
        to: 'rejected',
        actor: 'human',
        actorId: 'moderator-1',
        reason: code,
        remark: 'why not',
        ...('to' in changes ? { to: changes.to } : {}),
        ...('actor' in changes ? { actor: changes.actor } : {}),
      });
      // A machine that had read the item goes on: nothing was decided.
      expect((await machineMoves(item, 1)).refused).toEqual([]);
    });

    test('but not for an item that is not there', async () => {
      const item = uuid7();
      expect(await make(item)).toMatchObject({ code: ITEM_UNKNOWN, errorClass: 'permanent' });
      expect((await readHistory(ground().database, [item])).size).toBe(0);
    });
  });

  test('undone with its transaction leaves nothing', async () => {
    const item = await born();
    const failing = ground().database.transaction(async (tx) => {
      await decide(tx, machine, decision(item));
      throw new Error('after all, no');
    });
    await expect(failing).rejects.toThrow('after all, no');
    expect(await look(item)).toMatchObject({ state: 'new', version: 1, revision: 1 });
    expect((await last(item))!.version).toBe(1);
  });

  describe.runIf(kind === 'postgres')('and another act at once', () => {
    /** The first acts and waits with its commit until the second waits for it. */
    async function inTurn<A, B>(first: (tx: Tx) => Promise<A>, second: (tx: Tx) => Promise<B>): Promise<[A, B]> {
      const { database } = ground();
      const acted = Promise.withResolvers<void>();
      const commit = Promise.withResolvers<void>();
      const one = database.transaction(async (tx) => {
        const answer = await first(tx);
        acted.resolve();
        await commit.promise;
        return answer;
      });
      await acted.promise;
      const pid = Promise.withResolvers<number>();
      const other = database.transaction(async (tx) => {
        pid.resolve(await backendOf(tx));
        return second(tx);
      });
      await untilBlocked(database, await pid.promise);
      commit.resolve();
      return [await one, await other];
    }

    test('of two people with the same page one is told to look again', async () => {
      const item = await born();
      const [one, other] = await inTurn(
        (tx) => decide(tx, machine, decision(item, { to: 'passed' })),
        (tx) => decide(tx, machine, decision(item, { to: 'rejected' })),
      );
      expect(one).toMatchObject({ state: 'passed' });
      expect(other).toMatchObject({ code: REVISION_STALE, detail: { state: 'passed', revision: 2 } });
      expect(await look(item)).toMatchObject({ state: 'passed', version: 2 });
    });

    test('a machine that comes second is refused', async () => {
      const item = await born();
      const [, machines] = await inTurn(
        (tx) => decide(tx, machine, decision(item)),
        (tx) => move(tx, machine, [{ item, version: 1, steps: [{ from: 'new', to: 'checking' }], actor: 'system' }]),
      );
      expect(machines.refused).toEqual([item]);
      expect(await look(item)).toMatchObject({ state: 'rejected', version: 2 });
    });

    test('a person who comes second decides on what the machine left', async () => {
      const item = await born();
      const [, person] = await inTurn(
        (tx) => move(tx, machine, [{ item, version: 1, steps: [{ from: 'new', to: 'checking' }], actor: 'system' }]),
        (tx) => decide(tx, machine, decision(item)),
      );
      expect(person).toMatchObject({ from: 'checking', state: 'rejected', version: 3, revision: 2 });
    });
  });

  test('leaves histories that are paths without a gap', async () => {
    const breaches = await findBreaches(ground().database, machine, []);
    // The machine with another edge, above, takes the only step that this one does not know.
    const others = breaches.filter((breach) => !/has no outstanding job|: new → failed/.test(breach));
    expect(others).toEqual([]);
  });
});
