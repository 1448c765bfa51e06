import { uuid7 } from '../../src/core/ids.ts';
import type { Machine } from '../../src/core/machine.ts';
import { move } from '../../src/core/move.ts';
import { type NewRun, recordRuns } from '../../src/core/run.ts';
import { type NewDeadLetter, recordDeadLetters } from '../../src/jobs/dead-letter.ts';
import type { Database, Tx } from '../../src/storage/database.ts';
import { insertParcels, parcelMachine } from './parcel.ts';

const machine = parcelMachine as unknown as Machine;

/** A dead letter of a parcel, as a settlement would write it. */
export function letterFor(item: string, changes: Partial<NewDeadLetter> = {}): NewDeadLetter {
  return {
    id: uuid7(),
    machine: machine.name,
    item,
    stage: 'test.check',
    reached: 'checking',
    contentVersion: 1,
    cause: 'live',
    inputRef: `parcel:${item}`,
    code: 'test.broken',
    errorClass: 'permanent',
    message: 'it is broken',
    ...changes,
  };
}

/** A run of a parcel that failed. */
export function failedRun(item: string, changes: Partial<NewRun> = {}): NewRun {
  return {
    id: uuid7(),
    machine: machine.name,
    item,
    stage: 'test.check',
    contentVersion: 1,
    rulebookVersion: 1,
    cause: 'live',
    worker: 'worker',
    job: null,
    beganAgoMs: 0,
    endedAgoMs: 0,
    outcome: 'failed',
    error: { code: 'test.broken', errorClass: 'permanent', message: 'it is broken' },
    ...changes,
  };
}

/** Gives parcels up: the move, the run and the letter, as one settlement does. */
export async function giveUp(
  tx: Tx,
  items: readonly { readonly id: string; readonly version: number }[],
  changes: Partial<NewDeadLetter> = {},
): Promise<void> {
  await move(
    tx,
    machine,
    items.map(({ id, version }) => ({
      item: id,
      version,
      steps: [
        { from: 'new', to: 'checking' },
        { from: 'checking', to: 'failed' },
      ],
      actor: 'system',
    })),
  );
  const { contentVersion = 1 } = changes;
  await recordRuns(
    tx,
    items.map(({ id }) => failedRun(id, { contentVersion })),
  );
  await recordDeadLetters(
    tx,
    items.map(({ id }) => letterFor(id, changes)),
  );
}

/** New parcels that failed at once. */
export async function failedParcels(
  database: Database,
  count: number,
  changes: Partial<NewDeadLetter> = {},
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => uuid7());
  await database.transaction(async (tx) => {
    await insertParcels(
      tx,
      ids,
      ids.map(() => 'x'),
    );
    await giveUp(
      tx,
      ids.map((id) => ({ id, version: 1 })),
      changes,
    );
  });
  return ids;
}
