import { openQueue } from '../src/jobs/queue.ts';
import { migrate } from '../src/storage/migrate.ts';
import { openPostgres } from '../src/storage/postgres.ts';
import { allOrders, openScene, play, type Rivalry } from '../test/harness/interleave.ts';
import { PARCEL_TABLES } from '../test/harness/parcel.ts';
import type { Proof } from './proof.ts';

export const proof: Proof = {
  claim:
    'two workers and one human on one item, in every order of the named points: no human decision is overwritten, at most one run is accepted',
  run: async (stage) => {
    const { url } = await stage.postgres();
    const rows: unknown[][] = [];
    for (const rivalry of ['second job', 'lost claim'] as const satisfies readonly Rivalry[]) {
      const schema = `orders_${rivalry.replace(' ', '_')}`;
      const database = openPostgres({ url, schema, poolSize: 2 });
      await migrate(database);
      await database.script(PARCEL_TABLES);
      const queue = await openQueue(database, { workers: false, poolSize: 3 });
      const scene = await openScene(url, schema, database, queue);
      const orders = allOrders().filter((_, n) => !stage.quick || n % 20 === stage.seed % 20);
      const ends = new Map<string, number>();
      let overwritten = 0;
      let twice = 0;
      let breaches = 0;
      for (const order of orders) {
        const outcome = await play(scene, order, rivalry);
        const where = `${rivalry}, order ${order.join('')}`;
        if (outcome.humanAccepted && outcome.state !== 'rejected') overwritten += 1;
        if (outcome.acceptedRuns > 1 || outcome.results > 1) twice += 1;
        breaches += outcome.breaches.length;
        stage.check(
          !outcome.humanAccepted || outcome.state === 'rejected',
          `${where}: the human's decision was overwritten`,
        );
        stage.check(outcome.acceptedRuns <= 1, `${where}: ${outcome.acceptedRuns} accepted runs`);
        stage.equal(outcome.results, outcome.acceptedRuns, `${where}: results beside accepted runs`);
        for (const breach of outcome.breaches) stage.check(false, `${where}: ${breach}`);
        const end = `${outcome.acceptedRuns ? 'accepted, then rejected by the human' : 'rejected before any result'}`;
        ends.set(end, (ends.get(end) ?? 0) + 1);
      }
      for (const [end, n] of ends) rows.push([rivalry, orders.length, end, n, overwritten, twice, breaches]);
      await scene.close();
      await queue.stop({ graceful: false });
      await database.close();
    }
    stage.table(
      'Orders',
      ['how they meet', 'orders tried', 'how it ended', 'orders', 'human overwritten', 'accepted twice', 'breaches'],
      rows,
    );
    stage.check(rows.length === 4, 'both ends must occur in both rivalries, else the orders are not what they seem');
  },
};
