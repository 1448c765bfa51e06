import { defineMachine } from '../core/machine.ts';

/**
 * One comment: audited, shown, perhaps answered; a person may overrule at any moment, its author may change it. The names
 * of the states are the specification's. A comment of the site's owner, an AI reply and an imported one are born in the
 * state they are in.
 */
export const commentMachine = defineMachine({
  name: 'comments.comment',
  table: 'comments_comment',
  states: [
    'PENDING',
    'APPROVED',
    'REJECTED',
    'AUDIT_FAILED',
    'AI_REPLYING',
    'AI_REPLIED',
    'AI_REPLY_FAILED',
    'DELETED',
  ],
  initial: ['PENDING', 'APPROVED', 'REJECTED', 'AUDIT_FAILED', 'AI_REPLIED', 'AI_REPLY_FAILED', 'DELETED'],
  resting: ['APPROVED', 'REJECTED', 'AUDIT_FAILED', 'AI_REPLIED', 'AI_REPLY_FAILED', 'DELETED'],
  failed: ['AUDIT_FAILED', 'AI_REPLY_FAILED'],
  edges: {
    PENDING: {
      APPROVED: ['ai', 'human'],
      REJECTED: ['ai', 'human'],
      AUDIT_FAILED: ['ai', 'system'],
      DELETED: ['author', 'human'],
    },
    AUDIT_FAILED: {
      APPROVED: ['ai', 'human'],
      REJECTED: ['ai', 'human'],
      PENDING: ['human', 'author'],
      DELETED: ['author', 'human'],
    },
    // Of what is shown and rests, AI takes away only in a replay.
    APPROVED: {
      AI_REPLYING: ['system'],
      REJECTED: ['ai', 'human'],
      PENDING: ['author'],
      DELETED: ['author', 'human'],
    },
    AI_REPLYING: {
      AI_REPLIED: ['ai'],
      AI_REPLY_FAILED: ['ai', 'system'],
      // No reply is wanted any more: a cap, the budget, the site's switch.
      APPROVED: ['system'],
      REJECTED: ['human'],
      PENDING: ['author'],
      DELETED: ['author', 'human'],
    },
    AI_REPLIED: { REJECTED: ['ai', 'human'], PENDING: ['author'], DELETED: ['author', 'human'] },
    AI_REPLY_FAILED: {
      AI_REPLYING: ['system', 'human'],
      REJECTED: ['ai', 'human'],
      PENDING: ['author'],
      DELETED: ['author', 'human'],
    },
    // Back to the resting state that it was taken from; one that was never shown goes on to be shown, or to the queue.
    REJECTED: {
      APPROVED: ['ai', 'human'],
      AI_REPLIED: ['ai', 'human'],
      AI_REPLY_FAILED: ['ai', 'human'],
      AUDIT_FAILED: ['human'],
      PENDING: ['author'],
      DELETED: ['author', 'human'],
    },
    DELETED: {},
  },
  replay: [
    ['APPROVED', 'REJECTED'],
    ['AI_REPLIED', 'REJECTED'],
    ['AI_REPLY_FAILED', 'REJECTED'],
    ['REJECTED', 'APPROVED'],
    ['REJECTED', 'AI_REPLIED'],
    ['REJECTED', 'AI_REPLY_FAILED'],
    ['AUDIT_FAILED', 'APPROVED'],
    ['AUDIT_FAILED', 'REJECTED'],
  ],
  stuckAfterSeconds: { PENDING: 1800, AI_REPLYING: 1800 },
});

export type CommentState = (typeof commentMachine.states)[number];
