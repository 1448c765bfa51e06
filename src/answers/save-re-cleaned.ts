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
  await noteReCleaning(tx, done);
  await recordEvents(
    tx,
    written.map(({ item, answer }) => completedEvent(item, answer, 'replay')),
  );
}

/**
 * Re-cleaning moves nothing, but it counts a version: another run that read the sample before is superseded, so that
 * the result of older brands never comes last.
 */
async function noteReCleaning(tx: Tx, done: readonly Done<Sample, MachineResult>[]): Promise<void> {
  await tx.query(
    `with input as materialized (
       select i.id, i.run from unnest($1::uuid[], $2::uuid[]) as i(id, run) order by i.id
     ), noted as (
       update answers_sample t set version = t.version + 1 from input i where t.id = i.id
       returning t.id, t.version, t.state, i.run
     )
     insert into journal (at, machine, item, kind, version, from_state, actor, reason, run)
     select now_here(), $3, id, 'note', version, state, 'system', 're-cleaned', run from noted`,
    [done.map(({ item }) => item.id), done.map(({ run }) => run), sampleMachine.name],
  );
}
