import type { Stage } from '../jobs/stage.ts';
import { type Applied, applySorted } from './apply-result.ts';
import type { Configured } from './configured.ts';
import { type Document, isIncomplete, loadDocuments } from './document.ts';
import { classifiedEvent } from './events.ts';
import { CLASSIFY } from './extract-text-stage.ts';
import { documentMachine } from './machine.ts';
import { isTypeReason } from './review-reasons.ts';
import { saveShown } from './save-shown.ts';
import { sortText } from './sort-and-read.ts';
import { handOf, prepareSteps, type StepContext } from './stage-context.ts';
import { textOf } from './text-of.ts';

export const EXTRACT_FIELDS = 'documents.extract-fields';

/**
 * From a text to a type. A sure one leads on to its fields; an unsure answer rests with a person. An answer that is none
 * is an error: it is tried again, and in the end given up with what was there before untouched.
 */
export function classifyStage(
  configured: Configured,
): Stage<typeof documentMachine, Document, Omit<Applied, 'fieldsChanged'>, StepContext> {
  return {
    name: CLASSIFY,
    machine: documentMachine,
    from: ['classifying'],
    actor: 'ai',
    batch: 1,
    concurrency: 4,
    expireSeconds: 600,
    retry: { transient: () => 2, baseSeconds: 30, lost: 3 },
    givenUp: 'failed',
    load: loadDocuments,
    prepare: (on, items, causes) => prepareSteps(configured, on, items, causes),
    work: async (document, claim) => {
      const { walk, context } = claim;
      const text = textOf(context.text);
      const { types } = context.rules;
      const hand = handOf(document, claim);
      const others = context.examples.filter((example) => example.document !== document.id);
      const sorted = await sortText(text, types, others, hand);
      if (sorted.type === null) walk.take({ from: 'classifying', to: 'in_review' });
      else walk.take({ from: 'classifying', to: 'extracting_fields' });
      return applySorted(document, sorted, isIncomplete(text.pages));
    },
    save: (tx, done) =>
      saveShown(
        tx,
        done.map(({ item, result, run, cause, rulebookVersion }) => ({
          ...{ document: item.id, shown: result.shown, actor: 'ai' as const, run, cause, rulebookVersion },
        })),
      ),
    after: ({ id, contentVersion }, { shown, typeChanged }) => ({
      next: shown.reasons.some(isTypeReason) ? [] : [{ stage: EXTRACT_FIELDS, item: id, contentVersion }],
      events: typeChanged ? [classifiedEvent(id, shown, 'live')] : [],
    }),
    inputRef: ({ id, textVersion }) => `documents_text:${id}/${textVersion}`,
  };
}
