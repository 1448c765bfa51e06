import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { backendOf, untilBlocked } from '../../test/harness/blocked.ts';
import { onBothDatabases } from '../../test/harness/databases.ts';
import { uuid7 } from './ids.ts';
import { type NewRun, readRuns, recordRuns } from './run.ts';

onBothDatabases('runs', (ground, kind) => {
  const newRun = (item: string, changes: Partial<NewRun> = {}): NewRun => ({
    id: uuid7(),
    machine: 'test.parcel',
    item,
    stage: 'test.check',
    contentVersion: 1,
    rulebookVersion: 3,
    cause: 'live',
    worker: 'worker-1',
    job: null,
    beganAgoMs: 0,
    endedAgoMs: 0,
    outcome: 'failed',
    ...changes,
  });

  const record = (runs: readonly NewRun[]) => ground().database.transaction((tx) => recordRuns(tx, runs));
  const read = async (item: string) => (await readRuns(ground().database, [item])).get(item) ?? [];

  test('keep everything that was said about them, on the clock of the database', async () => {
    const item = uuid7();
    const job = uuid7();
    const use = { calls: 2, cachedCalls: 1, tokensIn: 3_000_000_000, tokensOut: 40, costMicros: 5_000_000_000 };
    const error = {
      code: 'test.broken',
      errorClass: 'transient',
      message: 'x'.repeat(600),
      detail: { 状: '断' },
    } as const;
    const run = newRun(item, { beganAgoMs: 2_500, endedAgoMs: 500, job, use, error });
    await record([run]);
    const [kept, ...more] = await read(item);
    expect(more).toEqual([]);
    expect(kept).toEqual({
      id: run.id,
      item,
      stage: 'test.check',
      contentVersion: 1,
      rulebookVersion: 3,
      cause: 'live',
      attempt: 1,
      worker: 'worker-1',
      startedAt: expect.any(Date),
      endedAt: expect.any(Date),
      outcome: 'failed',
      errorCode: 'test.broken',
      errorClass: 'transient',
      errorMessage: 'x'.repeat(500),
      ...use,
    });
    expect(kept!.endedAt.getTime() - kept!.startedAt.getTime()).toBe(2_000);
    const { rows } = await ground().database.query('select job, error_detail as detail from run where item = $1', [
      item,
    ]);
    expect(rows).toEqual([{ job, detail: { 状: '断' } }]);
  });

  test('without an error, a job, a rulebook or a call have none', async () => {
    const item = uuid7();
    await record([newRun(item, { outcome: 'accepted', rulebookVersion: null })]);
    expect(await read(item)).toMatchObject([
      {
        rulebookVersion: null,
        errorCode: null,
        errorClass: null,
        errorMessage: null,
        calls: 0,
        tokensIn: 0,
        costMicros: 0,
      },
    ]);
    await record([]);
  });

  test('are numbered from 1 without a gap, for each item, stage, content version and cause', async () => {
    const items = [uuid7(), uuid7()];
    const stages = ['test.check', 'test.pack'];
    const causes = ['live', 'batch-1'];
    const place = fc.record({
      item: fc.nat(1),
      stage: fc.nat(1),
      cv: fc.integer({ min: 1, max: 2 }),
      cause: fc.nat(1),
    });
    const expected = new Map<string, string[]>();
    await fc.assert(
      fc.asyncProperty(fc.array(place, { minLength: 1, maxLength: 10 }), async (batch) => {
        const runs = batch.map(({ item, stage, cv, cause }) =>
          newRun(items[item]!, { stage: stages[stage]!, contentVersion: cv, cause: causes[cause]! }),
        );
        await record(runs);
        for (const { id, item, stage, contentVersion, cause } of runs) {
          const key = JSON.stringify([item, stage, contentVersion, cause]);
          expected.set(key, [...(expected.get(key) ?? []), id]);
        }
        for (const found of (await readRuns(ground().database, items)).values()) {
          for (const [key, group] of Map.groupBy(found, (run) =>
            JSON.stringify([run.item, run.stage, run.contentVersion, run.cause]),
          )) {
            const ordered = group.toSorted((a, b) => a.attempt - b.attempt);
            expect(ordered.map(({ attempt }) => attempt)).toEqual(ordered.map((_, n) => n + 1));
            expect(ordered.map(({ id }) => id)).toEqual(expected.get(key));
          }
        }
      }),
      { numRuns: 12 },
    );
  });

  test('are read in the order in which they began', async () => {
    const item = uuid7();
    await record([
      newRun(item, { stage: 'test.second', beganAgoMs: 100 }),
      newRun(item, { stage: 'test.first', beganAgoMs: 200 }),
      newRun(item, { stage: 'test.third', beganAgoMs: 0 }),
    ]);
    expect((await read(item)).map(({ stage }) => stage)).toEqual(['test.first', 'test.second', 'test.third']);
  });

  test('of which two were accepted for the same work do not exist', async () => {
    const item = uuid7();
    await record([newRun(item, { outcome: 'accepted' }), newRun(item)]);
    const again = record([newRun(item, { outcome: 'accepted' })]);
    await expect(again).rejects.toMatchObject({ code: '23505', constraint: 'run_one_accepted' });
    const both = [newRun(uuid7()), newRun(item, { stage: 'test.pack', outcome: 'accepted' })];
    await expect(record([...both, { ...both[1]!, id: uuid7() }])).rejects.toMatchObject({ code: '23505' });
    expect(await read(item)).toHaveLength(2);
    // Other work of the same item is accepted by itself.
    await record([
      newRun(item, { outcome: 'accepted', contentVersion: 2 }),
      newRun(item, { outcome: 'accepted', cause: 'batch-1' }),
      newRun(item, { outcome: 'accepted', stage: 'test.pack' }),
    ]);
    expect((await read(item)).filter(({ outcome }) => outcome === 'accepted')).toHaveLength(4);
  });

  test.each([[{ outcome: 'done' }], [{ error: { code: 'x', errorClass: 'odd', message: 'x' } }]])(
    'with %j are refused by the table',
    async (changes) => {
      await expect(record([newRun(uuid7(), changes as never)])).rejects.toMatchObject({ code: '23514' });
    },
  );

  describe.runIf(kind === 'postgres')('recorded at once', () => {
    test('for the same work collide: the later one finds the number taken, and gets the next when it tries again', async () => {
      const { database } = ground();
      const item = uuid7();
      const runs = [newRun(item), newRun(item)] as const;
      const recorded = Promise.withResolvers<void>();
      const commit = Promise.withResolvers<void>();
      const one = database.transaction(async (tx) => {
        await recordRuns(tx, [runs[0]]);
        recorded.resolve();
        await commit.promise;
      });
      await recorded.promise;
      const pid = Promise.withResolvers<number>();
      const other = database.transaction(async (tx) => {
        pid.resolve(await backendOf(tx));
        await recordRuns(tx, [runs[1]]);
      });
      await untilBlocked(database, await pid.promise);
      commit.resolve();
      await one;
      await expect(other).rejects.toMatchObject({ code: '23505', constraint: 'run_attempt' });
      await record([runs[1]]);
      expect((await read(item)).map(({ id, attempt }) => [id, attempt])).toEqual([
        [runs[0].id, 1],
        [runs[1].id, 2],
      ]);
    });

    test('by many have no gap and no double, whoever has to try again', async () => {
      const item = uuid7();
      const stubborn = async (run: NewRun): Promise<number> => {
        for (let tries = 1; ; tries += 1) {
          try {
            await record([run]);
            return tries;
          } catch (error) {
            if ((error as { code?: string }).code !== '23505') throw error;
          }
        }
      };
      const runs = Array.from({ length: 24 }, (_, n) => newRun(item, { worker: `worker-${n}` }));
      await Promise.all(runs.map(stubborn));
      const kept = await read(item);
      expect(kept.map(({ attempt }) => attempt).toSorted((a, b) => a - b)).toEqual(runs.map((_, n) => n + 1));
      expect(new Set(kept.map(({ worker }) => worker)).size).toBe(24);
    });
  });
});
