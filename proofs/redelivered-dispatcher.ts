import { quoteIdentifier } from '../src/storage/quote.ts';
import { checkDocuments, outcomesOf, type RunOfBatch, runsOf } from './documents/accounts-of-documents.ts';
import { type Office, openOffice } from './documents/open-office.ts';
import { paper } from './documents/papers.ts';
import { type Proof, type ProofStage, terminate } from './proof.ts';

const PAGE_SIZE = 10;

export const proof: Proof = {
  claim:
    'every job of a batch’s dispatcher is delivered twice, to one process and to two at the same moment: each document is visited once, no job is there twice',
  run: async (stage) => {
    const { url } = await stage.postgres();
    const pages = stage.quick ? 3 : 5;
    const rows = await Promise.all([1, 2].map((processes) => round(stage, url, processes, pages)));
    stage.table(
      'Batches',
      [
        'processes',
        'pages',
        'dispatcher jobs',
        'of them copies',
        'at once in two',
        'accepted',
        'superseded or skipped',
        'told to wait',
        'collided',
        'documents',
        'jobs of them',
        'visits',
        'accepted visits',
        'batch',
      ],
      rows,
    );
  },
};

async function round(stage: ProofStage, databaseUrl: string, processes: number, pages: number): Promise<unknown[]> {
  const schema = `redelivered_${processes}`;
  const office = await openOffice(stage, { databaseUrl, schema, workers: false, pageSize: PAGE_SIZE });
  try {
    await deliverTwice(office);
    const more: Record<string, string> = processes > 1 ? { MEET: '1' } : {};
    const workers = Array.from({ length: processes }, () =>
      stage.start('proofs/workers/replaying-worker.ts', [], { ...office.env, ...more }),
    );
    await office.takeIn(Array.from({ length: pages * PAGE_SIZE }, (_, n) => paper(n)));
    await office.untilAtRest();
    await office.says([{ type: 'contract' }], { latency_ms: 20 });
    await office.editTypes();
    const batch = await office.start('re-classify', { all: true });
    await office.untilOver(batch);
    const row = await accountFor(stage, office, batch, processes, pages);
    for (const worker of workers) stage.equal(await terminate(worker), 0, 'a worker ends with status');
    return row;
  } finally {
    await office.stop();
  }
}

/** A queue that delivers at least once: each job of a dispatcher has a copy that is its own. */
async function deliverTwice({ house }: Office): Promise<void> {
  const { schema } = house.database;
  const jobs = `${quoteIdentifier(`${schema}_jobs`)}.job`;
  await house.database.script(
    `create table meeting (id serial primary key, page int not null, process int not null, met boolean not null default false);
     create function deliver_twice() returns trigger language plpgsql as $$
     begin
       new.id := gen_random_uuid();
       new.data := new.data || '{"copy": true}';
       insert into ${jobs} select new.*;
       return null;
     end $$;
     create trigger deliver_twice after insert on ${jobs} for each row
       when (new.name = 'replay.dispatch' and not new.data ? 'copy') execute function deliver_twice()`,
  );
}

async function accountFor(
  stage: ProofStage,
  office: Office,
  batch: string,
  processes: number,
  pages: number,
): Promise<unknown[]> {
  const { database } = office.house;
  const jobs = `${quoteIdentifier(`${database.schema}_jobs`)}.job`;
  const count = pages * PAGE_SIZE;
  const { rows } = await database.query<Record<'dispatchers' | 'copies' | 'jobs' | 'items' | 'met', number>>(
    `select count(*) filter (where name = 'replay.dispatch') as dispatchers,
            count(*) filter (where name = 'replay.dispatch' and data ? 'copy') as copies,
            count(*) filter (where data ->> 'cause' = $1) as jobs,
            count(distinct data ->> 'item') filter (where data ->> 'cause' = $1) as items,
            (select count(distinct page) from meeting where met) as met
       from ${jobs}`,
    [batch],
  );
  const found = rows[0]!;
  const { rows: dispatched } = await database.query<RunOfBatch>(`select outcome from run where item = $1::uuid`, [
    batch,
  ]);
  const { accepted = 0, superseded = 0, skipped = 0, postponed = 0, lost = 0 } = outcomesOf(dispatched);
  const runs = await runsOf(database, batch);
  const visits = outcomesOf(runs);
  const { rows: batches } = await database.query<{ state: string; dispatched: number }>(
    'select state, dispatched from replay_batch',
  );
  const where = `${processes} processes`;
  stage.equal(accepted, pages + 1, `${where}: accepted claims of the dispatcher, one a page and one for the end`);
  stage.check(found.copies >= pages && superseded + skipped > 0, `${where}: ${found.copies} copies were delivered`);
  if (processes > 1)
    stage.check(found.met >= pages, `${where}: ${found.met} of ${pages} pages were asked for by two at once`);
  stage.equal([found.jobs, found.items], [count, count], `${where}: jobs, documents with jobs`);
  stage.equal([runs.length, visits], [count, { accepted: count }], `${where}: visits and their outcomes`);
  stage.equal(batches[0], { state: 'done', dispatched: count }, `${where}: the batch`);
  await checkDocuments(stage, database);
  return [
    ...[processes, pages, found.dispatchers, found.copies, found.met, accepted, superseded + skipped, postponed, lost],
    ...[found.items, found.jobs, runs.length, visits.accepted, batches[0]?.state],
  ];
}
