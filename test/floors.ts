import { cruise, type IForbiddenRuleType } from 'dependency-cruiser';

/** The floors of the house, from the ground. Rooms on one floor do not know each other. */
export const FLOORS = [
  ['errors'],
  ['text'],
  ['storage'],
  ['core'],
  ['jobs'],
  ['net', 'models', 'replay'],
  ['delivery'],
  ['answers', 'comments', 'documents', 'radar'],
  ['accounts'],
  ['server'],
  ['cli'],
] as const;

/** A room may use what lies below it. */
function rules(root: string): IForbiddenRuleType[] {
  return FLOORS.flatMap((floor, height) =>
    floor.map((room) => {
      const neighbours = floor.filter((other) => other !== room);
      const above = [...FLOORS.slice(height + 1).flat(), ...neighbours];
      return {
        name: `${room} stands on floor ${height}`,
        severity: 'error' as const,
        from: { path: `^${root}/${room}/` },
        to: { path: `^${root}/(${above.join('|')}|main\\.ts)(/|$)` },
      };
    }),
  ).filter(({ to }) => to.path !== `^${root}/()/`);
}

export interface FloorReport {
  readonly modules: number;
  readonly dependencies: number;
  readonly violations: readonly string[];
}

/** Reads every import below `root` (a folder of the repository) and names those that go up or sideways. */
export async function readFloors(root: string): Promise<FloorReport> {
  const result = await cruise(
    [root],
    {
      ruleSet: {
        forbidden: [
          ...rules(root),
          {
            name: 'no circle',
            severity: 'error',
            from: {},
            to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
          },
        ],
      },
      validate: true,
      exclude: { path: '\\.test\\.ts$|node_modules' },
      tsPreCompilationDeps: true,
      parser: 'swc',
    },
    { extensions: ['.ts'] },
  );
  if (typeof result.output === 'string') throw new Error(result.output);
  const { modules, summary } = result.output;
  return {
    modules: modules.filter(({ source }) => source.startsWith(`${root}/`)).length,
    dependencies: modules.reduce((sum, module) => sum + module.dependencies.length, 0),
    violations: summary.violations.map(({ rule, from, to }) => `${from} → ${to}: ${rule.name}`),
  };
}
