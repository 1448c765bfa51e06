import type { PgBoss } from 'pg-boss';
import { uuid7 } from '../../src/core/ids.ts';
import { publish } from '../../src/core/rulebook.ts';
import { readRuns } from '../../src/core/run.ts';
import { configure, TYPES_SECTION } from '../../src/documents/configure.ts';
import { type Asked, decideDocument, type Verdict } from '../../src/documents/decide-document.ts';
import { deleteDocument } from '../../src/documents/delete-document.ts';
import { type Document, loadDocuments } from '../../src/documents/document.ts';
import { type DocumentTypeRule, parseTypes } from '../../src/documents/document-types.ts';
import type { TextReader } from '../../src/documents/extract-text-stage.ts';
import { freshStages, replayStages } from '../../src/documents/pipeline.ts';
import { readText } from '../../src/documents/read-text.ts';
import { documentAction } from '../../src/documents/replay.ts';
import type { Again } from '../../src/documents/replay-stage.ts';
import { type TakenIn, takeIn } from '../../src/documents/take-in.ts';
import type { AtPoint } from '../../src/jobs/points.ts';
import type { AnyStage } from '../../src/jobs/stage.ts';
import { claimed, createQueues, workOn } from '../../src/jobs/worker.ts';
import type { AskModel } from '../../src/models/index.ts';
import type { ReplayAction } from '../../src/replay/action.ts';
import { type BatchDeps, readBatch, startBatch } from '../../src/replay/batches.ts';
import { DISPATCH_STAGE, dispatchStage } from '../../src/replay/dispatch.ts';
import { type BlobStore, openBlobStore } from '../../src/storage/blobs/index.ts';
import { newFolder } from './data-folder.ts';
import type { Ground } from './databases.ts';
import { workerDeps } from './worker.ts';

/** Documents worked on by hand: nothing is claimed before a test says so. */
export interface Desk {
  readonly blobs: BlobStore;
  readonly actions: Readonly<Record<Again, ReplayAction>>;
  readonly batches: BatchDeps & { readonly actions: readonly ReplayAction[] };
  /** The model that everything asks from now on; null: rules alone. */
  model: AskModel | null;
  /** Reads files; may be replaced by a test. */
  reader: TextReader;
  putTypes(types: unknown[]): Promise<number>;
  takeIn(...files: { name: string; text: string | Uint8Array }[]): Promise<TakenIn[]>;
  /** Takes in and works until nothing is left to do. */
  finish(...files: { name: string; text: string | Uint8Array }[]): Promise<string[]>;
  /** Works on what waits in a stage's queue; tells how many jobs there were. */
  work(stage: string, at?: AtPoint): Promise<number>;
  /** Works on everything that waits, people's work and retries among it, until nothing is left. */
  workAll(): Promise<void>;
  /** Starts a batch without dispatching it; gives its id. */
  start(again: Again, order?: Partial<Parameters<typeof startBatch>[1]>): Promise<string>;
  /** Starts a batch and brings it to its end; tells how items ended. */
  replay(again: Again, order?: Partial<Parameters<typeof startBatch>[1]>): Promise<Readonly<Record<string, number>>>;
  decide(
    id: string,
    judge: (document: Document, types: readonly DocumentTypeRule[], giver: { actorId: string; now: Date }) => Verdict,
    asked?: Partial<Asked>,
  ): Promise<{ revision: number; state: string }>;
  remove(id: string): Promise<void>;
  document(id: string): Promise<Document>;
  runs(id: string): Promise<{ stage: string; cause: string; outcome: string; code: string | null }[]>;
  /** Types of events with their data, oldest first. */
  events(id: string): Promise<{ type: string; seq: number; origin: string; data: Record<string, unknown> }[]>;
}

