import type { AtPoint } from '../src/jobs/points.ts';
import { checkDocuments, outcomesOf, runsOf } from './documents/accounts-of-documents.ts';
import { type Office, openOffice } from './documents/open-office.ts';
import { paper } from './documents/papers.ts';
import type { Proof, ProofStage } from './proof.ts';

/** A page of a batch, as it was put. */
interface Page {
  readonly batch: string;
  readonly page: number;
  readonly dispatched: number;
  /** Documents of the scope that were at rest in it then. */
  readonly left: number;
}

const PAGE_SIZE = 100;

export const proof: Proof = {
  claim:
    'batches over documents that leave the scope by being processed (another type, out of review), in pages of 100: each is visited, and once',
  run: async (stage) => {
    const count = stage.quick ? 120 : 250;
    const pages: Page[] = [];
    const scopeOf = new Map<string, string>();
    let office: Office | undefined;
    const at: AtPoint = async (point, [item]) => {
      if (point !== 'settled' || office === undefined || !scopeOf.has(item ?? '')) return;
      const page = await readPage(office, item!, scopeOf.get(item!)!);
      if (page.dispatched > 0 && !pages.some((one) => one.batch === item && one.page === page.page)) pages.push(page);
    };
    office = await openOffice(stage, { workers: true, pageSize: PAGE_SIZE, at });
    try {
      await office.says([{ about: 'doubtful', type: 'invoice', confidence: 0.2 }, { type: 'invoice' }]);
      const sure = Array.from({ length: count }, (_, n) => paper(`s${n}`));
      const doubtful = Array.from({ length: count }, (_, n) => paper(`d${n}`, 'doubtful'));
      await office.takeIn(sure.flatMap((one, n) => [one, doubtful[n]!]));
      await office.untilAtRest();
      await office.says([{ about: 'doubtful', type: 'receipt' }, { type: 'contract' }]);
      await office.editTypes();
      const scopes = { "type = 'invoice'": { type: 'invoice' }, "state = 'in_review'": { review_queue: true } };
      for (const [sql, scope] of Object.entries(scopes)) {
        const inScope = await countInScope(office, sql);
        stage.equal(inScope, count, `documents with ${sql} before`);
        scopeOf.set(await office.start('re-classify', scope), sql);
      }
      for (const batch of scopeOf.keys()) await office.untilOver(batch);
      const rows: unknown[][] = [];
      for (const [batch, sql] of scopeOf) rows.push(await accountOf(stage, office, batch, sql, count));
      stage.table(
        'Pages',
        ['scope', 'page', 'ids so far', 'in scope when it was put'],
        pages
          .toSorted((a, b) => (a.batch < b.batch ? -1 : a.batch > b.batch ? 1 : a.page - b.page))
          .map(({ batch, page, dispatched, left }) => [scopeOf.get(batch), page, dispatched, left]),
      );
      stage.table(
        'Batches',
        [
          'scope',
          'in scope before',
          'visited',
          'visits of one at most',
          'accepted',
          'other outcomes',
          'in scope after',
        ],
        rows,
      );
      for (const batch of scopeOf.keys()) {
        const of = pages.filter((page) => page.batch === batch);
        stage.equal(of.length, Math.ceil(count / PAGE_SIZE), `pages of the batch over ${scopeOf.get(batch)}`);
        stage.check(of.at(-1)!.left < count, 'no document had left the scope when the last page was put');
      }
      await checkDocuments(stage, office.house.database);
    } finally {
      await office.stop();
    }
  },
};

async function countInScope({ house }: Office, sql: string): Promise<number> {
  const { rows } = await house.database.query<{ n: number }>(
    `select count(*) as n from documents_document where state in ('ready', 'in_review') and ${sql}`,
  );
  return rows[0]!.n;
}

async function readPage(office: Office, batch: string, sql: string): Promise<Page> {
  const { rows } = await office.house.database.query<{ page: number; dispatched: number }>(
    'select content_version - 1 as page, dispatched from replay_batch where id = $1',
    [batch],
  );
  return { batch, ...rows[0]!, left: await countInScope(office, sql) };
}

async function accountOf(
  stage: ProofStage,
  office: Office,
  batch: string,
  sql: string,
  count: number,
): Promise<unknown[]> {
  const runs = await runsOf(office.house.database, batch);
  const visits = Map.groupBy(runs, ({ item }) => item);
  const most = Math.max(...[...visits.values()].map((of) => of.length));
  const { accepted = 0, ...others } = outcomesOf(runs);
  const after = await countInScope(office, sql);
  stage.equal([visits.size, most, accepted, after], [count, 1, count, 0], `visited, most, accepted, left over ${sql}`);
  return [sql, count, visits.size, most, accepted, JSON.stringify(others), after];
}
