import { outcomesOf } from './documents/accounts-of-documents.ts';
import { isDecided, type Moment, SPOKEN_AT } from './documents/interrupt.ts';
import { type Deed, type Interrupted, interruptedBatch } from './documents/interrupted-batch.ts';
import type { Office } from './documents/open-office.ts';
import type { Proof, ProofStage } from './proof.ts';

/** Every paper was sorted as an invoice, and the batch would make a contract of it. */
const SAID: readonly (Deed & { readonly type: string })[] = ['receipt', 'invoice'].map((type) => ({
  name: type === 'invoice' ? 'what it is' : 'another type',
  type,
  method: 'POST',
  path: '/confirm',
  body: { expected_revision: 1, type },
}));

export const proof: Proof = {
  claim:
    'people confirm a type at every point of a batch’s claim, while the model thinks too: their word stands, and nothing is told after it',
  run: async (stage) => {
    const { url } = await stage.postgres();
    const each = stage.quick ? 2 : 8;
    await interruptedBatch(
      stage,
      url,
      'confirm',
      { action: 're-classify', deeds: SAID, moments: SPOKEN_AT, each },
      async (office, all) => accountFor(stage, office, all),
    );
  },
};

/** What the batch's claim comes to when a person spoke at that moment. */
function expectedOf({ name }: Deed, moment: Moment): string {
  if (isDecided(moment)) return 'accepted';
  // Confirmed as it was: the claim sees it when it loads. With another type it is another content before, and out of scope after.
  if (name === 'what it is') return moment === 'queued' || moment === 'claimed' ? 'skipped' : 'superseded';
  return moment === 'loaded' ? 'skipped' : 'superseded';
}

async function accountFor(stage: ProofStage, office: Office, all: readonly Interrupted[]): Promise<void> {
  const shown = await readShown(office);
  const rows = SAID.flatMap((deed) =>
    SPOKEN_AT.map((moment) => {
      const cell = all.filter((one) => one.deed.name === deed.name && one.moment === moment);
      const states = cell.map(({ document }) => shown.get(document)!);
      const stands = states.filter(({ type, confirmed }) => type === deed.type && confirmed).length;
      const late = states.reduce((sum, one) => sum + one.late, 0);
      const told = states.filter(({ told: newest }) => newest === deed.type).length;
      const outcomes = outcomesOf(cell.flatMap(({ runs }) => runs));
      const where = `${deed.name}, ${moment}`;
      stage.equal([...new Set(cell.map(({ status }) => status))], [200], `${where}: answers to the person`);
      stage.equal([stands, told, late], [cell.length, cell.length, 0], `${where}: stands, told last, told later`);
      stage.equal(outcomes, { [expectedOf(deed, moment)]: cell.length }, `${where}: outcomes`);
      const { accepted = 0, superseded = 0, skipped = 0 } = outcomes;
      return [deed.name, moment, cell.length, stands, accepted, superseded, skipped, late];
    }),
  );
  stage.table(
    'The person’s word',
    ['confirmed', 'at', 'documents', 'stands', 'accepted before', 'superseded', 'skipped', 'told after it'],
    rows,
  );
}

interface ShownType {
  readonly type: string;
  readonly confirmed: boolean;
  /** The type that the newest event says. */
  readonly told: string;
  /** Events of a machine's type in transactions behind the person's. */
  readonly late: number;
}

async function readShown({ house }: Office): Promise<Map<string, ShownType>> {
  const { rows } = await house.database.query<ShownType & { id: string }>(
    `select d.id, d.type, d.confirmed, told.type as told, late.n as late
       from documents_document d
       left join lateral (
         select data ->> 'type' as type from outbox
          where item = d.id and type = 'documents.document.classified' order by item_seq desc limit 1) told on true
       cross join lateral (
         select count(*) as n from outbox o
           join journal j on j.item = o.item and j.actor = 'human' and j.reason = 'documents.confirmed' and o.xid > j.xid
          where o.item = d.id and o.type = 'documents.document.classified') late`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}
