import { DBOS } from '@dbos-inc/dbos-sdk';
import pg from 'pg';
import { contend, timed } from '../measure/contender.ts';
import type { DbosRun, DbosSettings } from '../measure/runs.ts';

const QUEUE = 'bench';
const NAME = 'five-empty-steps';
/** Workflows at once. Of 10, 20, 50 and 100, fifty were the fastest on two cores, both ways. */
const AT_ONCE = 50;
/** Twice the library's default; 50 were slower. */
const POOL_SIZE = 20;
/** The default of 1,000 ms would leave a queue of short workflows idle most of the time. */
const POLL_MS = 10;

async function fiveEmptySteps(): Promise<void> {
  await DBOS.runStep(async () => {}, { name: 'first' });
  await DBOS.runStep(async () => {}, { name: 'second' });
  await DBOS.runStep(async () => {}, { name: 'third' });
  await DBOS.runStep(async () => {}, { name: 'fourth' });
  await DBOS.runStep(async () => {}, { name: 'fifth' });
}

const workflow = DBOS.registerWorkflow(fiveEmptySteps, { name: NAME });

contend(async ({ url, postmaster, database, items, warmUp, way }: DbosSettings): Promise<DbosRun> => {
  const address = new URL(url);
  address.pathname = `/${database}`;
  DBOS.setConfig({
    name: 'bench',
    systemDatabaseUrl: address.href,
    systemDatabasePoolSize: POOL_SIZE,
    logLevel: 'error',
    enableOTLP: false,
    tracingEnabled: false,
  });
  await DBOS.launch();
  const client = new pg.Client({ connectionString: address.href });
  await client.connect();
  if (way === 'queued') await DBOS.registerQueue(QUEUE, { workerConcurrency: AT_ONCE, minPollingIntervalMs: POLL_MS });
  const run = way === 'started' ? runStarted : runQueued;
  await run(client, warmUp);
  const whole = await timed(postmaster, () => run(client, items));
  const { rows } = await client.query('select count(*)::int as steps from dbos.operation_outputs');
  const done = await countSucceeded(client);
  await client.end();
  await DBOS.shutdown();
  return { ...whole, rows: { done: done - warmUp, steps: rows[0].steps - warmUp * 5 } };
});

/** So many workflows at once, each awaited where it was started: nothing is polled for. */
async function runStarted(_client: pg.Client, count: number): Promise<void> {
  let left = count;
  const one = async () => {
    while (left-- > 0) await workflow();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

/** All enqueued, as many at once running as above: what the documentation recommends for many workflows. */
async function runQueued(client: pg.Client, count: number): Promise<void> {
  const wanted = (await countSucceeded(client)) + count;
  let left = count;
  const one = async () => {
    while (left-- > 0) await DBOS.startWorkflow(workflow, { queueName: QUEUE })();
  };
  await Promise.all(Array.from({ length: POOL_SIZE }, one));
  // One count every 50 ms is cheaper than what `getResult` does for each workflow.
  while ((await countSucceeded(client)) < wanted) await new Promise((resolve) => setTimeout(resolve, 50));
}

async function countSucceeded(client: pg.Client): Promise<number> {
  const { rows } = await client.query(
    `select count(*)::int as n from dbos.workflow_status where status = 'SUCCESS' and name = $1`,
    [NAME],
  );
  return rows[0].n;
}
