import type { PgBoss } from 'pg-boss';
import type { NewId } from '../core/ids.ts';
import type { Endpoint } from '../core/route.ts';
import { followRulebook } from '../core/rulebook.ts';
import type { AnyStage } from '../jobs/stage.ts';
import type { ReplayAction } from '../replay/index.ts';
import type { RawObjectOptions } from '../storage/blobs/index.ts';
import type { Database, Queryable } from '../storage/database.ts';
import { parseBrands } from './brands.ts';
import { findingRoutes } from './finding-routes.ts';
import { sampleMachine } from './machine.ts';
import { BRANDS_SECTION, cleanStage } from './pipeline.ts';
import { rawReader } from './read-raw.ts';
import { reCleanAction } from './replay.ts';
import { answerRoutes } from './routes.ts';

export { type Accepted, acceptTasks } from './accept.ts';
export { parseBrands } from './brands.ts';
export { sampleMachine } from './machine.ts';
export { BRANDS_SECTION, CLEAN_STAGE, cleanStage } from './pipeline.ts';
export { type ReCleaning, reClean } from './re-clean.ts';
export { mentionRate } from './reports/mention-rate.ts';
export { successRate } from './reports/success-rate.ts';

/** Workers take a new version of the brands within this time, in milliseconds. */
const RULEBOOK_AGE_MS = 2_000;

export interface AnswersService {
  readonly machines: readonly (typeof sampleMachine)[];
  readonly stages: readonly AnyStage[];
  /** What can be done again with answers. */
  readonly actions: readonly ReplayAction[];
  endpoints(boss: PgBoss): Endpoint[];
  /** The item behind a clean_task_id; null for one that is not known. */
  findItem(on: Queryable, id: string): Promise<string | null>;
}

/** The answers service on a database. */
export function openAnswers(deps: {
  readonly database: Database;
  readonly newId: NewId;
  readonly raw: RawObjectOptions;
}): AnswersService {
  const follow = () =>
    followRulebook({
      section: BRANDS_SECTION,
      empty: { brands: [] },
      compile: parseBrands,
      maxAgeMs: RULEBOOK_AGE_MS,
    });
  let followed = follow();
  const brands = (on: Queryable) => followed(on);
  // Who edits the brands here and then hands in tasks means the new ones: this process does not wait to notice.
  const brandsEdited = () => {
    followed = follow();
  };
  const readRaw = rawReader(deps.raw);
  const stage = cleanStage({ brands, readRaw });
  return {
    machines: [sampleMachine],
    stages: [stage],
    actions: [reCleanAction({ readRaw, stage })],
    endpoints: (boss) => {
      const routeDeps = { ...deps, boss, brands, brandsEdited };
      return [...answerRoutes(routeDeps), ...findingRoutes({ ...routeDeps, readRaw })];
    },
    findItem: async (on, id) => {
      const { rows } = await on.query<{ id: string }>('select id from answers_sample where clean_task_id = $1', [id]);
      return rows[0]?.id ?? null;
    },
  };
}
