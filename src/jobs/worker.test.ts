import { expect, test, vi } from 'vitest';
import { onBothDatabases } from '../../test/harness/databases.ts';
import { PARCEL_TABLES, parcelStage, passParcel, postParcels } from '../../test/harness/parcel.ts';
import { workerDeps } from '../../test/harness/worker.ts';
import { openQueue } from './queue.ts';
import { createQueues, startStageWorker } from './worker.ts';

onBothDatabases('a worker', (ground) => {
  test('completes each job once: in our transaction, and not once more by the library', async () => {
    await ground().database.script(PARCEL_TABLES);
    const stage = parcelStage(passParcel, { batch: 5, concurrency: 1 });
    const queue = await openQueue(ground().database, { workers: true });
    const statements = vi.spyOn(queue.boss.getDb(), 'executeSql');
    try {
      await createQueues(queue, stage);
      const subjects = Array.from({ length: 10 }, (_, n) => `no. ${n}`);
      await postParcels(ground().database, queue.boss, subjects);
      let settled = 0;
      const all = Promise.withResolvers<void>();
      const onSettled = (_: string, outcomes: Readonly<Record<string, number>>) => {
        settled += outcomes.accepted ?? 0;
        if (settled === subjects.length) all.resolve();
      };
      await startStageWorker(stage, workerDeps(ground(), { queue, pollSeconds: 0.5, onSettled }));
      await all.promise;
    } finally {
      await queue.stop();
    }
    const sent = statements.mock.calls.map(([text]) => text);
    // The claims are seen here, so a completion would be.
    expect(sent.filter((text) => /started_on/.test(text)).length).toBeGreaterThanOrEqual(2);
    expect(sent.filter((text) => /update .*set completed_on/is.test(text))).toEqual([]);
  });
});
