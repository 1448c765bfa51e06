import { defineMachine } from '../core/machine.ts';

/** One answer on its way through cleaning (specification §4). A replay moves nothing. */
export const sampleMachine = defineMachine({
  name: 'answers.sample',
  table: 'answers_sample',
  states: ['pending', 'validating', 'valid', 'invalid', 'extracting', 'extracted', 'completed', 'failed'],
  initial: ['pending'],
  resting: ['completed', 'failed'],
  failed: ['failed'],
  edges: {
    pending: { validating: ['system'], failed: ['system'] },
    validating: { valid: ['system'], invalid: ['system'], failed: ['system'] },
    valid: { extracting: ['system'], failed: ['system'] },
    invalid: { completed: ['system'], failed: ['system'] },
    extracting: { extracted: ['system'], failed: ['system'] },
    extracted: { completed: ['system'], failed: ['system'] },
    // Redrive: back to the state that was reached.
    failed: {
      pending: ['human'],
      validating: ['human'],
      valid: ['human'],
      invalid: ['human'],
      extracting: ['human'],
      extracted: ['human'],
    },
  },
  stuckAfterSeconds: { pending: 1800, validating: 300, valid: 300, invalid: 300, extracting: 300, extracted: 300 },
});
