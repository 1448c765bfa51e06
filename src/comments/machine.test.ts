import { describe, expect, test } from 'vitest';
import { type Actor, type Machine, mayMove } from '../core/machine.ts';
import { type CommentState, commentMachine } from './machine.ts';
import { isVisibleState, VISIBLE_STATES } from './visible.ts';

const machine = commentMachine as unknown as Machine;
const ACTORS: readonly Actor[] = ['ai', 'system', 'human', 'author'];

/** Who may go from where to where, as the design has it. */
const EDGES: readonly (readonly [CommentState, CommentState, string])[] = [
  ['PENDING', 'APPROVED', 'ai human'],
  ['PENDING', 'REJECTED', 'ai human'],
  ['PENDING', 'AUDIT_FAILED', 'ai system'],
  ['AUDIT_FAILED', 'APPROVED', 'ai human'],
  ['AUDIT_FAILED', 'REJECTED', 'ai human'],
  ['AUDIT_FAILED', 'PENDING', 'human author'],
  ['APPROVED', 'AI_REPLYING', 'system'],
  ['AI_REPLYING', 'AI_REPLIED', 'ai'],
  ['AI_REPLYING', 'AI_REPLY_FAILED', 'ai system'],
  ['AI_REPLYING', 'APPROVED', 'system'],
  ['AI_REPLY_FAILED', 'AI_REPLYING', 'system human'],
  ['APPROVED', 'REJECTED', 'ai human'],
  ['AI_REPLYING', 'REJECTED', 'human'],
  ['AI_REPLIED', 'REJECTED', 'ai human'],
  ['AI_REPLY_FAILED', 'REJECTED', 'ai human'],
  ['REJECTED', 'APPROVED', 'ai human'],
  ['REJECTED', 'AI_REPLIED', 'ai human'],
  ['REJECTED', 'AI_REPLY_FAILED', 'ai human'],
  ['REJECTED', 'AUDIT_FAILED', 'human'],
  ...(['APPROVED', 'AI_REPLYING', 'AI_REPLIED', 'AI_REPLY_FAILED', 'REJECTED'] as const).map(
    (from) => [from, 'PENDING', 'author'] as const,
  ),
  ...commentMachine.states
    .filter((from) => from !== 'DELETED')
    .map((from) => [from, 'DELETED', 'human author'] as const),
];

describe('the machine of comments', () => {
  test('has the edges of the design and no others', () => {
    const expected = EDGES.flatMap(([from, to, who]) => who.split(' ').map((actor) => `${from} ${to} ${actor}`));
    const found = commentMachine.states.flatMap((from) =>
      commentMachine.states.flatMap((to) =>
        ACTORS.filter((actor) => mayMove(machine, from, to, actor)).map((actor) => `${from} ${to} ${actor}`),
      ),
    );
    expect(found.toSorted()).toEqual(expected.toSorted());
  });

  test('no edge leads from what is not shown to what is, but for AI that audited and people', () => {
    for (const from of commentMachine.states.filter((state) => !isVisibleState(state))) {
      for (const to of VISIBLE_STATES) {
        expect(['system', 'author'].filter((actor) => mayMove(machine, from, to, actor as Actor))).toEqual([]);
      }
    }
  });

  test('a replay moves between what rests only', () => {
    for (const [from, to] of commentMachine.replay ?? []) {
      expect(mayMove(machine, from, to, 'ai')).toBe(true);
      expect([from, to]).not.toContain('DELETED');
    }
  });
});
