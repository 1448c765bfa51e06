import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, jsonSchema, NoObjectGeneratedError, Output, type Schema } from 'ai';
import { z } from 'zod';
import { uuid7 } from '../core/ids.ts';
import { type ModelUse, NO_MODEL_USE } from '../core/run.ts';
import { CodedError } from '../errors/coded-error.ts';
import type { Priority, SlotHolder } from '../jobs/slot-holder.ts';
import type { Database } from '../storage/database.ts';
import { answerKey, findAnswer, keepAnswer } from './answer-cache.ts';
import { reserveBudget, settleBudget } from './budget.ts';
import { MODEL_ERRORS, modelError } from './model-error.ts';
import { costMicros, type Model } from './registry.ts';

export interface Question<Answer> {
  readonly system: string;
  readonly prompt: string;
  /** The only form of answer that is accepted. */
  readonly schema: z.ZodType<Answer>;
  readonly schemaName: string;
  readonly maxOutputTokens?: number;
}

export interface AskDeps {
  readonly database: Database;
  /** This process's hand in the pool of the model's provider. */
  readonly slots: SlotHolder;
  readonly apiKey: string | undefined;
  readonly nowMs?: () => number;
  /** Names the request in the provider's log. */
  readonly requestKey?: string | undefined;
  /** The item that the question is about: its answer goes when the item's content is erased. */
  readonly item?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** What a batch does again waits behind fresh work of this process. Default: `live`. */
  readonly priority?: Priority | undefined;
  readonly fetch?: typeof globalThis.fetch;
  /** False: ask anew even where an answer is cached. */
  readonly useCache?: boolean;
}

export interface Answered<Answer> {
  readonly value: Answer;
  /** The model's name at its provider, as results show it. */
  readonly model: string;
  readonly use: ModelUse;
}

