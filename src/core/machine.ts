/** Who may take an edge. */
export type Actor = 'ai' | 'system' | 'human' | 'author';

export type EdgeTable<S extends string> = { readonly [From in S]?: { readonly [To in S]?: readonly Actor[] } };

export interface MachineDefinition<S extends string, E extends EdgeTable<S>> {
  /** `service.item`, as it stands in the journal. */
  readonly name: string;
  /** The table whose rows carry the state; its common columns are listed in `move.ts`. */
  readonly table: string;
  readonly initial: readonly S[];
  /** States in which an item may rest for ever. */
  readonly resting: readonly S[];
  /** States that mean "given up": the state an item came from is kept, so that a redrive can return to it. */
  readonly failed: readonly S[];
  readonly edges: E;
  /** Edges between resting states that an accepted result of a replay may take. */
  readonly replay?: readonly (readonly [S, S])[];
  /** Longest healthy stay, in seconds; the watchdog reports items that sit longer. */
  readonly stuckAfterSeconds: { readonly [State in S]?: number };
}

export interface Machine<S extends string = string, E extends EdgeTable<S> = EdgeTable<S>>
  extends MachineDefinition<S, E> {
  readonly states: readonly S[];
}

/** Every edge of a machine as a type: `{from: 'pending', to: 'completed'}` does not compile unless it is one. */
export type EdgeOf<M> =
  M extends MachineDefinition<infer _S, infer E>
    ? {
        [From in keyof E & string]: {
          [To in keyof E[From] & string]: { readonly from: From; readonly to: To };
        }[keyof E[From] & string];
      }[keyof E & string]
    : never;

export type StateOf<M> = M extends MachineDefinition<infer S, infer _E> ? S : never;

/**
 * Checks the definition and derives its list of states.
 * Throws a plain Error (a mistake of the programmer, found when the module is loaded) when an edge leads
 * nowhere, a state cannot be reached, or a state that is not resting has no way out.
 */
export function defineMachine<const S extends string, const E extends EdgeTable<S>>(
  definition: MachineDefinition<S, E> & { readonly states: readonly S[] },
): Machine<S, E> {
  const { name, states, initial, resting, edges } = definition;
  const known = new Set<string>(states);
  const targets = (from: S): S[] => Object.keys(edges[from] ?? {}) as S[];
  const wrong = (what: string): never => {
    throw new Error(`machine ${name}: ${what}`);
  };
  for (const state of [...initial, ...resting, ...definition.failed, ...(Object.keys(edges) as S[])]) {
    if (!known.has(state)) wrong(`'${state}' is not a state`);
  }
  for (const from of states) {
    for (const to of targets(from)) {
      if (!known.has(to)) wrong(`'${from}' leads to '${to}', which is not a state`);
      if (!edges[from]?.[to]?.length) wrong(`nobody may go from '${from}' to '${to}'`);
    }
    if (!targets(from).length && !resting.includes(from)) wrong(`'${from}' has no way out and is not a resting state`);
  }
  for (const [from, to] of definition.replay ?? []) {
    if (!edges[from]?.[to]) wrong(`'${from}' → '${to}' is marked for replay and is no edge`);
    if (!resting.includes(from) || !resting.includes(to)) wrong(`'${from}' → '${to}' does not lead from rest to rest`);
  }
  const reached = new Set<S>(initial);
  for (const state of reached) for (const to of targets(state)) reached.add(to);
  for (const state of states) if (!reached.has(state)) wrong(`'${state}' cannot be reached`);
  return definition;
}

/** Whether `actor` may take an item from one state to the other. */
export function mayMove(machine: Machine, from: string, to: string, actor: Actor): boolean {
  return machine.edges[from]?.[to]?.includes(actor) ?? false;
}

export type PathFault = { readonly at: number; readonly from: string | null; readonly to: string | null };

/**
 * Holds a history against the machine: the first row is a birth (`from` null, an initial state), each later row
 * starts where the one before ended, and is an edge.
 * @returns null when the history is a path of the machine, else the first place where it is not.
 */
export function findPathFault(
  machine: Machine,
  history: readonly { readonly from: string | null; readonly to: string | null; readonly actor: Actor }[],
): PathFault | null {
  let state: string | null = null;
  for (const [at, { from, to, actor }] of history.entries()) {
    const fine =
      to !== null &&
      (at === 0
        ? from === null && machine.initial.includes(to)
        : from !== null && from === state && mayMove(machine, from, to, actor));
    if (!fine) return { at, from, to };
    state = to;
  }
  return null;
}
