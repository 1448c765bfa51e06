import { outcomesOf } from './documents/accounts-of-documents.ts';
import { isDecided, type Moment, SPOKEN_AT } from './documents/interrupt.ts';
import { type Deed, type Interrupted, interruptedBatch } from './documents/interrupted-batch.ts';
import type { Office } from './documents/open-office.ts';
import type { Proof, ProofStage } from './proof.ts';

const VALUE = 777;
const EDIT: Deed = {
  name: 'a value',
  method: 'PATCH',
  path: '/fields',
  body: { expected_revision: 1, fields: { total: VALUE } },
};
const ACTIONS = ['re-extract', 're-classify'] as const;

export const proof: Proof = {
  claim:
    'people give a value at every point of a batch’s claim, while the model thinks too: the value stands, with its author',
  run: async (stage) => {
    const { url } = await stage.postgres();
    const each = stage.quick ? 2 : 8;
    const rows: unknown[][] = [];
    for (const action of ACTIONS) {
      const schema = action.replace('-', '_');
      await interruptedBatch(
        stage,
        url,
        schema,
        { action, deeds: [EDIT], moments: SPOKEN_AT, each },
        async (office, all) => {
          rows.push(...(await accountFor(stage, action, office, all)));
        },
      );
    }
    stage.table(
      'The person’s value',
      ['batch', 'at', 'documents', 'stands', 'with author', 'accepted', 'superseded', 'skipped'],
      rows,
    );
  },
};

/** What the batch's claim comes to when a person gave a value at that moment. */
function expectedOf(action: (typeof ACTIONS)[number], moment: Moment): string {
  if (isDecided(moment)) return 'accepted';
  const before = moment === 'queued' || moment === 'claimed';
  // Read again around the value that a person gave; not sorted again.
  if (before) return action === 're-extract' ? 'accepted' : 'skipped';
  return 'superseded';
}

async function accountFor(
  stage: ProofStage,
  action: (typeof ACTIONS)[number],
  office: Office,
  all: readonly Interrupted[],
): Promise<unknown[][]> {
  const totals = await readTotals(office);
  return SPOKEN_AT.map((moment) => {
    const cell = all.filter((one) => one.moment === moment);
    const values = cell.map(({ document }) => totals.get(document));
    const stands = values.filter((one) => one?.value === VALUE && one.source === 'human').length;
    const authored = values.filter((one) => one?.author !== null && one?.author === one?.decider).length;
    const outcomes = outcomesOf(cell.flatMap(({ runs }) => runs));
    const where = `${action}, ${moment}`;
    stage.equal([...new Set(cell.map(({ status }) => status))], [200], `${where}: answers to the person`);
    stage.equal([stands, authored], [cell.length, cell.length], `${where}: stands, with its author`);
    stage.equal(outcomes, { [expectedOf(action, moment)]: cell.length }, `${where}: outcomes`);
    const { accepted = 0, superseded = 0, skipped = 0 } = outcomes;
    return [action, moment, cell.length, stands, authored, accepted, superseded, skipped];
  });
}

interface Total {
  readonly value: number;
  readonly source: string;
  readonly author: string | null;
  /** Who the register says decided about the document. */
  readonly decider: string;
}

async function readTotals({ house }: Office): Promise<Map<string, Total>> {
  const { rows } = await house.database.query<Total & { id: string }>(
    `select d.id, (f.value ->> 'value')::float8 as value, f.value ->> 'source' as source, f.edited_by as author,
            j.actor_id as decider
       from documents_document d
       join documents_field f on f.document = d.id and f.code = 'total'
       join journal j on j.item = d.id and j.actor = 'human' and j.reason = 'documents.fields_edited'`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}
