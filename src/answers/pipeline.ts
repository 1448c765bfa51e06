import type { RulebookVersion } from '../core/rulebook.ts';
import type { Walk } from '../core/walk.ts';
import { CodedError } from '../errors/coded-error.ts';
import type { Stage } from '../jobs/stage.ts';
import { CANCELLED, readOrders } from '../replay/index.ts';
import type { Queryable } from '../storage/database.ts';
import type { BrandTable } from './brands.ts';
import { brandsAtFirst, cleanAgain, inputOf } from './clean-again.ts';
import { checkValidity, measureAnswer, readAnswer, unmeasuredAnswer } from './clean-answer.ts';
import { compileBrands } from './compile-brands.ts';
import { completedEvent } from './events.ts';
import { sampleMachine } from './machine.ts';
import type { MachineResult } from './overrule.ts';
import { loadSamples, type Sample } from './sample.ts';
import { saveReCleaned } from './save-re-cleaned.ts';
import { saveFailures, saveResults } from './save-results.ts';
import type { RawAnswer } from './task.ts';

export const CLEAN_STAGE = 'answers.clean';
export const BRANDS_SECTION = 'answers.brands';
export type BrandsVersion = Pick<RulebookVersion, 'version'> & { readonly compiled: BrandTable };

export interface CleanDeps {
  /** The brands as they are now. */
  readonly brands: (on: Queryable) => Promise<BrandsVersion>;
  /** Reads the raw answers of a batch; what cannot be read is an error in its place. */
  readonly readRaw: (samples: readonly Sample[]) => Promise<ReadonlyMap<string, RawAnswer | Error>>;
}

export interface CleanContext {
  readonly brands: BrandTable;
  readonly raw: ReadonlyMap<string, RawAnswer | Error>;
  /** Of the batches that caused the claims. */
  readonly orders: Awaited<ReturnType<typeof readOrders>>;
}

/**
 * Cleaning: validity → recognition → measures → result. One claim walks all five states; a claim that finds its
 * sample halfway goes on from there. Everything in between is computing, so a batch settles together. A claim of a
 * batch of re-cleaning finds its sample completed, takes no edge and replaces the result.
 */
export function cleanStage(deps: CleanDeps): Stage<typeof sampleMachine, Sample, MachineResult, CleanContext> {
  return {
    name: CLEAN_STAGE,
    machine: sampleMachine,
    from: ['pending', 'validating', 'valid', 'invalid', 'extracting', 'extracted'],
    actor: 'system',
    batch: 100,
    concurrency: 2,
    expireSeconds: 300,
    // Specification §8: transient failures twice, 30 s apart; a task may name its own number.
    retry: { transient: (sample) => sample.maxCleanRetries, baseSeconds: 30, lost: 3 },
    givenUp: 'failed',
    replayFrom: ['completed'],
    load: loadSamples,
    prepare: async (on, samples, causes) => {
      const { version, compiled } = await deps.brands(on);
      const orders = await readOrders(on, causes);
      return { context: { brands: compiled, raw: await deps.readRaw(samples), orders }, rulebookVersion: version };
    },
    skip: (_sample, { cause, context }) => (context.orders.get(cause)?.cancelled ? CANCELLED : null),
    work: (sample, { walk, context }) => clean(sample, walk, context),
    save: async (tx, done) => {
      const [again, first] = partition(done, ({ item }) => isCleaned(item));
      if (first.length) await saveResults(tx, first);
      if (again.length) await saveReCleaned(tx, again);
    },
    saveGivenUp: saveFailures,
    // What people see of a re-cleaned sample may hold their own word: its event is written with it.
    after: (sample, { validity, results }) =>
      isCleaned(sample) ? {} : { events: [completedEvent(sample, { validity, results }, 'live')] },
    inputRef: (sample) => sample.rawDataUrl ?? `answers_raw:${sample.cleanTaskId}`,
  };
}

const isCleaned = ({ state }: Sample): boolean => state === 'completed';

function clean(sample: Sample, walk: Walk<typeof sampleMachine>, { brands, raw }: CleanContext): MachineResult {
  if (walk.state === 'pending') walk.take({ from: 'pending', to: 'validating' });
  const answer = raw.get(sample.id);
  if (answer === undefined)
    throw new CodedError('answers.raw_missing', 'permanent', 'the task has neither answer nor raw object');
  if (answer instanceof Error) throw answer;
  if (isCleaned(sample)) return cleanAgain(sample, answer, brands);
  const compiled = compileBrands(brandsAtFirst(sample, brands));
  const input = inputOf(sample, answer);
  const read = readAnswer(answer, compiled);
  const validity = checkValidity(read, input);
  if (walk.state === 'validating') {
    if (validity.valid) walk.take({ from: 'validating', to: 'valid' });
    else walk.take({ from: 'validating', to: 'invalid' });
  }
  if (walk.state === 'invalid') {
    walk.take({ from: 'invalid', to: 'completed' });
    return unmeasuredAnswer(validity, input, compiled);
  }
  if (walk.state === 'valid') walk.take({ from: 'valid', to: 'extracting' });
  const cleaned = measureAnswer(read, validity, input, compiled);
  if (walk.state === 'extracting') walk.take({ from: 'extracting', to: 'extracted' });
  walk.take({ from: 'extracted', to: 'completed' });
  return cleaned;
}

function partition<T>(list: readonly T[], is: (one: T) => boolean): [T[], T[]] {
  const [yes, no]: [T[], T[]] = [[], []];
  for (const one of list) (is(one) ? yes : no).push(one);
  return [yes, no];
}
