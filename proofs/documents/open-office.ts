import { overHouse, type Station } from '../../src/cli/station.ts';
import type { AtPoint } from '../../src/jobs/points.ts';
import { type MockClock, type MockModel, type ScriptInput, startMockModel } from '../../src/models/mock/index.ts';
import { BASE } from '../../src/server/base.ts';
import { type House, openHouse } from '../../src/server/house.ts';
import { type ProofStage, until } from '../proof.ts';
import { type Opinion, paperTypes, scriptOf } from './papers.ts';

/** A house with documents, a model that says what it is told to say, and a folder of files. */
export interface Office {
  readonly house: House;
  readonly mock: MockModel;
  /** What a process is started with that works for this office. */
  readonly env: Readonly<Record<string, string>>;
  readonly api: Station['api'];
  /** Status and body of any request. */
  ask(method: string, path: string, body?: unknown): Promise<{ status: number; body: Record<string, unknown> }>;
  /** What the model says from now on, and what goes wrong with it. */
  says(opinions: readonly Opinion[], rest?: Omit<ScriptInput, 'answers'>): Promise<void>;
  /** Publishes the types anew: nothing that was asked before is answered from the cache. */
  editTypes(): Promise<number>;
  /** Takes papers in; gives their ids in order. */
  takeIn(papers: readonly { readonly name: string; readonly text: string }[]): Promise<string[]>;
  /** Waits until every document rests. */
  untilAtRest(): Promise<void>;
  /** Starts a batch; gives its id. */
  start(action: string, scope: unknown, how?: Readonly<Record<string, unknown>>): Promise<string>;
  untilOver(batch: string): Promise<void>;
  stop(): Promise<void>;
}

export interface OfficeOptions {
  /** Without: the embedded database, in memory. */
  readonly databaseUrl?: string;
  readonly schema?: string;
  /** Whether this process works. */
  readonly workers: boolean;
  readonly pageSize?: number;
  /** Connections of each process beside its queue's. */
  readonly poolSize?: number;
  /** Calls at once that the model allows. */
  readonly cap?: number;
  readonly at?: AtPoint;
  readonly clock?: MockClock;
}

const KEY = 'office'.repeat(8);

export async function openOffice(stage: ProofStage, options: OfficeOptions): Promise<Office> {
  const { databaseUrl, schema = 'signalbox', workers, pageSize, poolSize = 8, cap = 4, at, clock } = options;
  const mock = await startMockModel({ script: scriptOf([{ type: 'invoice' }]), ...(clock ? { clock } : {}) });
  const env = {
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    SIGNALBOX_SCHEMA: schema,
    SIGNALBOX_FILES: stage.folder(),
    SIGNALBOX_POOL: String(poolSize),
    OPENAI_BASE_URL: mock.url,
    SIGNALBOX_MODEL: 'mock',
    SIGNALBOX_MODEL_CONCURRENCY: String(cap),
    ...(pageSize === undefined ? {} : { PAGE_SIZE: String(pageSize) }),
  };
  let stopped = false;
  const house = await openHouse({
    folder: null,
    databaseUrl,
    workers,
    anyFile: false,
    env,
    localKey: KEY,
    heartbeatSeconds: 10,
    pollSeconds: 0.5,
    onError: (error, where) => {
      // A server that goes tells connections which this house has left already.
      if (!stopped) stage.say(`  ${where}: ${error}`);
    },
    ...(pageSize === undefined ? {} : { replayPageSize: pageSize }),
    ...(at === undefined ? {} : { at }),
  });
  const { api, upload } = overHouse(house, KEY);
  const count = async (sql: string) => (await house.database.query<{ n: number }>(sql)).rows[0]!.n;
  let edition = 0;
  const office: Office = {
    house,
    mock,
    env,
    api,
    ask: async (method, path, body) => {
      const response = await house.app.app.request(`${BASE}${path}`, {
        method,
        headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    },
    says: async (opinions, rest = {}) => {
      const script = JSON.stringify(scriptOf(opinions, { seed: stage.seed, ...rest }));
      const answer = await fetch(new URL('/mock/script', mock.url), { method: 'POST', body: script });
      if (!answer.ok) throw new Error(`the model does not take its script: ${await answer.text()}`);
    },
    editTypes: async () => {
      edition += 1;
      const { version } = await api<{ version: number }>('PUT', '/documents/types', {
        items: paperTypes(String(edition)),
      });
      return version;
    },
    takeIn: async (papers) => {
      const ids: string[] = [];
      for (let from = 0; from < papers.length; from += 100) {
        const files = papers
          .slice(from, from + 100)
          .map(({ name, text }) => ({ name, bytes: new TextEncoder().encode(text) }));
        const { items } = await upload<{ items: { id: string; outcome: string }[] }>('/documents', files);
        const refused = items.find(({ outcome }) => outcome !== 'stored');
        if (refused) throw new Error(`not taken in: ${JSON.stringify(refused)}`);
        ids.push(...items.map(({ id }) => id));
      }
      return ids;
    },
    untilAtRest: () =>
      until('every document to be at rest', 240, async () => {
        const sql = `select count(*) as n from documents_document
                      where state in ('uploaded', 'extracting_text', 'classifying', 'extracting_fields')`;
        return (await count(sql)) === 0;
      }),
    start: async (action, scope, how = {}) => {
      const body = { service: 'documents', action, scope, ...how };
      return (await api<{ batch: string }>('POST', '/replay', body)).batch;
    },
    untilOver: (batch) =>
      until(`batch ${batch} to be over`, 240, async () => {
        const { state } = await api<{ state: string }>('GET', `/replay/${batch}`);
        return state === 'done' || state === 'cancelled';
      }),
    stop: async () => {
      await house.stop();
      stopped = true;
      await mock.stop();
    },
  };
  await office.editTypes();
  return office;
}
