import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serve } from '../../test/harness/cli.ts';
import { moveClock } from '../../test/harness/clock.ts';
import { newDataFolder } from '../../test/harness/data-folder.ts';
import { findBreaches } from '../../test/harness/invariants.ts';
import { until } from '../../test/harness/site.ts';
import { task } from '../../test/harness/tasks.ts';
import { CLEAN_STAGE, sampleMachine } from '../answers/index.ts';
import { type EmbeddedDatabase, openEmbedded } from '../storage/embedded.ts';

// Fifteen claims, two at a time: most of them still wait when the first is seen to be done.
const HALF = 1_500;
const TASKS = 2 * HALF;

interface Counts {
  readonly completed: number;
  readonly open: number;
  readonly active: number;
  readonly results: number;
}

/** What a folder holds that nobody has open. */
async function look<T>(folder: string, at: (database: EmbeddedDatabase) => Promise<T>): Promise<T> {
  const database = await openEmbedded({ folder, schema: 'signalbox' });
  try {
    return await at(database);
  } finally {
    await database.close();
  }
}

async function count(database: EmbeddedDatabase): Promise<Counts> {
  const { rows } = await database.query<Counts>(
    `select (select count(*)::int from answers_sample where state = 'completed') as completed,
            (select count(*)::int from answers_sample where state <> 'completed') as open,
            (select count(*)::int from signalbox_jobs.job where state = 'active') as active,
            (select count(distinct clean_task_id)::int from clean_result where clean_state = 'completed') as results`,
  );
  return rows[0]!;
}

test('a server that is told to stop at work, then killed at work, loses nothing', async () => {
  const folder = newDataFolder();
  const lock = join(folder, 'signalbox.lock');
  const holder = () => JSON.parse(readFileSync(lock, 'utf8')) as { pid: number; address: string; token: string };
  const call = async <Answer>(path: string, json?: unknown): Promise<Answer> => {
    const { address, token } = holder();
    const response = await fetch(`${address}/api/v1${path}`, {
      method: json === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    return (await response.json()) as Answer;
  };
  /** Until so many samples are completed, by the server's own count. */
  const completed = (most: number) =>
    until(async () => {
      const { items } = await call<{ items: { name: string; states: { state: string; items: number }[] }[] }>(
        '/machines',
      );
      const states = items.find(({ name }) => name === 'answers.sample')!.states;
      expect(states.find(({ state }) => state === 'completed')!.items).toBeGreaterThanOrEqual(most);
    });

  const post = async (prefix: string) => {
    const tasks = Array.from({ length: HALF }, (_, n) => task(`${prefix}-${n}`));
    expect(await call('/answers/clean-tasks', tasks)).toMatchObject({ accepted: HALF });
  };

  let server = await serve(folder);
  await post('first');
  await completed(1);
  const stopped = await server.stop('SIGTERM');
  expect([stopped.status, stopped.signal, stopped.stderr.split('\n').slice(1)]).toEqual([0, null, ['']]);
  expect(existsSync(lock)).toBe(false);
  const afterTerm = await look(folder, async (database) => {
    // What was claimed was settled, what was not waits: nothing is left to lapse.
    expect(await findBreaches(database, sampleMachine, [CLEAN_STAGE])).toEqual([]);
    return count(database);
  });
  expect(afterTerm).toMatchObject({ active: 0, open: HALF - afterTerm.completed, results: afterTerm.completed });
  expect(afterTerm.completed).toBeGreaterThan(0);
  expect(afterTerm.open).toBeGreaterThan(0);

  server = await serve(folder);
  await post('second');
  await completed(afterTerm.completed + 1);
  const killed = await server.stop('SIGKILL');
  expect(killed.signal).toBe('SIGKILL');
  expect(holder().pid).toBe(server.child.pid);
  const afterKill = await look(folder, async (database) => {
    expect(await findBreaches(database, sampleMachine, [CLEAN_STAGE])).toEqual([]);
    // The dead server's claims lapse: a minute passes.
    await moveClock(database, 60);
    return count(database);
  });
  expect(afterKill.completed).toBeGreaterThan(afterTerm.completed);
  expect(afterKill.open).toBeGreaterThan(0);

  server = await serve(folder);
  await completed(TASKS);
  expect((await server.stop('SIGINT')).status).toBe(0);
  await look(folder, async (database) => {
    expect(await count(database)).toEqual({ completed: TASKS, open: 0, active: 0, results: TASKS });
    expect(await findBreaches(database, sampleMachine, [CLEAN_STAGE])).toEqual([]);
    const { rows } = await database.query('select id from dead_letter');
    expect(rows).toEqual([]);
  });
});
