import { setTimeout as sleep } from 'node:timers/promises';
import { untilSignal } from '../../src/cli/until-signal.ts';
import type { AtPoint } from '../../src/jobs/points.ts';
import { openHouse } from '../../src/server/house.ts';
import { openPostgres } from '../../src/storage/postgres.ts';

/**
 * A worker as `signalbox worker` is one, with other pages (PAGE_SIZE), that kills itself (DIE_AT `batch settled 2`: at this
 * point of a claim of the batch, or of a document, as soon as so many pages are put), or whose claims of a batch wait
 * for the other process's claim of the same page (MEET).
 */
const { PAGE_SIZE = '', DIE_AT = '', MEET = '', DATABASE_URL = '', SIGNALBOX_SCHEMA = 'signalbox' } = process.env;
const [victim, deadly, pages] = DIE_AT.split(' ');
const MEET_MS = 4_000;
// Apart from the house's connections: at a point of a settlement all of these may be in use.
const watch = openPostgres({ url: DATABASE_URL, schema: SIGNALBOX_SCHEMA, poolSize: 1 });

const at: AtPoint = async (point, [item]) => {
  if (item === undefined) return;
  if (point === deadly) {
    const { rows } = await watch.query<{ id: string; page: number }>(
      'select id, content_version - 1 as page from replay_batch',
    );
    const [batch] = rows;
    if (batch && batch.page === Number(pages) && (batch.id === item) === (victim === 'batch')) {
      process.kill(process.pid, 'SIGKILL');
    }
  }
  if (MEET && point === 'loaded') await meet(item);
};

/** A claim of a batch goes on together with one of another process, which is at the same page; alone after a while. */
async function meet(batch: string): Promise<void> {
  const { rows } = await watch.query<{ id: number; page: number }>(
    `insert into meeting (page, process) select content_version, $2 from replay_batch where id = $1 returning id, page`,
    [batch, process.pid],
  );
  const [own] = rows;
  const end = performance.now() + MEET_MS;
  while (own && performance.now() < end) {
    // Who came first takes both along.
    const { rows: met } = await watch.query(
      `update meeting set met = true
        where (id = $1 and met) or ((select count(*) from meeting where page = $2 and not met and process <> $3) > 0
          and id in ($1, (select min(id) from meeting where page = $2 and not met and process <> $3)))
       returning id`,
      [own.id, own.page, process.pid],
    );
    if (met.length) return;
    await sleep(20);
  }
}

const house = await openHouse({
  folder: null,
  databaseUrl: DATABASE_URL,
  workers: true,
  anyFile: false,
  env: process.env,
  heartbeatSeconds: 10,
  pollSeconds: 0.5,
  ...(PAGE_SIZE ? { replayPageSize: Number(PAGE_SIZE) } : {}),
  onError: (error, where) => process.stderr.write(`${where}: ${error}\n`),
  at,
});
process.stdout.write('ready\n');
await untilSignal();
await house.stop();
await watch.close();
