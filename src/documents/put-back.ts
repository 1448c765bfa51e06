import type { PgBoss } from 'pg-boss';
import { uuid5 } from '../core/ids.ts';
import type { Machine } from '../core/machine.ts';
import { move } from '../core/move.ts';
import { closeDeadLetters } from '../jobs/dead-letter.ts';
import { enqueue } from '../jobs/enqueue.ts';
import type { BatchOrder } from '../replay/index.ts';
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
