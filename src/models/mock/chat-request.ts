import { z } from 'zod';
import { CodedError } from '../../errors/coded-error.ts';
import { shortHash } from './random.ts';
import type { JsonSchema } from './schema/json-schema.ts';

const part = z.looseObject({ type: z.string(), text: z.string().optional() });

const message = z.looseObject({
  role: z.string(),
  content: z.union([z.string(), z.array(part), z.null()]).optional(),
});

const responseFormat = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text') }),
  z.looseObject({ type: z.literal('json_object') }),
  z.looseObject({
    type: z.literal('json_schema'),
    json_schema: z.looseObject({ name: z.string().optional(), schema: z.record(z.string(), z.unknown()) }),
  }),
]);

// Loose on purpose: clients send many parameters that change nothing here (temperature, tools, user, …).
const body = z.looseObject({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  seed: z.number().nullish(),
  n: z.literal(1, 'only n = 1 is served').nullish(),
  max_tokens: z.int().positive().nullish(),
  max_completion_tokens: z.int().positive().nullish(),
  response_format: responseFormat.nullish(),
});

export interface ChatMessage {
  readonly role: string;
  /** All text parts, one after the other; pictures and the like have none. */
  readonly text: string;
}

export type AnswerFormat =
  | { readonly type: 'text' }
  | { readonly type: 'json_object' }
  | { readonly type: 'json_schema'; readonly schema: JsonSchema };

/** What of a chat completion request bears on its answer. */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  /** All messages' texts in order, a line break between: what `when` looks at. */
  readonly text: string;
  readonly stream: boolean;
  readonly includeUsage: boolean;
  readonly seed: number | null;
  readonly maxTokens: number | null;
  readonly format: AnswerFormat;
  /** Short SHA-256 of the messages as they were sent: stands for the request in the log. */
  readonly messagesHash: string;
}

/**
 * Reads the body of POST /chat/completions.
 *
 * @throws CodedError `mock_model.bad_request`, permanent; `detail.field` names the first wrong field
 */
export function readChatRequest(json: string): ChatRequest {
  const parsed = body.safeParse(parseJson(json));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const field = issue?.path.join('.') || 'body';
    throw new CodedError('mock_model.bad_request', 'permanent', `${field}: ${issue?.message}`, { detail: { field } });
  }
  const { data } = parsed;
  const messages = data.messages.map((m) => ({ role: m.role, text: textOf(m.content) }));
  return {
    model: data.model,
    messages,
    text: messages.map((m) => m.text).join('\n'),
    stream: data.stream ?? false,
    includeUsage: data.stream_options?.include_usage ?? false,
    seed: data.seed ?? null,
    maxTokens: data.max_completion_tokens ?? data.max_tokens ?? null,
    format: formatOf(data.response_format),
    messagesHash: shortHash(data.messages, 16),
  };
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new CodedError('mock_model.bad_request', 'permanent', 'body: not valid JSON', {
      cause,
      detail: { field: 'body' },
    });
  }
}

function textOf(content: z.infer<typeof message>['content']): string {
  if (content === null || content === undefined) return '';
  return typeof content === 'string' ? content : content.map((p) => p.text ?? '').join('');
}

function formatOf(format: z.infer<typeof responseFormat> | null | undefined): AnswerFormat {
  if (format?.type === 'json_schema') return { type: 'json_schema', schema: format.json_schema.schema as JsonSchema };
  return { type: format?.type ?? 'text' };
}

/** The newest message of the user: what a plausible answer is an answer to. */
export function lastUserText(request: ChatRequest): string {
  return request.messages.findLast((m) => m.role === 'user')?.text ?? '';
}
