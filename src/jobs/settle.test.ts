import { beforeAll, expect, test } from 'vitest';
import { onBothDatabases } from '../../test/harness/databases.ts';
import { findBreaches } from '../../test/harness/invariants.ts';
import { PARCEL_TABLES, parcelMachine, parcelStage, passParcel, postParcels } from '../../test/harness/parcel.ts';
import { drain } from '../../test/harness/worker.ts';
import { createQueues } from './worker.ts';

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
});
