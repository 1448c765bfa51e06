import type { PgBoss } from 'pg-boss';
import type { NewId } from '../core/ids.ts';
import type { Machine } from '../core/machine.ts';
import type { Endpoint } from '../core/route.ts';
import type { Duty } from '../jobs/duties.ts';
import type { AnyStage } from '../jobs/stage.ts';
import type { Models } from '../models/index.ts';
import type { ReplayAction } from '../replay/index.ts';
import type { BlobStore } from '../storage/blobs/index.ts';
import type { Database } from '../storage/database.ts';
import { configurationRoutes } from './configuration-routes.ts';
import { configure } from './configure.ts';
import { sweepFiles } from './delete-document.ts';
import type { TextReader } from './extract-text-stage.ts';
import { watchFolder } from './inbox.ts';
import { documentMachine } from './machine.ts';
import { freshStages, replayStages } from './pipeline.ts';
import { documentAction } from './replay.ts';
import type { Again } from './replay-stage.ts';
import { reviewRoutes } from './review-routes.ts';
import { documentRoutes } from './routes.ts';

export interface DocumentsService {
  readonly machines: readonly Machine[];
  readonly stages: readonly AnyStage[];
  /** What can be done again with documents. */
  readonly actions: readonly ReplayAction[];
  endpoints(boss: PgBoss): Endpoint[];
  /** @param inbox a folder whose files are taken in; null for none */
  duties(boss: PgBoss, inbox: string | null): Duty[];
}

const SWEEP_SECONDS = 86_400;
const INBOX_SECONDS = 5;

/** The documents service on a database. */
export function openDocuments(deps: {
  readonly database: Database;
  readonly newId: NewId;
  readonly blobs: BlobStore;
  readonly reader: TextReader;
  readonly models: Pick<Models, 'ask' | 'describe'>;
}): DocumentsService {
  const { database, blobs } = deps;
  const configured = configure(deps.models);
  const steps = { ...deps, configured };
  const fresh = freshStages(steps);
  const again = replayStages(steps);
  return {
    machines: [documentMachine as unknown as Machine],
    stages: [...fresh, ...Object.values(again)],
    actions: (Object.keys(again) as Again[]).map((one) =>
      documentAction(one, { ...steps, stage: again[one], besides: fresh }),
    ),
    endpoints: (boss) => {
      const routeDeps = { ...deps, configured, boss };
      // What has a name of its own goes before what is called by an id.
      return [...configurationRoutes(routeDeps), ...reviewRoutes(routeDeps), ...documentRoutes(routeDeps)];
    },
    duties: (boss, inbox) => [
      { name: 'documents.sweep', everySeconds: SWEEP_SECONDS, run: () => sweepFiles(database, blobs) },
      ...(inbox === null
        ? []
        : [
            {
              name: 'documents.inbox',
              everySeconds: INBOX_SECONDS,
              everywhere: true,
              run: watchFolder(inbox, { ...deps, boss }),
            },
          ]),
    ],
  };
}
