import { randomUUID } from 'node:crypto';
import type { AskModel } from '../models/index.ts';
import { reportError } from './report-error.ts';

/** The model of the environment, for a command that has no database of its own. */
export interface CommandModel {
  readonly ask: AskModel;
  close(): Promise<void>;
}

/**
 * Opens the model that OPENAI_BASE_URL and SIGNALBOX_MODEL name, with its limits and the memory of its answers in a
 * database that ends with the command; null where none is named.
 * Throws `llm.bad_settings` when there cannot be such a model.
 */
export async function openModel(env: NodeJS.ProcessEnv): Promise<CommandModel | null> {
  if (!env.OPENAI_BASE_URL || !env.SIGNALBOX_MODEL) return null;
  const [{ openModels }, { openSecrets }, { openEmbedded }, { migrate }] = await Promise.all([
    import('../models/index.ts'),
    import('../core/secrets.ts'),
    import('../storage/embedded.ts'),
    import('../storage/migrate.ts'),
  ]);
  const database = await openEmbedded({ schema: 'signalbox' });
  try {
    await migrate(database);
    const models = openModels({
      database,
      // There are none: such a model has its key in the environment.
      secrets: openSecrets(randomUUID()),
      env,
      newId: randomUUID,
      worker: `command-${process.pid}`,
      onError: (error) => reportError(error, 'the slots of the model'),
    });
    const ask = (await models.ask(null))!;
    return { ask, close: () => models.close().then(() => database.close()) };
  } catch (error) {
    await database.close();
    throw error;
  }
}
