import type { PgBoss } from 'pg-boss';
import { uuid5 } from '../core/ids.ts';
import { type Machine, mayMove } from '../core/machine.ts';
import { move } from '../core/move.ts';
import { closeDeadLetters, reopenDeadLetters } from '../jobs/dead-letter.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { type BatchOrder, CANCELLED, type ReplayItem } from '../replay/index.ts';
import type { Tx } from '../storage/database.ts';
import { EXTRACT_FIELDS } from './classify-stage.ts';
import { CLASSIFY, EXTRACT_TEXT } from './extract-text-stage.ts';
import { documentMachine } from './machine.ts';

/** The stage that goes on from each working state. */
export const STAGE_OF_STATE: Readonly<Record<string, string>> = {
  uploaded: EXTRACT_TEXT,
  extracting_text: EXTRACT_TEXT,
  classifying: CLASSIFY,
  extracting_fields: EXTRACT_FIELDS,
};

/** Puts documents that were given up back to the step that they had reached, in the name of a batch. */
export async function putFailedBack(
  tx: Tx,
  boss: PgBoss,
  ids: readonly string[],
  { batch, startedBy }: Pick<BatchOrder, 'batch' | 'startedBy'>,
): Promise<void> {
  if (!ids.length) return;
  const { rows } = await tx.query<{ id: string; version: number; cv: number; reached: string }>(
    `select id, version, content_version as cv, reached from documents_document
      where id = any($1::uuid[]) and state = 'failed' order by id`,
    [ids],
  );
  const back = rows.filter(({ reached }) => STAGE_OF_STATE[reached] !== undefined);
  const { moved } = await move(
    tx,
    documentMachine as unknown as Machine,
    back.map(({ id, version, reached }) => ({
      ...{ item: id, version, actor: 'human' as const, actorId: startedBy, reason: 'replay' },
      steps: [{ from: 'failed', to: reached }],
    })),
  );
  const gone = back.filter(({ id }) => moved.has(id));
  await enqueue(
    tx,
    boss,
    gone.map(({ id, cv, reached }) => ({
      queue: STAGE_OF_STATE[reached]!,
      id: uuid5(batch, id, 'failed'),
      data: { item: id, cv, cause: batch, lane: 'batch' as const },
    })),
  );
  await closeDeadLetters(
    tx,
    gone.map(({ id }) => id),
    startedBy,
  );
}

/** Gives documents up again that were put back to a step and not begun, each with the letter that it had. */
export async function giveUpAgain(tx: Tx, items: readonly ReplayItem[]): Promise<void> {
  const { rows } = await tx.query<{ id: string; version: number; state: string }>(
    `select d.id, d.version, d.state from documents_document d
       join unnest($1::uuid[], $2::int[]) as i(id, cv) on i.id = d.id and i.cv = d.content_version
      where d.state = any($3::text[]) order by d.id for no key update of d`,
    [items.map(({ id }) => id), items.map(({ contentVersion }) => contentVersion), Object.keys(STAGE_OF_STATE)],
  );
  const machine = documentMachine as unknown as Machine;
  const { moved } = await move(
    tx,
    machine,
    rows.map(({ id, version, state }) => ({
      ...{ item: id, version, reason: CANCELLED, steps: [{ from: state, to: 'failed' }] },
      actor: mayMove(machine, state, 'failed', 'system') ? ('system' as const) : ('ai' as const),
    })),
  );
  await reopenDeadLetters(tx, [...moved.keys()]);
}
