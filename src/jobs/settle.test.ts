import { beforeAll, expect, test } from 'vitest';
import { onBothDatabases } from '../../test/harness/databases.ts';
import { findBreaches } from '../../test/harness/invariants.ts';
import { PARCEL_TABLES, parcelMachine, parcelStage, passParcel, postParcels } from '../../test/harness/parcel.ts';
import { drain, workerDeps } from '../../test/harness/worker.ts';
import { uuid7 } from '../core/ids.ts';
import type { ClaimedJob } from './claim.ts';
import { retryQueue } from './disposition.ts';
import { enqueue } from './enqueue.ts';
import { claimed, createQueues, workOn } from './worker.ts';

onBothDatabases('a stage', (ground) => {
  const stage = parcelStage(passParcel);
  beforeAll(async () => {
    const { database, queue } = ground();
    await database.script(PARCEL_TABLES);
    await createQueues(queue, stage);
  });

  const left = async () => {
    const { rows } = await ground().database.query<{ n: number }>(
      `select count(*)::int as n from parcel where state in ('new', 'checking')`,
    );
    return rows[0]!.n === 0;
  };

  test('takes a batch from posting to its result, each with journal, run and no job left', async () => {
    const { database, queue } = ground();
    const ids = await postParcels(
      database,
      queue.boss,
      Array.from({ length: 250 }, (_, n) => `no. ${n}`),
    );
    await drain(ground(), [stage], left);
    const { rows } = await database.query(`select state, version, count(*)::int as n from parcel group by 1, 2`);
    expect(rows).toEqual([{ state: 'passed', version: 3, n: 250 }]);
    const results = await database.query<{ item: string }>(`select item from parcel_result`);
    expect(new Set(results.rows.map((row) => row.item))).toEqual(new Set(ids));
    expect(await findBreaches(database, parcelMachine, [stage.name])).toEqual([]);
  });

  test('gives up on one item of a batch and goes on with its neighbours', async () => {
    const { database, queue } = ground();
    const failing = parcelStage((item, claim) => {
      claim.walk.take({ from: 'new', to: 'checking' });
      if (item.content === 'bad') throw new Error('cannot be read');
      claim.walk.take({ from: 'checking', to: 'passed' });
      return 'ok';
    });
    const [bad] = await postParcels(database, queue.boss, ['bad', 'good 1', 'good 2']);
    await drain(ground(), [failing], left);
    const { rows } = await database.query(
      `select item, code, attempts from (select item, error_code as code, jsonb_array_length(attempts) as attempts from dead_letter) d`,
    );
    expect(rows).toEqual([{ item: bad, code: 'core.unexpected', attempts: 1 }]);
    expect(await findBreaches(database, parcelMachine, [stage.name])).toEqual([]);
  });

  test('work enqueued in a transaction that rolls back does not exist', async () => {
    const { database, queue } = ground();
    const before = await outstanding();
    await expect(
      database.transaction(async (tx) => {
        await enqueue(tx, queue.boss, [{ queue: stage.name, data: { item: uuid7(), cv: 1, cause: 'live' } }]);
        throw new Error('the move did not commit');
      }),
    ).rejects.toThrow('did not commit');
    expect(await outstanding()).toBe(before);
  });

  test('a result that cannot be written undoes its move and its run, and neighbours are settled without it', async () => {
    const { database, queue } = ground();
    const [bad, good] = await postParcels(database, queue.boss, ['unwritable', 'writable']);
    const sound = parcelStage(passParcel);
    const picky = parcelStage(passParcel, {
      save: async (tx, done) => {
        await sound.save(tx, done);
        if (done.some(({ item }) => item.content === 'unwritable')) throw new Error('disk full');
      },
    });
    const jobs = await queue.boss.fetch(stage.name, { includeMetadata: true, batchSize: 10 });
    const signal = new AbortController().signal;
    const results = await workOn(
      picky,
      stage.name,
      jobs.map((job) => claimed({ ...job, signal } as never)),
      workerDeps(ground()),
    );
    expect(results.map(({ status }) => status).sort()).toEqual(['completed', 'failed']);
    const { rows } = await database.query<{ id: string; state: string; version: number; runs: number }>(
      `select id, state, version, (select count(*)::int from run where item = p.id) as runs from parcel p where id = any($1::uuid[])`,
      [[bad, good]],
    );
    expect(Object.fromEntries(rows.map((row) => [row.id, [row.state, row.version, row.runs]]))).toEqual({
      [bad!]: ['new', 1, 0],
      [good!]: ['passed', 3, 1],
    });
  });

  test('a claim that was lost settles nothing, even before the next one has begun; the next one is accepted', async () => {
    const { database, queue } = ground();
    const [item] = await postParcels(database, queue.boss, ['taken over']);
    const fetched = async (from: string) => {
      const [job] = await queue.boss.fetch(from, { includeMetadata: true, ignoreStartAfter: true });
      return claimed({ ...job, signal: new AbortController().signal } as never);
    };
    const lost = await fetched(stage.name);
    await queue.boss.fail(stage.name, [{ id: lost.id, retryCount: lost.retryCount } as never], { lost: true });
    const held = await fetched(retryQueue(stage.name));
    expect(held.data.item).toBe(item);
    const stale: number[] = [];
    const settleAs = (worker: string, from: string, job: ClaimedJob) =>
      workOn(stage, from, [job], workerDeps(ground(), { worker, onSettled: (_, __, n) => stale.push(n) }));
    const written = async () => {
      const { rows } = await database.query(
        `select p.state, p.version, (select count(*)::int from parcel_result where item = p.id) as results,
                coalesce((select jsonb_agg(worker order by attempt) from run where item = p.id and outcome = 'accepted'), '[]') as workers
           from parcel p where p.id = $1`,
        [item],
      );
      return rows[0];
    };
    await settleAs('thought dead', stage.name, lost);
    expect(stale).toEqual([1]);
    expect(await written()).toEqual({ state: 'new', version: 1, results: 0, workers: [] });
    await settleAs('next', retryQueue(stage.name), held);
    expect(stale).toEqual([1, 0]);
    expect(await written()).toEqual({ state: 'passed', version: 3, results: 1, workers: ['next'] });
  });

  const outstanding = async () => {
    const { database } = ground();
    const { rows } = await database.query<{ n: number }>(
      `select count(*)::int as n from "${database.schema}_jobs".job where state < 'completed'`,
    );
    return rows[0]!.n;
  };

  test('skips what its stage says there is nothing to do about, and never begins the work', async () => {
    const { database, queue } = ground();
    const touched: string[] = [];
    const careful = parcelStage(
      (item, claim) => {
        touched.push(item.id);
        return passParcel(item, claim);
      },
      {
        skip: ({ content }) => (content === 'not mine' ? 'test.not_mine' : null),
      },
    );
    const [other, mine] = await postParcels(database, queue.boss, ['not mine', 'mine']);
    await drain(ground(), [careful], async () => {
      const { rows } = await database.query(`select from run where item = any($1::uuid[])`, [[other, mine]]);
      return rows.length === 2;
    });
    expect(touched).toEqual([mine]);
    const { rows } = await database.query(`select item, outcome, error_code as code from run where item = $1`, [other]);
    expect(rows).toEqual([{ item: other, outcome: 'skipped', code: 'test.not_mine' }]);
  });

  test('a replay takes no edge that is not marked for it', async () => {
    const { database, queue } = ground();
    const [id] = await postParcels(database, queue.boss, ['done']);
    await drain(ground(), [stage], async () => {
      const { rows } = await database.query(`select from parcel where id = $1 and state = 'passed'`, [id]);
      return rows.length === 1;
    });
    const unruly = parcelStage(
      (_, { walk }) => {
        walk.take({ from: 'passed', to: 'rejected' });
        return 'again';
      },
      // As a person it may take the edge, as a replay it may not.
      { replayFrom: ['passed'], actor: 'human' as never },
    );
    const batch = uuid7();
    await database.transaction((tx) =>
      enqueue(tx, queue.boss, [{ queue: stage.name, data: { item: id!, cv: 1, cause: batch } }]),
    );
    await drain(ground(), [unruly], async () => {
      const { rows } = await database.query(`select from run where cause = $1`, [batch]);
      return rows.length === 1;
    });
    const { rows } = await database.query(
      `select r.outcome, r.error_message as message, p.state, p.version
         from run r join parcel p on p.id = r.item where r.cause = $1`,
      [batch],
    );
    const message = "test.check: 'passed' → 'rejected' is no edge of a replay";
    expect(rows).toEqual([{ outcome: 'failed', message, state: 'passed', version: 3 }]);
  });
});
