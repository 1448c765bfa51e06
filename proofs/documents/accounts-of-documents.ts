import type { Machine } from '../../src/core/machine.ts';
import { EXTRACT_FIELDS } from '../../src/documents/classify-stage.ts';
import { CLASSIFY, EXTRACT_TEXT } from '../../src/documents/extract-text-stage.ts';
import { documentMachine } from '../../src/documents/machine.ts';
import { stageOf } from '../../src/documents/replay-stage.ts';
import type { AnyDatabase } from '../../src/jobs/queue.ts';
import { findBreaches } from '../../test/harness/invariants.ts';
import type { ProofStage } from '../proof.ts';

export interface RunOfBatch {
  readonly item: string;
  readonly stage: string;
  readonly outcome: string;
  readonly code: string | null;
  readonly startedAt: Date;
  readonly endedAt: Date;
}

/** Every attempt that a batch caused, in order. */
export async function runsOf(database: AnyDatabase, batch: string): Promise<RunOfBatch[]> {
  const { rows } = await database.query<RunOfBatch>(
    `select item, stage, outcome, error_code as code, started_at as "startedAt", ended_at as "endedAt"
       from run where cause = $1 and cause not in ('live', 'edit') order by started_at, item, attempt`,
    [batch],
  );
  return rows;
}

/** How often each outcome occurs. */
export function outcomesOf(runs: readonly Pick<RunOfBatch, 'outcome'>[]): Readonly<Record<string, number>> {
  return Object.fromEntries([...Map.groupBy(runs, ({ outcome }) => outcome)].map(([name, of]) => [name, of.length]));
}

const STAGES = [
  ...[EXTRACT_TEXT, CLASSIFY, EXTRACT_FIELDS],
  ...(['re-read', 're-classify', 're-extract'] as const).map(stageOf),
];

/** Every document's journal is a path, runs are numbered without a gap, nothing is forgotten. */
export async function checkDocuments(stage: ProofStage, database: AnyDatabase): Promise<number> {
  const breaches = await findBreaches(database, documentMachine as unknown as Machine, STAGES);
  for (const breach of breaches) stage.check(false, breach);
  return breaches.length;
}
