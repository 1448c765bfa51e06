import type { NewId } from '../core/ids.ts';
import type { Endpoint } from '../core/route.ts';
import { followRulebook } from '../core/rulebook.ts';
import type { Secrets } from '../core/secrets.ts';
import { CodedError } from '../errors/coded-error.ts';
import { type Priority, SlotHolder } from '../jobs/slot-holder.ts';
import { definePool } from '../jobs/slots.ts';
import type { Database } from '../storage/database.ts';
import type { Answered, Question } from './ask.ts';
import { MODEL_ERRORS } from './model-error.ts';
import {
  DEFAULT_MODEL,
  findModel,
  listModels,
  MODELS_SECTION,
  type Model,
  NO_MODELS,
  parseModels,
} from './registry.ts';
import { modelRoutes } from './routes.ts';

export interface AskOptions {
  readonly signal?: AbortSignal | undefined;
  /** Names the request in the provider's log. */
  readonly requestKey?: string | undefined;
  /** The item that the question is about: its answer goes when the item's content is erased. */
  readonly item?: string | undefined;
  /** `batch` waits behind the fresh work of this process. Default: `live`. */
  readonly priority?: Priority | undefined;
  /** False: ask anew even where an answer is remembered. */
  readonly useCache?: boolean;
}

/** Asks one model one question; throws what `ask` throws, and `llm.key_missing` (permanent) where its key is nowhere. */
export type AskModel = <Answer>(question: Question<Answer>, options?: AskOptions) => Promise<Answered<Answer>>;

/** The language models of this process. */
export interface Models {
  /**
   * A hand on the model of that id; null: the one called `default`, else the first of the rulebook. What is asked
   * through it goes by the rulebook of that moment, at most 2 s old.
   * Throws `llm.model_unknown` for an id that nobody configured.
   * @returns null when no id was given and there is no model: whoever asks then goes by rules alone
   */
  ask(modelId: string | null): Promise<AskModel | null>;
  /** The model that `ask` of that id would ask, as it is configured now; throws and returns null as `ask` does. */
  describe(modelId: string | null): Promise<Model | null>;
  endpoints(): Endpoint[];
  /** Rejects who still waits for a slot, and gives the slots back. */
  close(): Promise<void>;
}

export interface ModelsDeps {
  readonly database: Database;
  readonly secrets: Secrets;
  readonly env: NodeJS.ProcessEnv;
  readonly newId: NewId;
  /** Names this process at the slots that it holds. */
  readonly worker: string;
  readonly onError: (error: unknown) => void;
  readonly monotonicMs?: () => number;
}

const RULEBOOK_AGE_MS = 2_000;

/** What this process holds of one model's slots. */
interface Hand {
  model: Model;
  readonly slots: SlotHolder;
  /** Its limits as they were written last; null: not yet. */
  limited: Promise<void> | null;
  calls: number;
}

/**
 * Opens the models of the rulebook and the one of the environment. Nothing is called and nothing written before the first
 * question.
 * Throws `llm.bad_settings` when the environment names a model that cannot be.
 */
export function openModels(deps: ModelsDeps): Models {
  const { database, secrets, env, newId, worker, onError } = deps;
  const follow = () =>
    followRulebook({
      section: MODELS_SECTION,
      empty: NO_MODELS,
      compile: (content) => listModels(parseModels(content), env),
      maxAgeMs: RULEBOOK_AGE_MS,
      ...(deps.monotonicMs ? { monotonicMs: deps.monotonicMs } : {}),
    });
  let followed = follow();
  const ofEnvironment = listModels(NO_MODELS, env).get(DEFAULT_MODEL) ?? null;
  const hands = new Map<string, Hand>();
  const closing = new Set<Promise<void>>();
  let closed = false;

  const close = (hand: Hand) => {
    const ended = hand.slots.close().finally(() => closing.delete(ended));
    closing.add(ended);
  };

  /** A lease lasts as long as the model's calls may: with another time limit it is another hand. */
  const handOf = (model: Model): Hand => {
    if (closed) throw new Error('the models are closed');
    const held = hands.get(model.id);
    if (held && held.model.timeout_s === model.timeout_s) {
      if (held.model !== model) held.limited = null;
      held.model = model;
      return held;
    }
    if (held && held.calls === 0) close(held);
    const slots = new SlotHolder({
      database,
      pool: poolOf(model),
      holder: newId(),
      worker,
      callLimitMs: model.timeout_s * 1000,
      onError,
    });
    const hand: Hand = { model, slots, limited: null, calls: 0 };
    hands.set(model.id, hand);
    return hand;
  };

  const keyOf = async ({ id, api_key_env: name, api_key_secret: secret }: Model): Promise<string | undefined> => {
    if (secret !== undefined) return secrets.get(database, secret);
    if (name === undefined) return undefined;
    const key = env[name];
    if (key) return key;
    throw new CodedError(MODEL_ERRORS.keyMissing, 'permanent', `${name}, the key of model '${id}', is not set here`);
  };

  const askById =
    (id: string): AskModel =>
    async (question, options = {}) => {
      const model = findModel((await followed(database)).compiled, id);
      const apiKey = await keyOf(model);
      // Loading the SDK takes longer than opening all of this, and a house without models never needs it.
      const { ask } = await import('./ask.ts');
      const hand = handOf(model);
      hand.calls += 1;
      try {
        hand.limited ??= writeLimits(database, model);
        await hand.limited.catch((error: unknown) => {
          hand.limited = null;
          throw error;
        });
        return await ask(model, question, { database, slots: hand.slots, apiKey, ...options });
      } finally {
        hand.calls -= 1;
        if (hand.calls === 0 && hands.get(id) !== hand) close(hand);
      }
    };

  const describe = async (modelId: string | null): Promise<Model | null> => {
    const { compiled } = await followed(database);
    if (modelId !== null) return findModel(compiled, modelId);
    const [first] = compiled.values();
    return compiled.get(DEFAULT_MODEL) ?? first ?? null;
  };

  return {
    ask: async (modelId) => {
      const model = await describe(modelId);
      return model === null ? null : askById(model.id);
    },
    describe,
    endpoints: () =>
      modelRoutes({
        database,
        secrets,
        ofEnvironment,
        // Who edits the models here means the new ones: this process does not wait to notice.
        edited: () => {
          followed = follow();
        },
      }),
    close: async () => {
      closed = true;
      for (const hand of hands.values()) close(hand);
      while (closing.size) await Promise.all(closing);
    },
  };
}

const poolOf = ({ id }: Model): string => `model:${id}`;

const writeLimits = (database: Database, model: Model): Promise<void> =>
  definePool(database, {
    name: poolOf(model),
    cap: model.concurrency,
    perMinute: model.requests_per_minute ?? null,
  });
