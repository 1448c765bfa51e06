import { createRoute, z } from '@hono/zod-openapi';
import { type Endpoint, endpoint, errorSchema, jsonAnswer, jsonBody } from '../core/route.ts';
import { publish, readRulebook } from '../core/rulebook.ts';
import type { Secrets } from '../core/secrets.ts';
import { CodedError } from '../errors/coded-error.ts';
import type { Database, Tx } from '../storage/database.ts';
import { MODELS_INVALID, MODELS_SECTION, type Model, modelSchema, NO_MODELS, parseModels } from './registry.ts';

const shown = modelSchema.omit({ api_key_secret: true });
const written = shown.extend({
  /** Written once, kept encrypted, never shown again. Left out: the one that is there stays. */
  api_key: z
    .string()
    .max(4_096)
    .regex(/^[\x21-\x7e]+$/, 'letters, digits and marks of ASCII')
    .optional(),
});
type Written = z.infer<typeof written>;

/** GET and PUT /models: which language models there are. Keys go in and never come out. */
export function modelRoutes(deps: {
  readonly database: Database;
  readonly secrets: Secrets;
  /** The model that the environment names. */
  readonly ofEnvironment: Model | null;
  readonly edited: () => void;
}): Endpoint[] {
  const { database, secrets, ofEnvironment, edited } = deps;
  return [
    endpoint(
      'read',
      createRoute({
        method: 'get',
        path: '/models',
        responses: {
          200: jsonAnswer(
            z.object({ items: z.array(shown), of_environment: shown.nullable(), version: z.int() }),
            'The models, without their keys; of_environment is used as `default` unless a model here is called so',
          ),
        },
      }),
      async (c) => {
        const { version, content } = await readRulebook(database, MODELS_SECTION, NO_MODELS);
        const items = content.models.map(withoutSecret);
        return c.json({ items, of_environment: ofEnvironment && withoutSecret(ofEnvironment), version }, 200);
      },
    ),
    endpoint(
      // Whoever says where models are says where their keys are sent.
      'own',
      createRoute({
        method: 'put',
        path: '/models',
        request: { body: jsonBody(z.object({ items: z.array(written), note: z.string().max(1000).optional() })) },
        responses: {
          200: jsonAnswer(z.object({ version: z.int() }), 'The new version'),
          422: jsonAnswer(errorSchema, 'What was wrong'),
        },
      }),
      async (c) => {
        const { items, note } = c.req.valid('json');
        const version = await database.transaction(async (tx) => {
          const before = new Map(
            (await readRulebook(tx, MODELS_SECTION, NO_MODELS)).content.models.map((model) => [model.id, model]),
          );
          const models = items.map((item) => named(item, before.get(item.id)));
          const content = parseModels({ models });
          for (const { id, api_key } of items) if (api_key !== undefined) await secrets.put(tx, secretOf(id), api_key);
          await dropUnused(tx, secrets, [...before.values()], content.models);
          return publish(tx, { section: MODELS_SECTION, content, author: c.get('caller').id, note: note ?? null });
        });
        edited();
        return c.json({ version }, 200);
      },
    ),
  ];
}

const withoutSecret = ({ api_key_secret: _name, ...model }: Model) => model;
const secretOf = (id: string): string => `models.${id}`;

/** The model with the name of its key: a new one, or the one that is there, which only its own address gets. */
function named({ api_key, ...model }: Written, before: Model | undefined): Model {
  if (api_key !== undefined) {
    if (model.api_key_env === undefined) return { ...model, api_key_secret: secretOf(model.id) };
    throw invalid(model.id, 'api_key', 'there is either a key or the name of a variable that holds one');
  }
  if (model.api_key_env !== undefined || before?.api_key_secret === undefined) return model;
  if (new URL(before.base_url).origin === new URL(model.base_url).origin)
    return { ...model, api_key_secret: before.api_key_secret };
  throw invalid(model.id, 'api_key', 'has to be given again, for base_url leads elsewhere now');
}

function invalid(model: string, field: string, message: string): CodedError {
  return new CodedError(MODELS_INVALID, 'permanent', `model '${model}', ${field}: ${message}`, {
    detail: { model, field },
  });
}

async function dropUnused(tx: Tx, secrets: Secrets, before: readonly Model[], now: readonly Model[]): Promise<void> {
  const used = new Set(now.map((model) => model.api_key_secret));
  for (const { api_key_secret: name } of before)
    if (name !== undefined && !used.has(name)) await secrets.drop(tx, name);
}
