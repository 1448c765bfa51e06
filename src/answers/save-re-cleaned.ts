import type { Machine } from '../core/machine.ts';
import { recordNotes } from '../core/note.ts';
import { recordEvents } from '../core/outbox.ts';
import type { Done } from '../jobs/stage.ts';
import type { Tx } from '../storage/database.ts';
import { completedEvent } from './events.ts';
import { currentFindings, setFindingsAside } from './findings.ts';
import { sampleMachine } from './machine.ts';
import { type MachineResult, overrule } from './overrule.ts';
import { keepVersions, writeVersions } from './result-versions.ts';
import type { Sample } from './sample.ts';
import { replaceResults } from './save-results.ts';

/**
 * Replaces the results of samples that were cleaned again, in the transaction that holds their rows: what was there is
 * kept as a version; what people said since stands over what the machine says now, unless it yields to this batch.
 */
export async function saveReCleaned(tx: Tx, done: readonly Done<Sample, MachineResult>[]): Promise<void> {
  await keepVersions(
    tx,
    done.map(({ item }) => item),
  );
  const decided = done.filter(({ item }) => item.revision > 1);
  if (decided.length) {
    await setFindingsAside(
      tx,
      decided.map(({ item, cause }) => ({ sample: item.id, batch: cause })),
    );
  }
  const findings = decided.length
    ? await currentFindings(
        tx,
        decided.map(({ item }) => item.id),
      )
    : new Map<string, never>();
  const written = done.map(({ result, ...one }) => {
    const said = findings.get(one.item.id) ?? [];
    return { ...one, result, said, answer: overrule(result, said) };
  });
  await writeVersions(
    tx,
    written
      .filter(({ said }) => said.length)
      .map(({ item, run, rulebookVersion, result }) => ({ sample: item.id, run, rulebookVersion, result })),
  );
  await replaceResults(tx, written);
  // Re-cleaning moves nothing, but the result of older brands must never come last.
  await recordNotes(
    tx,
    sampleMachine as unknown as Machine,
    done.map(({ item, run }) => ({ item: item.id, actor: 'system' as const, reason: 're-cleaned', run })),
  );
  await recordEvents(
    tx,
    written.map(({ item, answer }) => completedEvent(item, answer, 'replay')),
  );
}
