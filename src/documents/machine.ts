import { defineMachine } from '../core/machine.ts';

/**
 * One file on its way to a type and fields. What a person said about one at rest sends it back to the step that follows
 * from it; a replay moves only between the two resting states that its result can decide about.
 */
export const documentMachine = defineMachine({
  name: 'documents.document',
  table: 'documents_document',
  states: [
    'uploaded',
    'extracting_text',
    'classifying',
    'extracting_fields',
    'ready',
    'in_review',
    'rejected',
    'failed',
    'deleted',
  ],
  initial: ['uploaded'],
  resting: ['ready', 'in_review', 'rejected', 'failed', 'deleted'],
  failed: ['failed'],
  edges: {
    uploaded: { extracting_text: ['system'], failed: ['system'], deleted: ['human'] },
    extracting_text: { classifying: ['system'], failed: ['system'], deleted: ['human'] },
    classifying: { extracting_fields: ['ai'], in_review: ['ai'], failed: ['ai'], deleted: ['human'] },
    extracting_fields: { ready: ['ai'], in_review: ['ai'], failed: ['ai'], deleted: ['human'] },
    ready: { in_review: ['ai', 'human'], extracting_fields: ['human'], deleted: ['human'] },
    in_review: {
      ready: ['ai', 'human'],
      rejected: ['human'],
      extracting_text: ['human'],
      classifying: ['human'],
      extracting_fields: ['human'],
      deleted: ['human'],
    },
    rejected: { in_review: ['human'], deleted: ['human'] },
    failed: {
      uploaded: ['human'],
      extracting_text: ['human'],
      classifying: ['human'],
      extracting_fields: ['human'],
      deleted: ['human'],
    },
    deleted: {},
  },
  replay: [
    ['ready', 'in_review'],
    ['in_review', 'ready'],
  ],
  stuckAfterSeconds: { uploaded: 1800, extracting_text: 300, classifying: 300, extracting_fields: 300 },
});
