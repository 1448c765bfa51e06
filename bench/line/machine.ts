import { defineMachine } from '../../src/core/machine.ts';

/** An assembly line of five empty stages: what is measured is the moving, not the work. */
export const lineMachine = defineMachine({
  name: 'bench.line',
  table: 'line_item',
  states: ['new', 'first', 'second', 'third', 'fourth', 'done', 'failed'],
  initial: ['new'],
  resting: ['done', 'failed'],
  failed: ['failed'],
  edges: {
    new: { first: ['system'], failed: ['system'] },
    first: { second: ['system'], failed: ['system'] },
    second: { third: ['system'], failed: ['system'] },
    third: { fourth: ['system'], failed: ['system'] },
    fourth: { done: ['system'], failed: ['system'] },
    failed: { new: ['human'] },
  },
  stuckAfterSeconds: {},
});

/** The edges in order. */
export const LINE = [
  { from: 'new', to: 'first' },
  { from: 'first', to: 'second' },
  { from: 'second', to: 'third' },
  { from: 'third', to: 'fourth' },
  { from: 'fourth', to: 'done' },
] as const;

/** The columns that every item table has, and none of its own. */
export const LINE_TABLE = `
create table line_item (
  id uuid primary key, state text not null, version integer not null, revision integer not null default 1,
  content_version integer not null default 1, reached text, state_since timestamptz not null
);`;
