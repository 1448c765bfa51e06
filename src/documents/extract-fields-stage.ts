import { CodedError } from '../errors/coded-error.ts';
import type { Stage } from '../jobs/stage.ts';
import { type Applied, applyResult, restingState } from './apply-result.ts';
import { EXTRACT_FIELDS } from './classify-stage.ts';
import type { Configured, TypeRules } from './configured.ts';
import { type Document, isIncomplete, loadDocuments } from './document.ts';
import type { DocumentTypeRule } from './document-types.ts';
import { fieldsExtractedEvent, readyEvent } from './events.ts';
import { documentMachine } from './machine.ts';
import { saveShown } from './save-shown.ts';
import { readFields } from './sort-and-read.ts';
import { handOf, prepareSteps, type StepContext } from './stage-context.ts';
import { textOf } from './text-of.ts';

/** From a type to the values of its fields: ready, or a person's to look at where something is missing or doubtful. */
export function extractFieldsStage(
  configured: Configured,
): Stage<typeof documentMachine, Document, Applied, StepContext> {
  return {
    name: EXTRACT_FIELDS,
    machine: documentMachine,
    from: ['extracting_fields'],
    actor: 'ai',
    batch: 1,
    concurrency: 4,
    expireSeconds: 1800,
    retry: { transient: () => 2, baseSeconds: 30, lost: 3 },
    givenUp: 'failed',
    load: loadDocuments,
    prepare: (on, items, causes) => prepareSteps(configured, on, items, causes),
    work: async (document, claim) => {
      const { walk, context } = claim;
      const text = textOf(context.text);
      const type = typeOf(context.rules, document.type);
      const hand = handOf(document, claim);
      const fields = await readFields(text, type, hand);
      // What a person confirmed holds for the text as it is, read whole or not.
      const textIncomplete = !document.confirmed && isIncomplete(text.pages);
      const applied = applyResult(document, { type, fields, textIncomplete }, { mode: 'replace', includeHuman: false });
      if (restingState(applied.shown) === 'ready') walk.take({ from: 'extracting_fields', to: 'ready' });
      else walk.take({ from: 'extracting_fields', to: 'in_review' });
      return applied;
    },
    save: (tx, done) =>
      saveShown(
        tx,
        done.map(({ item, result, run, cause, rulebookVersion }) => ({
          ...{ document: item.id, shown: result.shown, unused: result.unused, actor: 'ai' as const },
          ...{ run, cause, rulebookVersion },
        })),
      ),
    after: ({ id }, { shown, fieldsChanged }) => ({
      events: [
        ...(fieldsChanged ? [fieldsExtractedEvent(id, shown, 'live')] : []),
        ...(restingState(shown) === 'ready' ? [readyEvent(id, shown.type, 'live')] : []),
      ],
    }),
    inputRef: ({ id, textVersion }) => `documents_text:${id}/${textVersion}`,
  };
}

/** Throws `documents.type_gone` (permanent) for a type that the rulebook does not have any more. */
export function typeOf({ types, version }: TypeRules, code: string | null): DocumentTypeRule {
  const type = types.find((one) => one.code === code);
  if (type) return type;
  throw new CodedError('documents.type_gone', 'permanent', `version ${version} of the types has no '${code}'`);
}
