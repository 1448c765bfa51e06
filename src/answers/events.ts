import type { NewEvent } from '../core/outbox.ts';
import type { FindingDecision } from './finding.ts';
import type { ShownAnswer } from './overrule.ts';
import type { Sample } from './sample.ts';

interface Told {
  readonly validity: Pick<ShownAnswer['validity'], 'valid' | 'reason'>;
  readonly results: readonly { readonly brand_name: string; readonly is_mentioned: boolean }[];
}

const told = (sample: Sample, { validity, results }: Told) => ({
  clean_task_id: sample.cleanTaskId,
  batch_id: sample.batchId,
  platform: sample.platform,
  is_valid: validity.valid,
  invalid_reason: validity.reason,
  mentioned: results.filter((result) => result.is_mentioned).map((result) => result.brand_name),
});

/** A sample has a result: its first, or by a replay another one. */
export function completedEvent(sample: Sample, answer: Told, origin: NewEvent['origin']): NewEvent {
  return { type: 'answers.sample.completed', item: sample.id, origin, data: told(sample, answer) };
}

/** A person said something about a finding, or took it back; with the sample as it is since. */
export function decidedEvent(
  sample: Sample,
  answer: Told,
  { field, value, withdraw, ...place }: FindingDecision,
  brandName: string,
  revision: number,
): NewEvent {
  const about = {
    field,
    brand_name: brandName || null,
    match_position: 'match_position' in place ? place.match_position : null,
    value: withdraw ? null : value,
    withdrawn: withdraw === true,
    revision,
  };
  return {
    type: 'answers.finding.decided',
    item: sample.id,
    origin: 'live',
    data: { ...told(sample, answer), ...about },
  };
}
