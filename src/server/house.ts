import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { identify, readMasterKey } from '../accounts/api-keys.ts';
import { mayDo } from '../accounts/roles.ts';
import { accountRoutes } from '../accounts/routes.ts';
import { openAnswers } from '../answers/index.ts';
import { openComments } from '../comments/index.ts';
import { uuid7 } from '../core/ids.ts';
import type { Machine } from '../core/machine.ts';
import { openSecrets } from '../core/secrets.ts';
import { openDelivery } from '../delivery/index.ts';
import { openDocuments } from '../documents/service.ts';
import { openTextReader } from '../documents/text-reader.ts';
import { type Duty, startDuties } from '../jobs/duties.ts';
import type { AtPoint } from '../jobs/points.ts';
import { type AnyDatabase, openQueue, type Queue } from '../jobs/queue.ts';
import type { AnyStage } from '../jobs/stage.ts';
import { reportStuck } from '../jobs/watchdog.ts';
import { createQueues, startStageWorker } from '../jobs/worker.ts';
import { openModels } from '../models/index.ts';
import { createHttpClient } from '../net/index.ts';
import { openReplay } from '../replay/index.ts';
import { openEmbedded } from '../storage/embedded.ts';
import { migrate } from '../storage/migrate.ts';
import { openPostgres } from '../storage/postgres.ts';
import { tidyWhenIdle } from '../storage/tidy.ts';
import { type App, createApp } from './app.ts';
import { mountHealth } from './health-routes.ts';
import { openFiles } from './open-files.ts';
import { operationRoutes } from './operation-routes.ts';
import { rawObjects } from './raw-objects.ts';

export interface HouseOptions {
  /** The data folder of the embedded database; null: in memory, gone with the process. */
  readonly folder: string | null;
  /** Given: PostgreSQL instead. */
  readonly databaseUrl?: string | undefined;
  readonly schema?: string;
  /** Whether this process works on jobs: all stages, or those named. */
  readonly workers: boolean | readonly string[];
  /** A command line reads any file; a server only below the folder that it was given. */
  readonly anyFile: boolean;
  readonly env: NodeJS.ProcessEnv;
  readonly onError: (error: unknown, where: string) => void;
  readonly onSettled?: (stage: string, outcomes: Readonly<Record<string, number>>) => void;
  /** Where this process's own key is put, for commands of the same user. */
  readonly localKey?: string;
  readonly pollSeconds?: number;
  readonly heartbeatSeconds?: number;
  /** Ids a page of a replay's dispatcher. */
  readonly replayPageSize?: number;
  /** Named points of a claim, for proofs and tests. */
  readonly at?: AtPoint;
}

/** Everything in one process: database, queue, services, the HTTP application. */
export interface House {
  readonly database: AnyDatabase;
  readonly queue: Queue;
  readonly app: App;
  readonly stages: readonly AnyStage[];
  readonly machines: readonly Machine[];
  readonly worker: string;
  /** Ends live updates: a server that closes would wait for them. */
  endStreams(): void;
  /** No new claims, drain, settle, heartbeat off, pool off. */
  stop(): Promise<void>;
}

const WATCHDOG_SECONDS = 30;
const TIDY_IDLE_MS = 20_000;

export async function openHouse(options: HouseOptions): Promise<House> {
  const { env, onError } = options;
  const schema = options.schema ?? env.SIGNALBOX_SCHEMA ?? 'signalbox';
  const master = readMasterKey(env);
  const database: AnyDatabase = options.databaseUrl
    ? openPostgres({
        url: options.databaseUrl,
        schema,
        poolSize: Number(env.SIGNALBOX_POOL ?? 8),
        onIdleError: (error) => onError(error, 'an idle connection'),
      })
    : await openEmbedded({ schema, ...(options.folder === null ? {} : { folder: options.folder }) });
  const worker = `${hostname()}-${process.pid}`;
  let queue: Queue | undefined;
  try {
    await migrate(database);
    queue = await openQueue(database, {
      workers: options.workers !== false,
      onError: (error) => onError(error, 'the queue'),
    });
    return await furnish(database, queue, worker, master, options);
  } catch (error) {
    await queue?.stop({ graceful: false }).catch(() => {});
    await database.close().catch(() => {});
    throw error;
  }
}

