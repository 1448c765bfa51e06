import { sampleMachine } from '../../src/answers/index.ts';
import type { Machine } from '../../src/core/machine.ts';
import type { AnyDatabase } from '../../src/jobs/queue.ts';
import { findBreaches } from '../../test/harness/invariants.ts';
import type { ProofStage } from '../proof.ts';

export interface Tally {
  readonly samples: number;
  readonly completed: number;
  readonly failed: number;
  readonly results: number;
  readonly accepted: number;
  readonly skipped: number;
  readonly superseded: number;
  readonly lost: number;
  readonly deadLetters: number;
}

export async function tally(database: AnyDatabase): Promise<Tally> {
  const { rows } = await database.query<Tally>(
    `select (select count(*) from answers_sample) as samples,
            (select count(*) from answers_sample where state = 'completed') as completed,
            (select count(*) from answers_sample where state = 'failed') as failed,
            (select count(*) from clean_result where clean_state = 'completed') as results,
            (select count(*) from run where outcome = 'accepted') as accepted,
            (select count(*) from run where outcome = 'skipped') as skipped,
            (select count(*) from run where outcome = 'superseded') as superseded,
            (select count(*) from run where outcome = 'lost') as lost,
            (select count(*) from dead_letter where redriven_at is null) as "deadLetters"`,
  );
  return rows[0]!;
}

/** Every sample's journal is a path, runs are numbered without a gap, nothing is forgotten. */
export async function checkInvariants(stage: ProofStage, database: AnyDatabase): Promise<number> {
  const breaches = await findBreaches(database, sampleMachine as unknown as Machine, ['answers.clean']);
  for (const breach of breaches) stage.check(false, breach);
  return breaches.length;
}
