import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parcelMachine } from '../../test/harness/parcel.ts';
import { type Actor, defineMachine, findPathFault, type Machine, mayMove } from './machine.ts';

const ACTORS: readonly Actor[] = ['ai', 'system', 'human', 'author'];

describe('defineMachine', () => {
  const lamp = {
    name: 'test.lamp',
    table: 'lamp',
    states: ['off', 'on', 'broken'],
    initial: ['off'],
    resting: ['off', 'broken'],
    failed: ['broken'],
    edges: { off: { on: ['human'] }, on: { off: ['human'], broken: ['system'] } },
    stuckAfterSeconds: {},
  };
  const define = (changes: object) => () => defineMachine({ ...lamp, ...changes } as never);

  test('returns what it was given', () => {
    expect(define({})()).toEqual(lamp);
  });

  test.each([
    ['an initial state that is none', { initial: ['off', 'dim'] }, "'dim' is not a state"],
    ['a resting state that is none', { resting: ['off', 'broken', 'dim'] }, "'dim' is not a state"],
    ['a failed state that is none', { failed: ['dim'] }, "'dim' is not a state"],
    ['an edge from nowhere', { edges: { ...lamp.edges, dim: { on: ['human'] } } }, "'dim' is not a state"],
    ['an edge to nowhere', { edges: { ...lamp.edges, off: { on: ['human'], dim: ['human'] } } }, "leads to 'dim'"],
    ['an edge that nobody may take', { edges: { ...lamp.edges, off: { on: [] } } }, "nobody may go from 'off' to 'on'"],
    ['a working state without a way out', { resting: ['off'] }, "'broken' has no way out"],
    ['a state out of reach', { states: [...lamp.states, 'dim'], resting: [...lamp.resting, 'dim'] }, 'be reached'],
    ['a replay along what is no edge', { replay: [['off', 'broken']] }, "'off' → 'broken' is marked for replay"],
    ['a replay into a working state', { replay: [['off', 'on']] }, "'off' → 'on' does not lead from rest to rest"],
    ['no initial state', { initial: [] }, 'cannot be reached'],
  ])('refuses %s', (_, changes, message) => {
    expect(define(changes)).toThrow(`machine test.lamp: `);
    expect(define(changes)).toThrow(message);
  });
});

describe('mayMove', () => {
  test('knows edge, direction and actor', () => {
    expect(mayMove(parcelMachine, 'checking', 'passed', 'system')).toBe(true);
    expect(mayMove(parcelMachine, 'checking', 'passed', 'human')).toBe(false);
    expect(mayMove(parcelMachine, 'passed', 'checking', 'system')).toBe(false);
    expect(mayMove(parcelMachine, 'nowhere', 'passed', 'system')).toBe(false);
    expect(mayMove(parcelMachine, 'checking', 'nowhere', 'system')).toBe(false);
  });
});

/** A machine of up to seven states: a tree of edges makes each reachable, more edges and actors come by chance. */
const machines: fc.Arbitrary<Machine> = fc
  .record({
    parents: fc.array(fc.nat(), { minLength: 1, maxLength: 6 }),
    extra: fc.array(fc.tuple(fc.nat(6), fc.nat(6)), { maxLength: 8 }),
    actors: fc.infiniteStream(fc.subarray([...ACTORS], { minLength: 1 })),
    births: fc.nat(2),
  })
  .map(({ parents, extra, actors, births }) => {
    const states = Array.from({ length: parents.length + 1 }, (_, n) => `s${n}`);
    const edges: Record<string, Record<string, readonly Actor[]>> = {};
    const add = (from: number, to: number) => {
      edges[`s${from}`] ??= {};
      edges[`s${from}`]![`s${to}`] ??= actors.next().value;
    };
    for (const [n, parent] of parents.entries()) add(parent % (n + 1), n + 1);
    for (const [from, to] of extra) if (from < states.length && to < states.length) add(from, to);
    return defineMachine({
      name: 'test.chance',
      table: 'chance',
      states,
      initial: states.slice(0, 1 + births),
      resting: states,
      failed: [],
      edges,
      stuckAfterSeconds: {},
    }) as Machine;
  });

