import type { ChildProcess } from 'node:child_process';
import { quoteIdentifier } from '../src/storage/quote.ts';
import { checkDocuments, outcomesOf, runsOf } from './documents/accounts-of-documents.ts';
import { type Office, openOffice } from './documents/open-office.ts';
import { paper } from './documents/papers.ts';
import { kill, type Proof, type ProofStage, sleep, terminate, until } from './proof.ts';

const PAGES = 5;
const PAGE_SIZE = 7;
const DOCUMENTS = PAGES * PAGE_SIZE;

/** Where a worker kills itself, as soon as two of five pages are put; null: it is killed from outside, three times. */
const CUTS: readonly (readonly [what: string, dieAt: string | null])[] = [
  ['right after page 2', 'batch settled 2'],
  ['page 3 is asked for', 'batch loaded 2'],
  ['page 3 is written', 'batch settle.enqueued 2'],
  ['an answer has come', 'document worked 2'],
  ['a result is written', 'document settle.saved 2'],
  ['a document is done', 'document settled 2'],
  ['any moment, three times', null],
];
const QUICK = 3;

export const proof: Proof = {
  claim: `a worker is killed with kill -9 when 2 of ${PAGES} pages of a batch are put, at ${CUTS.length} different points, and another one goes on: the batch ends, every document is done once`,
  run: async (stage) => {
    const { url } = await stage.postgres();
    const cuts = stage.quick ? CUTS.slice(0, QUICK) : CUTS;
    const rows = await Promise.all(cuts.map(([what, dieAt], n) => round(stage, url, `kill_${n}`, what, dieAt)));
    stage.table(
      'Batches',
      [
        'killed when',
        'kills',
        'pages put then',
        'claims lost',
        'pages',
        'documents',
        'jobs',
        'accepted',
        'accepted twice',
        'batch',
      ],
      rows,
    );
  },
};

async function round(
  stage: ProofStage,
  databaseUrl: string,
  schema: string,
  what: string,
  dieAt: string | null,
): Promise<unknown[]> {
  const office = await openOffice(stage, { databaseUrl, schema, workers: false, pageSize: PAGE_SIZE, poolSize: 3 });
  const pagesThen: number[] = [];
  let worker: ChildProcess | undefined;
  let over = false;
  const start = (more: Record<string, string>) => {
    const child = stage.start('proofs/workers/replaying-worker.ts', [], { ...office.env, ...more });
    worker = child;
    child.once('exit', (_code, signal) => {
      if (signal !== 'SIGKILL' || over) return;
      void readBatch(office).then(({ page }) => {
        pagesThen.push(page);
        start({});
      });
    });
  };
  try {
    start(dieAt === null ? {} : { DIE_AT: dieAt });
    await office.takeIn(Array.from({ length: DOCUMENTS }, (_, n) => paper(n)));
    await office.untilAtRest();
    await office.says([{ type: 'contract' }], { latency_ms: 100 });
    await office.editTypes();
    const batch = await office.start('re-classify', { all: true });
    const kills = dieAt === null ? 3 : 1;
    for (let n = 0; dieAt === null && n < kills; n += 1) {
      await until(
        `${what}: page 2`,
        120,
        async () => (await readBatch(office)).page >= 2 && pagesThen.length === n,
        20,
      );
      await sleep(stage.random() * 3_000);
      await kill(worker!);
    }
    await office.untilOver(batch);
    over = true;
    const row = await accountFor(stage, office, batch, what, kills, pagesThen);
    stage.equal(await terminate(worker!), 0, `${what}: the last worker ends with status`);
    return row;
  } finally {
    over = true;
    if (worker) await kill(worker);
    await office.stop();
  }
}

async function readBatch({ house }: Office): Promise<{ page: number; state: string }> {
  const { rows } = await house.database.query<{ page: number; state: string }>(
    'select content_version - 1 as page, state from replay_batch',
  );
  return rows[0] ?? { page: 0, state: '' };
}

async function accountFor(
  stage: ProofStage,
  office: Office,
  batch: string,
  what: string,
  kills: number,
  pagesThen: readonly number[],
): Promise<unknown[]> {
  const { database } = office.house;
  const runs = await runsOf(database, batch);
  const { accepted = 0, lost = 0 } = outcomesOf(runs);
  const byItem = Map.groupBy(
    runs.filter(({ outcome }) => outcome === 'accepted'),
    ({ item }) => item,
  );
  const twice = [...byItem.values()].filter(({ length }) => length > 1).length;
  const { rows } = await database.query<{ jobs: number; lost: number }>(
    `select count(distinct coalesce(source_root_id, id)) as jobs,
            (select count(*) from run where item = $1::uuid and outcome = 'lost') as lost
       from ${quoteIdentifier(`${database.schema}_jobs`)}.job where data ->> 'cause' = $2`,
    [batch, batch],
  );
  const { page, state } = await readBatch(office);
  stage.equal(pagesThen.length, kills, `${what}: kills`);
  stage.check(
    pagesThen.every((one) => one >= 2),
    `${what}: killed when ${pagesThen} pages were put`,
  );
  stage.equal([page, state], [PAGES, 'done'], `${what}: pages put, state of the batch`);
  stage.equal([byItem.size, accepted, twice], [DOCUMENTS, DOCUMENTS, 0], `${what}: done, accepted, accepted twice`);
  stage.check(lost + rows[0]!.lost > 0, `${what}: no claim was lost`);
  await checkDocuments(stage, database);
  return [
    ...[what, pagesThen.length, pagesThen.join(' '), lost + rows[0]!.lost, page, byItem.size, rows[0]!.jobs],
    ...[accepted, twice, state],
  ];
}