async function furnish(
  database: AnyDatabase,
  queue: Queue,
  worker: string,
  master: string | null,
  options: HouseOptions,
): Promise<House> {
  const { env, onError } = options;
  const newId = () => uuid7();
  const client = createHttpClient({ userAgent: 'Signalbox', allowPrivate: env.SIGNALBOX_ALLOW_PRIVATE === '1' });
  const masters = [master, options.localKey ?? null].filter((key) => key !== null);
  const whose = (key: string) => identify(database, key, masters);
  const key = secretKey(env, options.folder);
  const secrets = openSecrets(key);
  const modelErrors = (error: unknown) => onError(error, 'the slots of a model');
  const models = openModels({ database, newId, secrets, env, worker, onError: modelErrors });
  const files = openFiles(env, options.folder, !options.databaseUrl && options.folder === null);
  const reader = openTextReader();
  const answers = openAnswers({ database, newId, raw: rawObjects(env, options.anyFile) });
  const documents = openDocuments({ database, newId, models, reader, blobs: files.blobs });
  const moderator = async (shown: string) => {
    const who = await whose(shown);
    return who && mayDo(who.role, 'decide') ? who.id : null;
  };
  const forComments = { database, boss: queue.boss, newId, models, env, moderator, addressKey: key, onError };
  const comments = openComments(forComments);
  const delivery = openDelivery({ database, newId, client, secrets });
  const replay = openReplay({
    ...{ database, boss: queue.boss, newId, actions: [...answers.actions, ...comments.actions, ...documents.actions] },
    ...(options.replayPageSize === undefined ? {} : { pageSize: options.replayPageSize }),
  });
  const rooms = [answers, comments, documents, delivery, replay];
  const machines = rooms.flatMap((room) => [...room.machines]) as unknown as Machine[];
  const stages = rooms.flatMap((room) => [...room.stages]);
  for (const stage of stages) await createQueues(queue, stage, options.heartbeatSeconds);

  const findItem = (id: string) => answers.findItem(database, id);
  const app = createApp(
    [
      ...answers.endpoints(queue.boss),
      ...comments.endpoints(),
      ...documents.endpoints(queue.boss),
      ...models.endpoints(),
      ...delivery.endpoints(),
      ...replay.endpoints(),
      ...accountRoutes(database, newId),
      ...operationRoutes({ database, boss: queue.boss, machines, stages, findItem }),
    ],
    { identify: whose, onError },
  );
  mountHealth(app.app, { database, machines, identify: whose });

  const duties: Duty[] = [];
  if (options.workers !== false) {
    const named =
      options.workers === true
        ? stages
        : stages.filter(({ name }) => (options.workers as readonly string[]).includes(name));
    for (const stage of named) {
      await startStageWorker(stage, {
        database,
        queue,
        worker,
        clockMs: () => performance.now(),
        nowMs: Date.now,
        random: Math.random,
        newId,
        onError,
        ...(options.pollSeconds === undefined ? {} : { pollSeconds: options.pollSeconds }),
        ...(options.at === undefined ? {} : { at: options.at }),
        ...(options.onSettled === undefined ? {} : { onSettled: options.onSettled }),
      });
    }
    duties.push(
      ...delivery.duties(queue.boss),
      ...comments.duties(),
      ...documents.duties(queue.boss, env.SIGNALBOX_INBOX || null),
      { name: 'core.watchdog', everySeconds: WATCHDOG_SECONDS, run: () => reportStuck(database, machines) },
      {
        name: 'core.journal-months',
        everySeconds: 86_400,
        run: () => database.query('select journal_ensure_months(now_here(), 3)'),
      },
    );
    if (database.kind === 'pglite') {
      duties.push({
        name: 'storage.tidy',
        everySeconds: 60,
        everywhere: true,
        run: () => tidyWhenIdle(database, TIDY_IDLE_MS),
      });
    }
  }
  const running = startDuties(database, worker, duties, onError);
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    await running.stop();
    await queue.stop();
    await reader.close();
    await models.close();
    await client.close();
    await files.close();
    await database.close();
  };
  return {
    database,
    queue,
    app,
    stages,
    machines,
    worker,
    endStreams: comments.endStreams,
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
}

/**
 * The key that secrets are encrypted with: from the environment, or one made at first start and kept beside the
 * embedded database, readable by its owner only.
 */
function secretKey(env: NodeJS.ProcessEnv, folder: string | null): string {
  if (env.SIGNALBOX_SECRET_KEY) return env.SIGNALBOX_SECRET_KEY;
  if (folder === null) return randomBytes(32).toString('hex');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'secret.key');
  if (!existsSync(path)) writeFileSync(path, randomBytes(32).toString('hex'), { mode: 0o600 });
  return readFileSync(path, 'utf8').trim();
}