interface Row {
  readonly from: string | null;
  readonly to: string | null;
  readonly actor: Actor;
}

/** Walks the machine by the numbers given, one edge a number, as long as there is one. */
function walkBy(machine: Machine, choices: readonly number[]): Row[] {
  const [first = 0, ...others] = choices;
  let at = machine.initial[first % machine.initial.length]!;
  const history: Row[] = [{ from: null, to: at, actor: ACTORS[first % 4]! }];
  for (const choice of others) {
    const ways = machine.states.flatMap((to) =>
      ACTORS.filter((actor) => mayMove(machine, at, to, actor)).map((actor) => ({ from: at, to, actor })),
    );
    const way = ways[choice % (ways.length || 1)];
    if (!way) break;
    history.push(way);
    at = way.to;
  }
  return history;
}

/** What a path is, said another way: a chain whose every link is written in the list of edges. */
function isPath(machine: Machine, history: readonly Row[]): boolean {
  const links = new Set<string>();
  for (const [from, targets] of Object.entries(machine.edges)) {
    for (const [to, actors] of Object.entries(targets ?? {})) {
      for (const actor of actors ?? []) links.add(JSON.stringify([from, to, actor]));
    }
  }
  return history.every(({ from, to, actor }, n) =>
    n === 0
      ? from === null && machine.initial.some((state) => state === to)
      : from === history[n - 1]!.to && links.has(JSON.stringify([from, to, actor])),
  );
}

const choices = fc.array(fc.nat(), { minLength: 1, maxLength: 12 });

/** One change of a history: a row left out, doubled or moved, or one of its fields replaced. */
const mutations = fc.record({
  kind: fc.constantFrom('drop', 'double', 'swap', 'from', 'to', 'actor', 'unborn'),
  place: fc.nat(),
  value: fc.nat(),
});

function mutate(machine: Machine, history: readonly Row[], mutation: { kind: string; place: number; value: number }) {
  const place = mutation.place % history.length;
  const row = history[place]!;
  const states = [...machine.states, 'nowhere', null];
  const state = states[mutation.value % states.length]!;
  switch (mutation.kind) {
    case 'drop':
      return history.toSpliced(place, 1);
    case 'double':
      return history.toSpliced(place, 0, row);
    case 'swap':
      return history.toSpliced(place, 1).toSpliced(mutation.value % history.length, 0, row);
    case 'from':
      return history.with(place, { ...row, from: state });
    case 'to':
      return history.with(place, { ...row, to: state });
    case 'actor':
      return history.with(place, { ...row, actor: ACTORS[mutation.value % 4]! });
    default:
      return history.slice(1);
  }
}

describe('findPathFault', () => {
  test('accepts every walk that mayMove allows', () => {
    fc.assert(
      fc.property(machines, choices, (machine, numbers) => {
        expect(findPathFault(machine, walkBy(machine, numbers))).toBeNull();
      }),
    );
  });

  test('finds every change that leaves the path, at the first row that is wrong', () => {
    let broken = 0;
    fc.assert(
      fc.property(machines, choices, mutations, (machine, numbers, mutation) => {
        const changed = mutate(machine, walkBy(machine, numbers), mutation);
        const fault = findPathFault(machine, changed);
        if (isPath(machine, changed)) {
          expect(fault).toBeNull();
          return;
        }
        broken += 1;
        expect(fault).not.toBeNull();
        const { at, from, to } = fault!;
        expect({ from, to }).toEqual({ from: changed[at]!.from, to: changed[at]!.to });
        expect(isPath(machine, changed.slice(0, at))).toBe(true);
        expect(isPath(machine, changed.slice(0, at + 1))).toBe(false);
      }),
      { numRuns: 300 },
    );
    // Most changes break a path; were it otherwise, the property would say little.
    expect(broken).toBeGreaterThan(100);
  });

  test('a path may be empty', () => {
    expect(findPathFault(parcelMachine, [])).toBeNull();
  });
});
