import { openPostgres } from '../../src/storage/postgres.ts';
import type { ProofStage } from '../proof.ts';
import { checkDocuments, type RunOfBatch, runsOf } from './accounts-of-documents.ts';
import { interrupter, type Moment } from './interrupt.ts';
import { type Office, openOffice } from './open-office.ts';
import { type Opinion, paper } from './papers.ts';

/** What a person does to a document. */
export interface Deed {
  readonly name: string;
  readonly method: string;
  /** Behind `/documents/{id}`. */
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A document, what was done to it and when, and what became of the batch's run of it. */
export interface Interrupted {
  readonly document: string;
  readonly deed: Deed;
  readonly moment: Moment;
  /** Of the answer to the person. */
  readonly status: number;
  /** What the batch's claims of it came to, in order. */
  readonly runs: readonly RunOfBatch[];
}

type Total = Opinion['total'];
/** Stands in one paper and in no other one. */
export const OWNER = 'Owner zebra-';
const ownerOf = (n: number): string => `${OWNER}${n}:`;
const passage = (n: number): string => `${ownerOf(n)} 10.00`;
const later = (n: number): string => `${ownerOf(n)} 12.00`;

/**
 * Ready invoices, edited types, a model that calls all of them contracts over 12.00 since, and a batch over them: at each
 * moment of its claims a person does each of the deeds to some of the documents.
 */
export async function interruptedBatch(
  stage: ProofStage,
  databaseUrl: string,
  schema: string,
  asked: {
    readonly action: string;
    readonly deeds: readonly Deed[];
    readonly moments: readonly Moment[];
    /** Documents for each deed and moment. */
    readonly each: number;
    readonly how?: Readonly<Record<string, unknown>>;
  },
  check: (office: Office, all: readonly Interrupted[], batch: string) => Promise<void>,
): Promise<void> {
  const { action, deeds, moments, each, how } = asked;
  const deedOf = new Map<string, Deed>();
  const statusOf = new Map<string, number>();
  let office: Office | undefined;
  // Who waits is looked up over a connection of its own: the house's may all be in use.
  const watch = openPostgres({ url: databaseUrl, schema, poolSize: 1 });
  const people = interrupter(
    async (document) => {
      const { method, path, body } = deedOf.get(document)!;
      const answer = await office!.ask(method, `/documents/${document}${path}`, body);
      statusOf.set(document, answer.status);
    },
    async () => {
      const { rows } = await watch.query<{ n: number }>(
        `select count(*) as n from pg_stat_activity
          where wait_event_type = 'Lock' and query like '%from documents_document where id = $1 for no key update%'`,
      );
      return rows[0]!.n > 0;
    },
  );
  office = await openOffice(stage, { databaseUrl, schema, workers: true, at: people.at, clock: people.clock });
  office.mock.log.subscribe(people.heard);
  try {
    const cells = deeds.flatMap((deed) => moments.map((moment) => ({ deed, moment })));
    const papers = Array.from({ length: cells.length * each }, (_, n) => paper(n, `${passage(n)}\n\n${later(n)}`));
    const opinions = (type: string, total: Total, shows: (n: number) => string) =>
      papers.map((_, n): Opinion => ({ about: ownerOf(n), type, total, shows: shows(n) }));
    await office.says(opinions('invoice', '10.00', passage));
    const ids = await office.takeIn(papers);
    await office.untilAtRest();
    await office.says(opinions('contract', '12.00', later), { latency_ms: 1 });
    await office.editTypes();
    // Neighbours are at different moments.
    const cellOf = new Map(ids.map((id, n) => [id, cells[n % cells.length]!]));
    for (const [id, { deed }] of cellOf) deedOf.set(id, deed);
    people.hold();
    const batch = await office.start(action, { all: true }, how);
    people.plan(batch, new Map([...cellOf].map(([document, { moment }]) => [document, moment])));
    await office.untilOver(batch);
    await office.untilAtRest();
    stage.equal(people.left(), 0, `${action}: documents that nobody acted on`);
    stage.check(people.waited() > 0, `${action}: nobody waited for a claim that held the document`);
    const runs = Map.groupBy(await runsOf(office.house.database, batch), ({ item }) => item);
    const all = [...cellOf].map(([document, { deed, moment }]) => ({
      ...{ document, deed, moment, status: statusOf.get(document) ?? 0 },
      runs: runs.get(document) ?? [],
    }));
    await check(office, all, batch);
    await checkDocuments(stage, office.house.database);
  } finally {
    await office.stop();
    await watch.close();
  }
}
