import type { Machine } from '../src/core/machine.ts';
import { readPools } from '../src/jobs/slots.ts';
import { startMockModel } from '../src/models/mock/index.ts';
import { POOL } from '../test/harness/asking-stage.ts';
import { findBreaches } from '../test/harness/invariants.ts';
import { parcelMachine, postParcels } from '../test/harness/parcel.ts';
import { type Proof, type ProofStage, sleep, terminate, until } from './proof.ts';
import { openAskingHouse } from './workers/asking-house.ts';

const CAP = 16;
const CALL_MS = 200;
const STOPPED_SECONDS = 30;

export const proof: Proof = {
  claim: `500 model calls of ${CALL_MS} ms by two processes, at most ${CAP} at once, also while one process is stopped for ${STOPPED_SECONDS} s: the provider never sees more`,
  run: async (stage) => {
    const calls = stage.quick ? 200 : 500;
    const rows = [await round(stage, calls, false), await round(stage, calls, true)];
    stage.table(
      'Calls',
      ['run', 'calls', 'done', 'most in flight', 'cap', 'leases overrun', 'ideal s', 'real s', 'ideal / real'],
      rows,
    );
  },
};

async function round(stage: ProofStage, calls: number, stopOne: boolean): Promise<unknown[]> {
  const mock = await startMockModel({ script: { latency_ms: CALL_MS, seed: stage.seed } });
  const house = await openAskingHouse(stage, mock.url, { cap: CAP, processes: 2, claimers: 16, heartbeatSeconds: 10 });
  const { database } = house;
  const done = async () =>
    (await database.query<{ n: number }>(`select count(*) as n from parcel where state = 'passed'`)).rows[0]!.n;
  try {
    await postParcels(
      database,
      house.queue.boss,
      Array.from({ length: calls }, (_, n) => `no. ${n}`),
    );
    const victim = house.workers[0]!;
    if (stopOne) {
      await until('a fifth of the calls to be made', 60, async () => (await done()) > calls / 5, 20);
      victim.kill('SIGSTOP');
      await sleep(STOPPED_SECONDS * 1000);
      victim.kill('SIGCONT');
    }
    await until('all calls to be done', 180, async () => (await done()) === calls, 50);
    const { max_in_flight: most } = mock.log.stats();
    const pool = (await readPools(database)).find(({ name }) => name === POOL);
    const { rows } = await database.query<{ seconds: number }>(
      `select extract(epoch from max(ended_at) - min(started_at))::float8 as seconds from run where outcome = 'accepted'`,
    );
    const ideal = (calls * CALL_MS) / CAP / 1000;
    const real = rows[0]!.seconds;
    stage.check(most <= CAP, `${stopOne ? 'with one stopped' : 'undisturbed'}: ${most} requests in flight`);
    stage.check(most >= CAP - 1, `the cap was never used: at most ${most} in flight`);
    for (const breach of await findBreaches(database, parcelMachine as unknown as Machine, ['test.check']))
      stage.check(false, breach);
    for (const worker of house.workers) stage.equal(await terminate(worker), 0, 'a worker ends with status');
    return [
      stopOne ? `one stopped ${STOPPED_SECONDS} s` : 'undisturbed',
      calls,
      await done(),
      most,
      CAP,
      pool?.overhangs,
      ideal.toFixed(2),
      real.toFixed(2),
      (ideal / real).toFixed(3),
    ];
  } finally {
    await house.close();
    await mock.stop();
  }
}
