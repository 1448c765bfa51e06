import type { PgBoss } from 'pg-boss';
import type { NewId } from '../core/ids.ts';
import type { Machine } from '../core/machine.ts';
import type { Endpoint } from '../core/route.ts';
import type { Duty } from '../jobs/duties.ts';
import type { AnyStage } from '../jobs/stage.ts';
import type { Models } from '../models/index.ts';
import type { ReplayAction } from '../replay/index.ts';
import type { Database } from '../storage/database.ts';
import { auditStage } from './audit-stage.ts';
import { authorRoutes } from './author-routes.ts';
import { parseProxies } from './client-address.ts';
import { configurationRoutes } from './configuration-routes.ts';
import { configure } from './configure.ts';
import { forgetAddresses } from './forget-addresses.ts';
import { commentMachine } from './machine.ts';
import { moderationRoutes } from './moderation-routes.ts';
import { forgetKeys } from './post-comment.ts';
import { reAuditStage } from './re-audit-stage.ts';
import { readingRoutes } from './reading-routes.ts';
import { reAuditAction } from './replay.ts';
import { replyStage } from './reply-stage.ts';
import { statusStreams } from './stream-status.ts';
import { watchVersions } from './watch-versions.ts';

export interface CommentsService {
  readonly machines: readonly Machine[];
  readonly stages: readonly AnyStage[];
  /** What can be done again with comments. */
  readonly actions: readonly ReplayAction[];
  endpoints(): Endpoint[];
  duties(): Duty[];
  /** Ends the streams that are open, so that the server can close. */
  endStreams(): void;
}

export interface CommentsDeps {
  readonly database: Database;
  readonly boss: PgBoss;
  readonly newId: NewId;
  readonly models: Pick<Models, 'ask' | 'describe'>;
  readonly env: NodeJS.ProcessEnv;
  /** Whose key this is, of somebody who may decide about comments; null for everybody else. */
  readonly moderator: (key: string) => Promise<string | null>;
  /** Network addresses are kept as hashes with this key. */
  readonly addressKey: string;
  readonly onError: (error: unknown, where: string) => void;
}

const SWEEP_SECONDS = 3600;
/** How soon a reader who waits is told. */
const WATCH_MS = 500;

/** The comments service on a database. */
export function openComments(deps: CommentsDeps): CommentsService {
  const { database } = deps;
  const configured = configure(deps.models);
  const proxies = parseProxies(deps.env.SIGNALBOX_TRUSTED_PROXIES);
  const onStreamError = (error: unknown) => deps.onError(error, 'a stream of comments');
  const watch = watchVersions(database, WATCH_MS, onStreamError);
  const streams = statusStreams(watch, onStreamError);
  const shared = { ...deps, configured };
  const again = reAuditStage(shared);
  return {
    machines: [commentMachine as unknown as Machine],
    stages: [auditStage(shared), replyStage(shared), again],
    actions: [reAuditAction({ configured, stage: again })],
    // What has a name of its own goes before what is called by an id.
    endpoints: () => [
      ...configurationRoutes(shared),
      ...readingRoutes(shared),
      ...moderationRoutes(shared),
      ...authorRoutes({ ...shared, proxies, streams }),
    ],
    duties: () => [
      {
        name: 'comments.sweep',
        everySeconds: SWEEP_SECONDS,
        run: async () => {
          await forgetKeys(database);
          await forgetAddresses(database);
        },
      },
    ],
    endStreams: () => {
      streams.close();
      watch.close();
    },
  };
}