// Unsupported settings are our business, not the console's.
(globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;

/** Characters a token at the least; used to reserve, never to bill. */
const CHARS_PER_TOKEN = 2;

/**
 * Asks a model once: cache, budget, slot, call, and exactly one form of answer. Nothing is retried here.
 * Throws coded errors: `llm.rate_limited`, `llm.budget_exhausted` (postponed), `llm.unavailable`, `llm.timeout`,
 * `llm.invalid_output` (transient), `llm.truncated`, `llm.content_filter`, `llm.unauthorized`,
 * `llm.request_refused` (permanent).
 */
export async function ask<Answer>(model: Model, question: Question<Answer>, deps: AskDeps): Promise<Answered<Answer>> {
  const { database } = deps;
  const schema = formOf(question.schema).json;
  const maxOutputTokens = question.maxOutputTokens ?? model.max_output_tokens;
  const { system, prompt } = question;
  const key = answerKey({ base: model.base_url, model: model.model, system, prompt, schema, maxOutputTokens });
  if (deps.useCache !== false) {
    const kept = await findAnswer(database, key);
    const value = kept && question.schema.safeParse(kept.answer);
    if (value?.success) return { value: value.data, model: model.model, use: { ...NO_MODEL_USE, cachedCalls: 1 } };
  }
  const most = Math.ceil((system.length + prompt.length) / CHARS_PER_TOKEN);
  const reservation = await reserveBudget(database, model, {
    id: uuid7(),
    tokens: most + maxOutputTokens,
    micros: costMicros(model, most, maxOutputTokens),
    seconds: model.timeout_s + 60,
  });
  let use: ModelUse = { ...NO_MODEL_USE, calls: 1 };
  try {
    const answered = await callInSlot(model, question, maxOutputTokens, schema, deps, (tokensIn, tokensOut) => {
      use = { ...use, tokensIn, tokensOut, costMicros: costMicros(model, tokensIn, tokensOut) };
    });
    await keepAnswer(database, key, model.id, { answer: answered, ...use }, deps.item ?? null);
    return { value: answered, model: model.model, use };
  } finally {
    await settleBudget(database, reservation, { tokens: use.tokensIn + use.tokensOut, micros: use.costMicros });
  }
}

interface Form {
  readonly json: object;
  readonly form: Schema<unknown>;
}

const forms = new WeakMap<z.ZodType, Form>();

/** The schema as providers read it; made once, not for every call. */
function formOf(schema: z.ZodType): Form {
  let known = forms.get(schema);
  if (!known) {
    const json = z.toJSONSchema(schema);
    const form = jsonSchema<unknown>(json as Parameters<typeof jsonSchema>[0], {
      validate: (value) => {
        const read = schema.safeParse(value);
        return read.success ? { success: true, value: read.data } : { success: false, error: read.error };
      },
    });
    known = { json, form };
    forms.set(schema, known);
  }
  return known;
}

type Provider = ReturnType<typeof createOpenAICompatible>;

const providers = new WeakMap<
  Model,
  { readonly apiKey: string | undefined; readonly fetch: unknown; readonly provider: Provider }
>();

function providerOf(model: Model, { apiKey, fetch }: AskDeps): Provider {
  const known = providers.get(model);
  if (known && known.apiKey === apiKey && known.fetch === fetch) return known.provider;
  const provider = createOpenAICompatible({
    name: model.id,
    baseURL: model.base_url,
    supportsStructuredOutputs: model.json_schema,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(fetch === undefined ? {} : { fetch }),
  });
  providers.set(model, { apiKey, fetch, provider });
  return provider;
}

async function callInSlot<Answer>(
  model: Model,
  question: Question<Answer>,
  maxOutputTokens: number,
  schema: unknown,
  deps: AskDeps,
  used: (tokensIn: number, tokensOut: number) => void,
): Promise<Answer> {
  const limitMs = model.timeout_s * 1000;
  let slot = await deps.slots.acquire(deps.signal, deps.priority);
  // This process may have been stopped between getting the slot and coming here: the slot is another's by now.
  while (slot.remainingMs() < limitMs) {
    slot.release();
    slot = await deps.slots.acquire(deps.signal, deps.priority);
  }
  try {
    return await call(model, question, maxOutputTokens, schema, limitMs, deps, used);
  } catch (error) {
    // An answer of the wrong form was made and is billed like any other.
    if (NoObjectGeneratedError.isInstance(error)) used(error.usage?.inputTokens ?? 0, error.usage?.outputTokens ?? 0);
    const coded = modelError(error, (deps.nowMs ?? Date.now)());
    if (coded.errorClass === 'postponed' && coded.retryAfterSeconds) await deps.slots.pause(coded.retryAfterSeconds);
    throw coded;
  } finally {
    slot.release();
  }
}

async function call<Answer>(
  model: Model,
  question: Question<Answer>,
  maxOutputTokens: number,
  schema: unknown,
  limitMs: number,
  deps: AskDeps,
  used: (tokensIn: number, tokensOut: number) => void,
): Promise<Answer> {
  const limit = AbortSignal.timeout(limitMs);
  const system = model.json_schema
    ? question.system
    : `${question.system}\n\nAnswer with JSON of exactly this schema and nothing else:\n${JSON.stringify(schema)}`;
  const result = await generateText({
    model: providerOf(model, deps)(model.model),
    ...(deps.requestKey === undefined ? {} : { headers: { 'x-request-key': deps.requestKey } }),
    system,
    prompt: question.prompt,
    output: Output.object({ schema: formOf(question.schema).form, name: question.schemaName }),
    maxOutputTokens,
    temperature: 0,
    maxRetries: 0,
    abortSignal: deps.signal ? AbortSignal.any([deps.signal, limit]) : limit,
  });
  used(result.usage.inputTokens ?? 0, result.usage.outputTokens ?? 0);
  // Filtered and cut-off answers may well parse: the reason is looked at before the output.
  if (result.finishReason === 'content-filter') {
    throw new CodedError(MODEL_ERRORS.contentFilter, 'permanent', 'the provider withheld the answer');
  }
  if (result.finishReason === 'length') {
    throw new CodedError(MODEL_ERRORS.truncated, 'permanent', 'the answer was cut off at its token limit');
  }
  return result.output as Answer;
}