export async function openDesk(ground: () => Ground, pageSize = 100): Promise<Desk> {
  const { database, queue } = ground();
  const boss: PgBoss = queue.boss;
  const blobs = openBlobStore({ kind: 'folder', path: newFolder('files') });
  const configured = configure(
    {
      ask: async () => desk.model,
      describe: async () =>
        desk.model === null ? null : ({ id: 'test', price_in: 1_000_000, price_out: 2_000_000 } as never),
    },
    () => Number.POSITIVE_INFINITY,
  );
  const steps = {
    configured,
    blobs,
    reader: { read: (...given: Parameters<TextReader['read']>) => desk.reader.read(...given) },
  };
  const fresh = freshStages(steps);
  const again = replayStages(steps);
  const action = (one: Again) => documentAction(one, { ...steps, stage: again[one], besides: fresh });
  const actions = {
    're-read': action('re-read'),
    're-classify': action('re-classify'),
    're-extract': action('re-extract'),
  };
  const jobsSchema = `${database.schema}_jobs`;
  const batches = { database, boss, jobsSchema, newId: () => uuid7(), actions: Object.values(actions) };
  const dispatcher = dispatchStage({ ...batches, pageSize });
  const stages: AnyStage[] = [...fresh, ...Object.values(again), dispatcher];
  for (const stage of stages) await createQueues(queue, stage);

  const work = async (name: string, at?: AtPoint): Promise<number> => {
    const stage = stages.find((one) => name === one.name || name === `${one.name}.retry`)!;
    const jobs = await boss.fetch(name, { includeMetadata: true, batchSize: 100, ignoreStartAfter: true });
    const { signal } = new AbortController();
    const deps = workerDeps({ database, queue }, at ? { at } : {});
    for (const job of jobs) await workOn(stage, name, [claimed({ ...job, signal } as never)], deps);
    return jobs.length;
  };
  const workAll = async () => {
    for (let left = 1; left > 0; ) {
      left = 0;
      for (const { name } of stages) left += (await work(name)) + (await work(`${name}.retry`));
    }
  };
  const desk: Desk = {
    blobs,
    actions,
    batches,
    model: null,
    reader: { read: (bytes, name) => readText(bytes, name) },
    putTypes: async (types) => {
      const edit = { section: TYPES_SECTION, content: { types }, author: 'test' };
      const version = await database.transaction((tx) => publish(tx, edit));
      configured.edited();
      return version;
    },
    takeIn: (...files) =>
      takeIn(
        { database, boss, newId: () => uuid7(), blobs },
        files.map(({ name, text }) => ({
          name,
          bytes: typeof text === 'string' ? new TextEncoder().encode(text) : text,
        })),
        { source: 'api', actorId: 'key:test' },
      ),
    finish: async (...files) => {
      const taken = await desk.takeIn(...files);
      await workAll();
      return taken.map(({ id }) => id!);
    },
    work,
    workAll,
    start: async (one, order = {}) => {
      const { batch } = await startBatch(batches, {
        ...{ scope: { all: true }, mode: actions[one].modes[0]!, includeHuman: false, confirmCascade: true },
        ...{ action: actions[one], force: true, startedBy: 'key:test' },
        ...order,
      });
      return batch;
    },
    replay: async (one, order) => {
      const batch = await desk.start(one, order);
      await workAll();
      const { state, progress } = await readBatch(database, batch);
      if (state !== 'done') throw new Error(`the batch is ${state}`);
      return progress;
    },
    decide: async (id, judge, asked = {}) => {
      const { types } = await configured.types(database);
      const { revision } = await desk.document(id);
      const actorId = asked.actorId ?? 'key:moderator';
      return decideDocument(
        { database, boss, types },
        { id, expectedRevision: revision, actorId, ...asked },
        (document, now) => judge(document, types, { actorId, now }),
      );
    },
    remove: (id) => deleteDocument({ database, blobs }, { id, expectedRevision: null, actorId: 'key:moderator' }),
    document: async (id) => (await loadDocuments(database, [id]))[0]!,
    runs: async (id) =>
      ((await readRuns(database, [id])).get(id) ?? []).map(({ stage, cause, outcome, errorCode }) => ({
        ...{ stage, cause, outcome, code: errorCode },
      })),
    events: async (id) => {
      const { rows } = await database.query<{
        type: string;
        seq: number;
        origin: string;
        data: Record<string, unknown>;
      }>('select type, item_seq as seq, origin, data from outbox where item = $1 order by item_seq', [id]);
      return rows;
    },
  };
  return desk;
}

export { DISPATCH_STAGE, parseTypes };
