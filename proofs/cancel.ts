import type { AtPoint } from '../src/jobs/points.ts';
import type { ScriptInput } from '../src/models/mock/index.ts';
import { type Account, accountOf, untilQuiet } from './documents/accounts-of-batch.ts';
import { checkDocuments } from './documents/accounts-of-documents.ts';
import { type HeldModel, holdModel } from './documents/hold-model.ts';
import { type Office, openOffice } from './documents/open-office.ts';
import { paper } from './documents/papers.ts';
import { type Proof, type ProofStage, until } from './proof.ts';

const PAGE_SIZE = 20;
const CAP = 4;
/** Questions that are answered before the model holds its answers: not even, so that it holds some of either kind. */
const ANSWERED = 17;

type Faults = ScriptInput['faults'];

/** What happens to a batch in its middle, with answers on their way. */
interface Scene {
  readonly what: string;
  readonly steps: readonly ('pause' | 'resume' | 'cancel')[];
  /** When its first page is read; else when answers are on their way. */
  readonly early?: true;
  /** What the answers on their way come to. */
  readonly faults?: Faults;
  /** The documents had failed: the batch puts them back to the step that they failed in. */
  readonly failed?: true;
}

const SCENES: readonly Scene[] = [
  { what: 'cancelled', steps: ['cancel'] },
  { what: 'cancelled; 429 on their way', steps: ['cancel'], faults: [{ kind: 'rate_limited', retry_after: 1 }] },
  { what: 'cancelled; 500 on their way', steps: ['cancel'], faults: [{ kind: 'server_error' }] },
  { what: 'cancelled as a page is put', steps: ['cancel'], early: true },
  { what: 'cancelled; of failed ones', steps: ['cancel'], failed: true },
  { what: 'paused, cancelled', steps: ['pause', 'cancel'] },
  { what: 'paused, resumed', steps: ['pause', 'resume'] },
];

export const proof: Proof = {
  claim:
    'a batch is cancelled in its middle: what is on its way ends, nothing more starts, what was done stays, the rest is as it was; a paused one adds nothing until it is resumed',
  run: async (stage) => {
    const model = holdModel();
    let reading: ((batch: string) => Promise<unknown>) | undefined;
    const at: AtPoint = async (point, [item]) => {
      if (point === 'worked' && reading !== undefined && item !== undefined) await reading(item);
    };
    const office = await openOffice(stage, { workers: true, pageSize: PAGE_SIZE, cap: CAP, clock: model.clock, at });
    try {
      const count = stage.quick ? 30 : 60;
      const rows: unknown[][] = [];
      for (const scene of SCENES) {
        const ids = await takeIn(office, scene, count);
        if (scene.early) {
          reading = (batch) => {
            reading = undefined;
            return office.api('POST', `/replay/${batch}/cancel`);
          };
        }
        rows.push(await play(stage, office, model, scene, ids));
      }
      stage.table(
        'Batches',
        [
          'in the middle',
          'documents',
          'done then',
          'on their way',
          'waiting',
          'not put',
          'done at last',
          'begun after it',
          'as they were',
          'outcomes',
          'batch',
        ],
        rows,
      );
      await checkDocuments(stage, office.house.database);
    } finally {
      model.release();
      await office.stop();
    }
  },
};

/** Documents at rest as invoices, or given up before they had a type. */
async function takeIn(office: Office, { what, failed }: Scene, count: number): Promise<string[]> {
  await office.says([{ type: 'invoice' }], failed ? { faults: [{ kind: 'bad_request' }] } : {});
  const ids = await office.takeIn(Array.from({ length: count }, (_, n) => paper(`${what} ${n}`)));
  await office.untilAtRest();
  return ids;
}

const AS_CONTRACTS = [{ type: 'contract' }] as const;

async function play(
  stage: ProofStage,
  office: Office,
  model: HeldModel,
  { what, steps, early, faults, failed }: Scene,
  ids: readonly string[],
): Promise<unknown[]> {
  const { database } = office.house;
  await office.says(AS_CONTRACTS, { latency_ms: 1 });
  await office.editTypes();
  if (!early) model.holdAfter(ANSWERED);
  const batch = await office.start('re-classify', { ids });
  if (!early) await untilHeld(model, what);
  if (faults) {
    // Whatever is asked next comes to this, and is held as well.
    await office.says(AS_CONTRACTS, { latency_ms: 1, faults });
    model.holdAfter(0);
    await untilHeld(model, what);
  }
  if (early) await office.untilOver(batch);
  const then = await accountOf(database, batch, ids);
  const [first, second] = steps;
  if (!early) await office.api('POST', `/replay/${batch}/${first}`);
  const { rows } = await database.query<{ at: Date }>('select clock_timestamp() as at');
  model.release();
  await office.says(AS_CONTRACTS);
  if (first === 'pause') {
    await untilQuiet(office, batch, what);
    const now = await accountOf(database, batch, ids);
    stage.equal(
      [now.done, now.dispatched],
      [then.dispatched, then.dispatched],
      `${what}: done, put while it was paused`,
    );
  }
  if (second) await office.api('POST', `/replay/${batch}/${second}`);
  await office.untilOver(batch);
  await untilQuiet(office, batch, what);
  const end = await accountOf(database, batch, ids, rows[0]!.at);
  check(stage, what, ids.length, then, end, {
    resumed: second === 'resume',
    paused: first === 'pause',
    failed,
    faults,
  });
  return [
    ...[what, ids.length, then.done, then.active, then.waiting, ids.length - then.dispatched],
    ...[end.done, end.begun, end.asTheyWere, JSON.stringify(end.outcomes), end.state],
  ];
}

const untilHeld = (model: HeldModel, what: string): Promise<void> =>
  until(`${what}: answers on their way`, 60, async () => model.held() === CAP, 10);

function check(
  stage: ProofStage,
  what: string,
  count: number,
  then: Account,
  end: Account,
  how: {
    readonly resumed: boolean;
    readonly paused: boolean;
    readonly failed?: true | undefined;
    readonly faults: Faults;
  },
): void {
  stage.equal(end.waiting + end.active, 0, `${what}: jobs in the end`);
  stage.equal(end.state, how.resumed ? 'done' : 'cancelled', `${what}: state of the batch`);
  stage.equal(end.twice, 0, `${what}: documents done twice`);
  if (how.resumed) {
    stage.equal(end.done, count, `${what}: done`);
    return;
  }
  // What waited when it was only paused went on; what comes to an error on its way is not done.
  const ended = how.paused ? then.dispatched : then.done + (how.faults ? 0 : then.active);
  stage.equal(end.done, ended, `${what}: done in the end`);
  stage.equal(how.paused ? 0 : end.begun, 0, `${what}: documents that were begun after it`);
  const touched = how.paused ? then.dispatched : then.begun;
  stage.equal(end.asTheyWere, count - touched, `${what}: documents that are as they were`);
}
