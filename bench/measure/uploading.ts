import type { MockModel, ScriptInput } from '../../src/models/mock/index.ts';
import type { PostgresDatabase } from '../../src/storage/postgres.ts';
import type { StartedHouse } from './start-house.ts';

/** How often it is looked whether an upload is ready, in milliseconds. */
const LOOK_MS = 10;
const TEXT = 'This is an invoice';

/** What the model says of every paper, after so many milliseconds. */
export async function say(mock: MockModel, latency: number): Promise<void> {
  const script: ScriptInput = {
    latency_ms: latency,
    answers: [
      {
        when: { contains: 'You sort documents into types' },
        reply: { evidence: TEXT, type: 'invoice', confidence: 0.95 },
      },
      {
        when: { contains: 'You read the values of fields' },
        reply: { total: { evidence: 'Total 10.00', raw: '10.00', value: 10 } },
      },
    ],
  };
  const url = new URL('/mock/script', mock.url);
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(script) });
  if (!answer.ok) throw new Error(`the model does not take its script: ${await answer.text()}`);
}

/** Types that were not there before: what was asked about the older ones is asked anew. */
export const editTypes = (house: StartedHouse, edition: string): Promise<unknown> =>
  house.call('PUT', '/documents/types', {
    items: ['invoice', 'contract'].map((code) => ({
      code,
      name: code,
      description: `Papers of the kind ${code}, ${edition}`,
      fields: [{ code: 'total', name: 'Total', type: 'money' }],
    })),
  });

function form(names: readonly string[]): FormData {
  const body = new FormData();
  for (const name of names) body.append('file', new Blob([`${TEXT}, no. ${name}.\n\nTotal 10.00\n`]), `${name}.txt`);
  return body;
}

const upload = (house: StartedHouse, names: readonly string[]) =>
  house.call<{ items: { id: string }[] }>('POST', '/documents', form(names));

/** Takes in so many papers at once and waits until all rest. */
export async function fill(house: StartedHouse, database: PostgresDatabase, count: number): Promise<void> {
  for (let from = 0; from < count; from += 100) {
    const names = Array.from({ length: Math.min(100, count - from) }, (_, n) => `archive ${from + n}`);
    await upload(house, names);
  }
  await untilQuiet(database);
}

/** Uploads at a steady pace, whatever becomes of them; milliseconds from each POST until it was seen to be ready. */
export async function timeUploads(
  house: StartedHouse,
  database: PostgresDatabase,
  name: string,
  count: number,
  paceMs: number,
): Promise<number[]> {
  const began = new Map<string, number>();
  const times: number[] = [];
  const posting = (async () => {
    const first = performance.now();
    for (let n = 0; n < count; n += 1) {
      await sleep(first + n * paceMs - performance.now());
      const at = performance.now();
      const { items } = await upload(house, [`${name} ${n}`]);
      began.set(items[0]!.id, at);
    }
  })();
  let failed: unknown;
  posting.catch((error) => {
    failed = error;
  });
  while (times.length < count) {
    if (failed) throw failed;
    const { rows } = await database.query<{ id: string; state: string }>(
      `select id, state from documents_document where id = any($1::uuid[]) and state in ('ready', 'in_review', 'failed')`,
      [[...began.keys()]],
    );
    for (const { id, state } of rows) {
      if (state !== 'ready') throw new Error(`an upload is ${state}`);
      times.push(performance.now() - began.get(id)!);
      began.delete(id);
    }
    await sleep(LOOK_MS);
  }
  await posting;
  return times;
}

/** Starts to classify all documents anew, and waits until it is at work. */
export async function startBatch(house: StartedHouse, database: PostgresDatabase): Promise<string> {
  const body = { service: 'documents', action: 're-classify', scope: { all: true } };
  const { batch } = await house.call<{ batch: string }>('POST', '/replay', body);
  while ((await countDone(database, batch)) === 0) await sleep(50);
  return batch;
}

/** Documents that a batch is done with. */
export async function countDone(database: PostgresDatabase, batch: string): Promise<number> {
  const { rows } = await database.query<{ n: number }>(
    `select count(*) as n from run where cause = $1 and outcome = 'accepted'`,
    [batch],
  );
  return rows[0]!.n;
}

/** Waits until no document is worked on. */
export async function untilQuiet(database: PostgresDatabase): Promise<void> {
  const sql = `select count(*) as n from "${database.schema}_jobs".job where name like 'documents.%' and state < 'completed'`;
  while ((await database.query<{ n: number }>(sql)).rows[0]!.n > 0) await sleep(100);
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)));
