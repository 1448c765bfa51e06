import type { AnyStage, Stage, StageItem } from '../../src/jobs/stage.ts';
import { LINE, lineMachine } from './machine.ts';

type LineStage = Stage<typeof lineMachine, StageItem, null, null>;

const common: Omit<LineStage, 'name' | 'from' | 'work'> = {
  machine: lineMachine,
  actor: 'system',
  batch: 100,
  // Of 2, 3, 4 and 8, four drained fastest on two cores.
  concurrency: 4,
  expireSeconds: 300,
  retry: { transient: () => 2, baseSeconds: 30, lost: 3 },
  givenUp: 'failed',
  // As the product's stages load their items: one index look-up an id, whatever the statistics say.
  load: async (on, ids) => {
    const { rows } = await on.query<StageItem>(
      `select s.id, s.state, s.version, s.content_version as "contentVersion" from unnest($1::uuid[]) as i(id)
        cross join lateral (select * from line_item t where t.id = i.id offset 0) s`,
      [ids],
    );
    return rows;
  },
  prepare: async () => ({ context: null, rulebookVersion: 1 }),
  save: async () => {},
  inputRef: () => null,
};

/** One claim walks all five edges, each stamped when it is taken; a batch settles in one transaction. */
export const walkingStage: LineStage = {
  ...common,
  name: 'bench.walk',
  from: LINE.map(({ from }) => from),
  work: (_item, { walk }) => {
    for (const edge of LINE) if (walk.state === edge.from) walk.take(edge);
    return null;
  },
};

/** Five stages of one edge, each with its own queue, claim, run and job: the last five hops of a relay. */
export const relayStages: readonly AnyStage[] = LINE.map((edge, n): LineStage => {
  const next = LINE[n + 1];
  return {
    ...common,
    name: `bench.${edge.from}`,
    from: [edge.from],
    work: (_item, { walk }) => {
      walk.take(edge);
      return null;
    },
    ...(next
      ? { after: ({ id, contentVersion }) => ({ next: [{ stage: `bench.${next.from}`, item: id, contentVersion }] }) }
      : {}),
  };
});
