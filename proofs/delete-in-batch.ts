import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { quoteIdentifier } from '../src/storage/quote.ts';
import { outcomesOf } from './documents/accounts-of-documents.ts';
import { isDecided, MOMENTS, type Moment } from './documents/interrupt.ts';
import { type Deed, type Interrupted, interruptedBatch, OWNER } from './documents/interrupted-batch.ts';
import type { Office } from './documents/open-office.ts';
import type { Proof, ProofStage } from './proof.ts';

const DELETION: Deed = { name: 'deletion', method: 'DELETE', path: '', body: {} };
const ACTIONS = { 're-classify': {}, 're-read': { confirm_cascade: true } } as const;
type Action = keyof typeof ACTIONS;

export const proof: Proof = {
  claim:
    'documents are deleted while a batch is about them, before their jobs and at every point of their claims: gone for everybody, nothing of them left in the tables of documents and among the files, and the batch ends',
  run: async (stage) => {
    const { url } = await stage.postgres();
    const each = stage.quick ? 2 : 8;
    const rows: unknown[][] = [];
    const places: unknown[][] = [];
    for (const action of Object.keys(ACTIONS) as Action[]) {
      const asked = { action, deeds: [DELETION], moments: MOMENTS, each, how: ACTIONS[action] };
      await interruptedBatch(stage, url, action.replace('-', '_'), asked, async (office, all) => {
        rows.push(...(await accountFor(stage, action, office, all)));
        places.push(...(await lookFor(stage, action, office)));
      });
    }
    stage.table(
      'Deleted documents',
      [
        'batch',
        'at',
        'documents',
        'answered 410',
        'accepted before',
        'superseded',
        'skipped',
        'jobs left',
        'files left',
      ],
      rows,
    );
    stage.table('Where their words were looked for', ['batch', 'place', 'rows', 'rows with their words'], places);
  },
};

/** What the batch's claim comes to when the document was deleted at that moment; null: there is none. */
function expectedOf(moment: Moment): string | null {
  if (moment === 'undispatched') return null;
  if (isDecided(moment)) return 'accepted';
  return ['queued', 'claimed', 'loaded'].includes(moment) ? 'skipped' : 'superseded';
}

async function accountFor(
  stage: ProofStage,
  action: Action,
  office: Office,
  all: readonly Interrupted[],
): Promise<unknown[][]> {
  const { database } = office.house;
  const rows: unknown[][] = [];
  for (const moment of MOMENTS) {
    const cell = all.filter((one) => one.moment === moment);
    const ids = cell.map(({ document }) => document);
    const gone = await Promise.all(
      ids.map(async (id) => {
        const paths = ['', '/text', '/file', '/runs', '/versions'];
        const answers = await Promise.all(paths.map((path) => office.ask('GET', `/documents/${id}${path}`)));
        return answers.every(({ status }) => status === 410);
      }),
    );
    const { rows: jobs } = await database.query<{ n: number }>(
      `select count(*) as n from ${quoteIdentifier(`${database.schema}_jobs`)}.job
        where state < 'completed' and data ->> 'item' = any($1::text[])`,
      [ids],
    );
    const files = ids.filter((id) => existsSync(join(office.env.SIGNALBOX_FILES!, 'documents', id))).length;
    const outcomes = outcomesOf(cell.flatMap(({ runs }) => runs));
    const expected = expectedOf(moment);
    const where = `${action}, ${moment}`;
    stage.equal([...new Set(cell.map(({ status }) => status))], [200], `${where}: answers to the person`);
    stage.equal(outcomes, expected === null ? {} : { [expected]: cell.length }, `${where}: outcomes`);
    const answered = gone.filter(Boolean).length;
    stage.equal([answered, jobs[0]!.n, files], [cell.length, 0, 0], `${where}: 410, jobs left, files left`);
    const { accepted = 0, superseded = 0, skipped = 0 } = outcomes;
    rows.push([action, moment, cell.length, answered, accepted, superseded, skipped, jobs[0]!.n, files]);
  }
  return rows;
}

/** Every table of the house and of its queue, and the folder of files: all documents of this office were deleted. */
async function lookFor(stage: ProofStage, action: Action, { house, env }: Office): Promise<unknown[][]> {
  const { database } = house;
  const { rows: tables } = await database.query<{ schema: string; name: string }>(
    `select schemaname::text as schema, tablename::text as name from pg_tables
      where schemaname = any($1::text[]) order by 1, 2`,
    [[database.schema, `${database.schema}_jobs`]],
  );
  const found: unknown[][] = [];
  for (const { schema, name } of tables) {
    const { rows } = await database.query<{ rows: number; hits: number }>(
      `select count(*) as rows, count(*) filter (where t::text like '%' || $1 || '%') as hits
         from ${quoteIdentifier(schema)}.${quoteIdentifier(name)} t`,
      [OWNER],
    );
    const { rows: all, hits } = rows[0]!;
    if (name.startsWith('documents_') || hits > 0) found.push([action, name, all, hits]);
    if (name.startsWith('documents_')) stage.equal(hits, 0, `${action}: words of deleted documents in ${name}`);
  }
  const files = readdirSync(env.SIGNALBOX_FILES!, { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  );
  stage.equal(files.length, 0, `${action}: files in the store`);
  found.push([action, 'the folder of files', files.length, files.length]);
  return found;
}
