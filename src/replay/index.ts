import type { PgBoss } from 'pg-boss';
import type { NewId } from '../core/ids.ts';
import type { Endpoint } from '../core/route.ts';
import type { AnyStage } from '../jobs/stage.ts';
import type { Database } from '../storage/database.ts';
import type { ReplayAction } from './action.ts';
import { dispatchStage } from './dispatch.ts';
import { batchMachine } from './machine.ts';
import { replayRoutes } from './routes.ts';

export type {
  BatchOrder,
  Change,
  Draft,
  Measurement,
  Order,
  Preview,
  ReplayAction,
  ReplayItem,
  Trial,
} from './action.ts';
export { DISPATCH_STAGE } from './dispatch.ts';
export { CANCELLED, readOrders } from './orders.ts';
export { type Scope, scopeUnsupported } from './scope.ts';

export interface ReplayService {
  readonly machines: readonly (typeof batchMachine)[];
  readonly stages: readonly AnyStage[];
  endpoints(): Endpoint[];
}

/** The one mechanism by which all services do things again. */
export function openReplay(deps: {
  readonly database: Database;
  readonly boss: PgBoss;
  readonly newId: NewId;
  readonly actions: readonly ReplayAction[];
  /** Ids a page; the dispatcher's own number unless given. */
  readonly pageSize?: number;
}): ReplayService {
  const jobsSchema = `${deps.database.schema}_jobs`;
  return {
    machines: [batchMachine],
    stages: [dispatchStage({ ...deps, jobsSchema })],
    endpoints: () => replayRoutes({ ...deps, jobsSchema }),
  };
}
