import { z } from 'zod';
import { CodedError } from '../errors/coded-error.ts';

/** Not any variable: a configuration must not be able to send the server's own secrets to an address of its choice. */
const keyEnv = z
  .string()
  .regex(/^(?!SIGNALBOX_)[A-Z][A-Z0-9_]*_API_KEY$/, 'a name that ends in _API_KEY and does not begin with SIGNALBOX_');

function hasUserOrQuery(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { username, password, search } = new URL(url);
  return username !== '' || password !== '' || search !== '';
}

/** One language model that steps may use. Prices are in millionths of a currency unit per million tokens. */
export const modelSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, 'lower-case letters, digits, - and _'),
  base_url: z.url({ protocol: /^https?$/ }).refine((url) => !hasUserOrQuery(url), 'keys do not belong in the address'),
  /** The model's name at the provider. */
  model: z.string().min(1),
  /** The environment variable that holds the key. Keys themselves are never part of the rulebook. */
  api_key_env: keyEnv.optional(),
  /** The name under which a key is kept among the secrets. */
  api_key_secret: z.string().min(1).optional(),
  concurrency: z.int().min(1).default(4),
  requests_per_minute: z.int().min(1).optional(),
  timeout_s: z.number().positive().default(60),
  /** Whether the server takes a JSON schema; without, the schema is written into the prompt. */
  json_schema: z.boolean().default(true),
  price_in: z.int().min(0).default(0),
  price_out: z.int().min(0).default(0),
  max_output_tokens: z.int().min(1).default(1024),
  /** Per day; calls that would go over are postponed to the next day. */
  tokens_per_day: z.int().min(1).optional(),
  micros_per_day: z.int().min(1).optional(),
});

export type Model = z.infer<typeof modelSchema>;

export const MODELS_SECTION = 'models';
export const modelsSchema = z.strictObject({ models: z.array(modelSchema).default([]) });
export type ModelsContent = z.infer<typeof modelsSchema>;
export const NO_MODELS: ModelsContent = { models: [] };

export const MODELS_INVALID = 'llm.models_invalid';

/** Throws `llm.models_invalid` naming the field, or the id that stands twice. */
export function parseModels(input: unknown): ModelsContent {
  const parsed = modelsSchema.safeParse(input);
  if (!parsed.success) throw new CodedError(MODELS_INVALID, 'permanent', z.prettifyError(parsed.error));
  const seen = new Set<string>();
  for (const { id } of parsed.data.models) {
    if (seen.has(id)) throw new CodedError(MODELS_INVALID, 'permanent', `two models have the id '${id}'`);
    seen.add(id);
  }
  return parsed.data;
}

export const MODEL_UNKNOWN = 'llm.model_unknown';
/** The model that steps use which name none. */
export const DEFAULT_MODEL = 'default';

/**
 * The models by id: those of the rulebook, and `default` from the environment (OPENAI_BASE_URL, OPENAI_API_KEY,
 * SIGNALBOX_MODEL, SIGNALBOX_MODEL_CONCURRENCY) when it names one.
 */
export function listModels(content: ModelsContent, env: NodeJS.ProcessEnv): Map<string, Model> {
  const models = new Map(content.models.map((model) => [model.id, model]));
  if (env.OPENAI_BASE_URL && env.SIGNALBOX_MODEL && !models.has(DEFAULT_MODEL)) {
    const parsed = modelSchema.safeParse({
      id: DEFAULT_MODEL,
      base_url: env.OPENAI_BASE_URL,
      model: env.SIGNALBOX_MODEL,
      // Servers of one's own often want none.
      ...(env.OPENAI_API_KEY ? { api_key_env: 'OPENAI_API_KEY' } : {}),
      ...(env.SIGNALBOX_MODEL_CONCURRENCY ? { concurrency: Number(env.SIGNALBOX_MODEL_CONCURRENCY) } : {}),
      ...(env.SIGNALBOX_MODEL_TIMEOUT_S ? { timeout_s: Number(env.SIGNALBOX_MODEL_TIMEOUT_S) } : {}),
    });
    if (!parsed.success) {
      throw new CodedError(
        'llm.bad_settings',
        'permanent',
        `the model in the environment: ${z.prettifyError(parsed.error)}`,
      );
    }
    models.set(DEFAULT_MODEL, parsed.data);
  }
  return models;
}

/** Throws `llm.model_unknown` for an id that nobody configured. */
export function findModel(models: ReadonlyMap<string, Model>, id: string): Model {
  const model = models.get(id);
  if (!model) throw new CodedError(MODEL_UNKNOWN, 'permanent', `no model '${id}' is configured`);
  return model;
}

/** What a call cost, in millionths of a currency unit, rounded up. */
export function costMicros(model: Pick<Model, 'price_in' | 'price_out'>, tokensIn: number, tokensOut: number): number {
  return Math.ceil((tokensIn * model.price_in + tokensOut * model.price_out) / 1_000_000);
}
