import type { PgBoss } from 'pg-boss';
import { uuid7 } from '../../src/core/ids.ts';
import { recordBirths } from '../../src/core/journal.ts';
import { defineMachine } from '../../src/core/machine.ts';
import { enqueue } from '../../src/jobs/enqueue.ts';
import type { Stage, StageItem } from '../../src/jobs/stage.ts';
import type { Database, Tx } from '../../src/storage/database.ts';

/** A machine for testing the core: two working states, a human who may overrule, an author who may edit. */
export const parcelMachine = defineMachine({
  name: 'test.parcel',
  table: 'parcel',
  states: ['new', 'checking', 'passed', 'rejected', 'failed'],
  initial: ['new'],
  resting: ['passed', 'rejected', 'failed'],
  failed: ['failed'],
  edges: {
    new: { checking: ['system'], passed: ['human'], rejected: ['human'], failed: ['system'], new: ['author'] },
    checking: { passed: ['system'], rejected: ['human'], failed: ['system'], new: ['author'] },
    passed: { rejected: ['human'], new: ['author'] },
    rejected: { passed: ['human'] },
    failed: { new: ['human'], checking: ['human'], rejected: ['human'] },
  },
  stuckAfterSeconds: { checking: 300 },
});

export interface Parcel extends StageItem {
  readonly revision: number;
  readonly content: string;
}

export const PARCEL_TABLES = `
create table parcel (
  id uuid primary key, state text not null, version integer not null, revision integer not null default 1,
  content_version integer not null default 1, reached text, state_since timestamptz not null, content text not null
);
create table parcel_result (item uuid not null, content_version integer not null, run uuid not null, result text not null,
  primary key (item, content_version));`;

export type ParcelStage = Stage<typeof parcelMachine, Parcel, string, null>;

/** A stage whose work is the test's; the rest is what a service would write. */
export function parcelStage(work: ParcelStage['work'], changes: Partial<ParcelStage> = {}): ParcelStage {
  return {
    name: 'test.check',
    machine: parcelMachine,
    from: ['new', 'checking'],
    actor: 'system',
    batch: 100,
    concurrency: 2,
    expireSeconds: 60,
    retry: { transient: () => 2, baseSeconds: 30, lost: 3 },
    givenUp: 'failed',
    load: async (on, ids) => {
      const { rows } = await on.query<Parcel>(
        `select id, state, version, revision, content_version as "contentVersion", content from parcel where id = any($1::uuid[])`,
        [ids],
      );
      return rows;
    },
    prepare: async () => ({ context: null, rulebookVersion: 1 }),
    work,
    save: async (tx, done) => {
      await tx.query(
        `insert into parcel_result (item, content_version, run, result) select * from unnest($1::uuid[], $2::int[], $3::uuid[], $4::text[])`,
        [
          done.map(({ item }) => item.id),
          done.map(({ item }) => item.contentVersion),
          done.map(({ run }) => run),
          done.map(({ result }) => result),
        ],
      );
    },
    inputRef: (item) => `parcel:${item.id}`,
    ...changes,
  };
}

/** The plain work: two edges and a result. */
export const passParcel: ParcelStage['work'] = (item, { walk }) => {
  if (walk.state === 'new') walk.take({ from: 'new', to: 'checking' });
  walk.take({ from: 'checking', to: 'passed' });
  return `passed ${item.content}`;
};

/** Inserts new parcels and enqueues them for the stage, in one transaction. */
export async function postParcels(
  database: Database,
  boss: PgBoss,
  contents: readonly string[],
  queue = 'test.check',
): Promise<string[]> {
  const ids = contents.map(() => uuid7());
  await database.transaction(async (tx) => {
    await insertParcels(tx, ids, contents);
    await enqueue(
      tx,
      boss,
      ids.map((item) => ({ queue, data: { item, cv: 1, cause: 'live' } })),
    );
  });
  return ids;
}

/** New parcels with their first journal row, for nobody to work on. */
export async function insertParcels(tx: Tx, ids: readonly string[], contents: readonly string[]): Promise<void> {
  await tx.query(
    `insert into parcel (id, state, version, state_since, content)
     select id, 'new', 1, now_here(), content from unnest($1::uuid[], $2::text[]) as p(id, content)`,
    [ids, contents],
  );
  await recordBirths(
    tx,
    parcelMachine,
    ids.map((item) => ({ item, state: 'new', actor: 'author' as const })),
  );
}
