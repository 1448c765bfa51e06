import { describe, expect, test } from 'vitest';
import { parcelMachine } from '../../test/harness/parcel.ts';
import { beginWalk } from './walk.ts';

describe('a walk', () => {
  const at = (state: string, clockMs: () => number = () => 0) => beginWalk(parcelMachine, state, 'system', clockMs);

  test('stamps each edge when it is taken and tells its age later', () => {
    let now = 1_000;
    const walk = at('new', () => now);
    walk.take({ from: 'new', to: 'checking' });
    now = 1_250.5;
    walk.take({ from: 'checking', to: 'passed' });
    expect(walk.state).toBe('passed');
    expect(walk.steps(1_300)).toEqual([
      { from: 'new', to: 'checking', ageMs: 300 },
      { from: 'checking', to: 'passed', ageMs: 49.5 },
    ]);
  });

  test('no age is negative', () => {
    const walk = at('new', () => 500);
    walk.take({ from: 'new', to: 'checking' });
    expect(walk.steps(400)).toEqual([{ from: 'new', to: 'checking', ageMs: 0 }]);
  });

  test('takes no edge from a state that the item is not in, and stays where it is', () => {
    const walk = at('new');
    expect(() => walk.take({ from: 'checking', to: 'passed' })).toThrow(
      "machine test.parcel: system may not go from 'checking' to 'passed' while in 'new'",
    );
    expect(walk.state).toBe('new');
    expect(walk.steps(0)).toEqual([]);
    walk.take({ from: 'new', to: 'checking' });
    expect(() => walk.take({ from: 'new', to: 'checking' })).toThrow("while in 'checking'");
    expect(walk.steps(0)).toHaveLength(1);
  });

  test("takes no edge that is somebody else's", () => {
    const walk = at('checking');
    expect(() => walk.take({ from: 'checking', to: 'rejected' })).toThrow('system may not go');
    expect(walk.state).toBe('checking');
  });

  test('an edge that is none does not compile', () => {
    const walk = at('passed');
    // @ts-expect-error no edge leads from there to here
    expect(() => walk.take({ from: 'passed', to: 'checking' })).toThrow('system may not go');
    // @ts-expect-error a state that does not exist
    expect(() => walk.take({ from: 'passed', to: 'gone' })).toThrow('system may not go');
  });
});
