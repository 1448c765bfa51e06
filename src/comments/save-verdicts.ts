import type { Tx } from '../storage/database.ts';
import { storableJson } from '../text/storable.ts';
import type { Verdict } from './audit.ts';

export interface NewVerdict extends Verdict {
  readonly comment: string;
  readonly run: string;
  readonly contentVersion: number;
  readonly rulebookVersion: number | null;
  readonly cause: string;
}

/** Keeps what the machine said of content versions; only added to. */
export async function saveVerdicts(tx: Tx, verdicts: readonly NewVerdict[]): Promise<void> {
  for (const one of verdicts) {
    await tx.query(
      `insert into comments_verdict (comment, run, content_version, decision, reasons, made_by, model, rulebook_version, cause, at)
       values ($1, $2, $3, $4, $5::jsonb, $6, $7, $8, $9, now_here())`,
      [
        ...[one.comment, one.run, one.contentVersion, one.decision, storableJson(one.reasons), one.by, one.model],
        ...[one.rulebookVersion, one.cause],
      ],
    );
  }
}
