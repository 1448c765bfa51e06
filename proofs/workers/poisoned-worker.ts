import { untilSignal } from '../../src/cli/until-signal.ts';
import { openHouse } from '../../src/server/house.ts';

/** A worker as `signalbox worker` is one, but the item named in POISON kills its process as soon as it is loaded. */
const poison = process.env.POISON ?? '';
const house = await openHouse({
  folder: null,
  databaseUrl: process.env.DATABASE_URL,
  workers: true,
  anyFile: true,
  env: process.env,
  heartbeatSeconds: 10,
  onError: (error, where) => process.stderr.write(`${where}: ${error}\n`),
  at: (point, items) => {
    if (point === 'loaded' && items.includes(poison)) process.kill(process.pid, 'SIGKILL');
  },
});
await untilSignal();
await house.stop();
