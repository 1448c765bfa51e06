import { defineMachine } from '../core/machine.ts';

/** One event on its way to one target. */
export const messageMachine = defineMachine({
  name: 'delivery.message',
  table: 'delivery_message',
  states: ['pending', 'sending', 'waiting', 'delivered', 'exhausted'],
  initial: ['pending'],
  resting: ['delivered', 'exhausted'],
  failed: ['exhausted'],
  edges: {
    pending: { sending: ['system'], exhausted: ['system'] },
    sending: { delivered: ['system'], waiting: ['system'], exhausted: ['system'] },
    waiting: { sending: ['system'], exhausted: ['system'] },
    exhausted: { pending: ['human'] },
  },
  stuckAfterSeconds: { pending: 900, sending: 300, waiting: 3600 },
});
